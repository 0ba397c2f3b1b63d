/** Why a folder cannot take files, found without creating anything. */
import { access, constants, lstat, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeSystemError, systemCodeOf } from '../failures/system-code.ts';

/** Linux: of /proc and /sys, where root may write by the access rights, and no folder can be created. */
const systemFileSystems: ReadonlySet<number> = new Set([0x9f_a0, 0x62_65_65_72]);

/** null: the folder can be written, or created in the nearest folder that exists. */
export async function findFolderProblem(folder: string): Promise<string | null> {
  try {
    const found = await stat(folder);
    if (!found.isDirectory()) return `${folder} is not a folder`;
    await access(folder, constants.W_OK | constants.X_OK);
    return systemFileSystems.has((await statfs(folder)).type)
      ? `${folder} is on a file system that holds no files`
      : null;
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT' && (await isLink(folder))) return `${folder} is a link to a folder that does not exist`;
    const parent = dirname(folder);
    if ((code === 'ENOENT' || code === 'ENOTDIR') && parent !== folder) return findFolderProblem(parent);
    return `${folder} cannot be written: ${describeSystemError(error)}`;
  }
}

function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
