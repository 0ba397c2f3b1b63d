import type { SourceCell, SourceRows } from '../../src/base/spreadsheet/table.ts';

/** Rows by header, with '' for an empty cell. */
export async function readRecords(batches: AsyncIterable<SourceRows>): Promise<Record<string, SourceCell>[]> {
  const records: Record<string, SourceCell>[] = [];
  for await (const { headers, rows } of batches)
    records.push(
      ...rows.map(({ cells }) => Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? '']))),
    );
  return records;
}
