import { stat } from 'node:fs/promises';

/** False also for a path that cannot be read. */
export function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
