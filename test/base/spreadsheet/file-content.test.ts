import { createContentDigest } from '../../../src/base/spreadsheet/file-content.ts';
import type { Row } from '../../../src/base/spreadsheet/table.ts';

const rows: Row[] = [
  { position: 0, name: 'Acme', at: new Date('2026-11-20T12:00:00Z') },
  { position: 1, name: null },
];

function digestOf(batches: readonly (readonly Row[])[], keys = ['position', 'name', 'at']): string {
  const content = createContentDigest(keys);
  for (const batch of batches) content.add(batch);
  return content.hex();
}

describe('createContentDigest', () => {
  it('is equal for equal cells, whatever their batches and other columns', async () => {
    const expected = digestOf([rows]);
    expect(digestOf(rows.map((row) => [row]))).toBe(expected);
    expect(digestOf([rows.map((row) => ({ ...row, added: 'by a later version' }))])).toBe(expected);
    const content = createContentDigest(['position', 'name', 'at']);
    const passed: Row[] = [];
    async function* source() {
      yield rows;
    }
    for await (const batch of content.watch(source())) passed.push(...batch);
    expect([passed, content.hex()]).toEqual([rows, expected]);
  });

  it('differs when a cell, a row, the order of rows or a column differs', () => {
    const [first = {}, second = {}] = rows;
    const others = [
      digestOf([[first, { ...second, name: '' }]]),
      digestOf([[first]]),
      digestOf([[second, first]]),
      digestOf([rows], ['position', 'name']),
    ];
    expect(new Set([...others, digestOf([rows])]).size).toBe(5);
  });
});
