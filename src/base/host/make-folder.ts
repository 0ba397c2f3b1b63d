import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCodeOf } from '../failures/system-code.ts';

/**
 * Creates a folder and the missing ones above it. Node's own `recursive` never ends on a file system that holds no folders, such as /proc:
 * it creates the parent, which exists, and tries again. On a read-only file system it reports ENOENT instead of EROFS.
 * @throws the error of the operating system, ENOENT on such a file system
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (await isFolder(folder)) return;
    const parent = dirname(folder);
    if (systemCodeOf(error) !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent, mode);
    await mkdir(folder, { mode }).catch(async (again: unknown) => {
      // Another process may have created it meanwhile.
      if (!(await isFolder(folder))) throw again;
    });
  }
}

/** As `makeFolder`. @throws the error of the operating system */
export function makeFolderSync(folder: string, mode: number): void {
  const isThere = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolderSync(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isThere()) throw error;
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
