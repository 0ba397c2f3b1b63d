/** Checks that the folders of files can be written, without creating them: a run that cannot write its files has paid for nothing. */
import type { Config } from '../../config/config.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import { findFolderProblem } from '../../base/host/folder-problem.ts';

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
      const problem = await findFolderProblem(folder);
      if (problem === null) return { check: 'output folder', state: 'ok', message: `${folder} (${settings})` };
      return { check: 'output folder', state: 'problem', message: `${problem}. Correct it, or change ${settings}` };
    }),
  );
}
