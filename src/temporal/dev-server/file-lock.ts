import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { makeFolder } from '../../base/host/make-folder.ts';
import { makePrivateFile } from '../../base/host/private-files.ts';

const sqliteBusy = 5;
const tellEverySeconds = 10;

type LockOptions = {
  file: string;
  /** Called when another process holds the lock, and again every 10 s. */
  onWait?: (waitedSeconds: number) => void;
  pollMilliseconds?: number;
};

/**
 * Runs `task` while no other process runs one under the same file.
 *
 * The lock is SQLite's, which the kernel releases when the process ends for any reason. A file with a pid could become stale, would have
 * to be replaced without a race, and pids are reused. Other users may not open the file, because every reader can hold the lock.
 * @throws {PrivateFilesError}
 */
export async function withFileLock<T>(options: LockOptions, task: () => Promise<T>): Promise<T> {
  const { file, onWait, pollMilliseconds = 100 } = options;
  await makeFolder(path.dirname(file), 0o700);
  await makePrivateFile(file);
  const database = new DatabaseSync(file);
  try {
    const started = performance.now();
    for (let tellAt = 0; !tryToLock(database); await sleep(pollMilliseconds)) {
      const waitedSeconds = (performance.now() - started) / 1000;
      if (waitedSeconds < tellAt) continue;
      onWait?.(waitedSeconds);
      tellAt += tellEverySeconds;
    }
    return await task();
  } finally {
    database.close();
  }
}

function tryToLock(database: DatabaseSync): boolean {
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE'); // MEMORY: no second file beside the lock
    return true;
  } catch (error) {
    if (types.isNativeError(error) && 'errcode' in error && error.errcode === sqliteBusy) return false;
    throw error;
  }
}
