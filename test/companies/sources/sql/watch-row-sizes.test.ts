import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import type { LongRow } from '../../../../src/companies/sources/sql/query-page.ts';
import { watchRowSizes } from '../../../../src/companies/sources/sql/watch-row-sizes.ts';

/** A message of PostgreSQL: its type, its length with these four bytes, its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

/** null: NULL. */
function dataRow(cells: readonly (number | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(cells.length);
  const values = cells.map((size) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(size ?? -1);
    return Buffer.concat([length, Buffer.alloc(size ?? 0, 'D')]);
  });
  return message('D', Buffer.concat([count, ...values]));
}

async function findLongRows(bytes: Buffer, chunkSizes: Iterable<number>): Promise<LongRow[]> {
  const chunks: Buffer[] = [];
  let rest = bytes;
  for (const size of chunkSizes) {
    chunks.push(rest.subarray(0, size));
    rest = rest.subarray(size);
  }
  const stream = Readable.from([...chunks, rest].filter(({ length }) => length > 0));
  const found: LongRow[] = [];
  watchRowSizes(stream, (long) => found.push(long));
  await stream.resume().toArray();
  return found;
}

describe('watchRowSizes', () => {
  const description = message('T', Buffer.alloc(30, 'D'));
  const end = Buffer.concat([message('C', Buffer.from('FETCH 3\0')), message('Z', Buffer.from('I'))]);
  const short = [dataRow([3, null, 0]), dataRow([]), message('n', Buffer.alloc(0)), dataRow([null, 1_000, 2])];
  const chunkSizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 300 });

  it('reports no row within the limit, however the messages are divided', async () => {
    await fc.assert(
      fc.asyncProperty(chunkSizes, async (sizes) => {
        const bytes = Buffer.concat([description, ...short, dataRow([3_000_000]), end]);
        expect(await findLongRows(bytes, sizes)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('reports the number, the size and the first cells of a row over the limit once, however the messages are divided', async () => {
    await fc.assert(
      fc.asyncProperty(chunkSizes, async (sizes) => {
        const bytes = Buffer.concat([description, ...short, dataRow([7, 1_600_000, null, 1_600_000, 9]), end]);
        expect(await findLongRows(bytes, sizes)).toEqual([
          { row: 4, unit: 'bytes', size: 3_200_016, cells: [7, 1_600_000, 0, 1_600_000] },
        ]);
      }),
      { numRuns: 50 },
    );
  });

  it('reports a row before its value arrives', async () => {
    const bytes = dataRow([5_000_000]).subarray(0, 11);
    expect(await findLongRows(bytes, [])).toEqual([{ row: 1, unit: 'bytes', size: 5_000_000, cells: [5_000_000] }]);
  });
});
