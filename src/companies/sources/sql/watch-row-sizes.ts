/**
 * Reads the sizes of rows from the messages of PostgreSQL before their values arrive: `pg` keeps a message until its last byte, and a
 * value may have 1 GB (https://www.postgresql.org/docs/current/protocol-message-formats.html, DataRow).
 */
import type { Readable } from 'node:stream';
import { fileLimits } from '../../../base/spreadsheet/file-limits.ts';
import type { LongRow } from './query-page.ts';

/** A character has at most 3 bytes for each unit of UTF-16. The rest is for what is no text: the lengths of cells, numbers and times. */
const rowBytes = 3 * fileLimits.rowCharacters + 100_000;

const dataRow = 'D'.charCodeAt(0);
/** Bytes of a message's type with its length, of the number of cells, and of the length of a cell. */
const bytesOf = { message: 5, count: 2, cell: 4 } as const;

/**
 * Starts between two messages.
 * @param onLong is called once, when the lengths of the first cells show that a row is certainly over the limit of characters
 */
export function watchRowSizes(stream: Readable, onLong: (long: LongRow) => void): void {
  let part: keyof typeof bytesOf = 'message';
  let begun: Uint8Array = new Uint8Array();
  /** Bytes of values, or of other messages. */
  let skipped = 0;
  let [row, size, cellsLeft] = [0, 0, 0];
  let cells: number[] = [];
  const read = (bytes: Buffer): LongRow | null => {
    if (part === 'message') {
      // The length counts itself.
      const length = bytes.readUInt32BE(1) - 4;
      if (bytes[0] !== dataRow) skipped = length;
      else [part, row, size, cells] = ['count', row + 1, length, []];
      return null;
    }
    if (part === 'count') {
      cellsLeft = bytes.readUInt16BE(0);
      size -= bytesOf.count + cellsLeft * bytesOf.cell;
    } else {
      // -1 is NULL.
      skipped = Math.max(0, bytes.readInt32BE(0));
      cellsLeft -= 1;
      cells.push(skipped);
      if (size > rowBytes && cells.reduce((sum, each) => sum + each, 0) > rowBytes)
        return { row, unit: 'bytes', size, cells };
    }
    part = cellsLeft > 0 ? 'cell' : 'message';
    return null;
  };
  const watch = (chunk: Buffer) => {
    let rest = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    while (rest.length > 0) {
      const value = Math.min(skipped, rest.length);
      skipped -= value;
      rest = rest.subarray(value);
      const needed = bytesOf[part];
      if (skipped > 0 || rest.length < needed) break;
      const bytes = rest.subarray(0, needed);
      rest = rest.subarray(needed);
      const long = read(bytes);
      if (long === null) continue;
      stream.off('data', watch);
      return onLong(long);
    }
    begun = rest;
  };
  stream.prependListener('data', watch);
}
