/** Paths of files as the ledger stores them. */
import { isAbsolute, relative, resolve, sep } from 'node:path';

export type StoredPaths = ReturnType<typeof createStoredPaths>;

/**
 * A file in the folder of the configuration is stored relative to it, so that a moved or copied project finds its own files. Paths of
 * other files, and all paths without such a folder, are absolute.
 */
export function createStoredPaths(projectFolder: string | null) {
  return {
    toStored: (path: string): string => {
      if (projectFolder === null) return path;
      const inside = relative(projectFolder, path);
      return isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`) ? path : inside;
    },
    fromStored: (stored: string): string => (projectFolder === null ? stored : resolve(projectFolder, stored)),
  };
}
