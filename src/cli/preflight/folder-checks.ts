/** Checks that the folders of files can be written, without creating them: a run that cannot write its files has paid for nothing. */
import { access, constants, lstat, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import { reasonOf } from '../configuration.ts';

export async function checkFolders({ runs, certificates }: Pick<Config, 'runs' | 'certificates'>): Promise<Check[]> {
  const folders = [
    ...Object.entries(runs).map(([name, { spreadsheets }]) => {
      return { setting: `runs.${name}.spreadsheets.directory`, folder: spreadsheets.directory };
    }),
    ...(certificates.directory === null ? [] : [{ setting: 'certificates.directory', folder: certificates.directory }]),
  ];
  const byFolder = Map.groupBy(folders, ({ folder }) => folder);
  return Promise.all(
    [...byFolder].map(async ([folder, users]): Promise<Check> => {
      const settings = users.map(({ setting }) => setting).join(', ');
      const problem = await findProblem(folder);
      if (problem === null) return { check: 'output folder', state: 'ok', message: `${folder} (${settings})` };
      return { check: 'output folder', state: 'problem', message: `${problem}. Correct it, or change ${settings}` };
    }),
  );
}

/** Linux: of /proc and /sys, where root may write by the access rights, and no folder can be created. */
const systemFileSystems: ReadonlySet<number> = new Set([0x9f_a0, 0x62_65_65_72]);

/** null: the folder can be written, or created in the nearest folder that exists. */
async function findProblem(folder: string): Promise<string | null> {
  try {
    const found = await stat(folder);
    if (!found.isDirectory()) return `${folder} is not a folder`;
    await access(folder, constants.W_OK | constants.X_OK);
    return systemFileSystems.has((await statfs(folder)).type)
      ? `${folder} is on a file system that holds no files`
      : null;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'ENOENT' && (await isLink(folder))) return `${folder} is a link to a folder that does not exist`;
    const parent = dirname(folder);
    if ((reason === 'ENOENT' || reason === 'ENOTDIR') && parent !== folder) return findProblem(parent);
    return `${folder} cannot be written (${reason})`;
  }
}

function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
