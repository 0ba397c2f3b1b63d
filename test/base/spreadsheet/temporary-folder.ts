import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenFile } from '../../../src/base/spreadsheet/whole-file.ts';

/** A folder that is deleted after the tests of its describe block. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spreadsheet-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file handle that reports a full disk after this many bytes. */
export function fullAfter(bytes: number): OpenFile {
  return async (path, flags) => {
    const handle = await open(path, flags);
    const append = handle.appendFile.bind(handle);
    let room = bytes;
    handle.appendFile = async (data) => {
      room -= (data as string | Uint8Array).length;
      if (room < 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      await append(data);
    };
    return handle;
  };
}

export async function* batches<T>(...all: T[][]): AsyncGenerator<T[]> {
  for (const batch of all) yield batch;
}
