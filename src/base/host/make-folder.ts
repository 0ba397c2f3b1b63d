import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCodeOf } from '../failures/system-code.ts';

/**
 * Creates a folder and the missing ones above it. Node's own `recursive` never ends on a file system that holds no folders, such as /proc:
 * it creates the parent, which exists, and tries again.
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

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
