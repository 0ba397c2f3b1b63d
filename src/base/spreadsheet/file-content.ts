/** Layout and digest of a spreadsheet's content, independent of its format. Stored when it is written, and compared with the ledger later. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { csvFormSchema } from './csv-form.ts';
import type { Row } from './table.ts';

const layoutSchema = z.object({
  rows: z.enum(['slot', 'prospect']),
  /** Paths of additional columns, by header; absent when there are none. */
  columns: z.record(z.string(), z.string()).readonly().exactOptional(),
  /** Of a CSV file; absent for `defaultCsvForm`. */
  csv: csvFormSchema.readonly().exactOptional(),
  /** Of headers and other fixed texts; absent for English. */
  language: z.literal('de').exactOptional(),
  /** An Excel file has a sheet of excluded rows. */
  excluded: z.literal(true).exactOptional(),
});
/** How the rows of a file are made. */
export type SpreadsheetLayout = Readonly<z.infer<typeof layoutSchema>>;

export const fileContentSchema = z.object({
  layout: layoutSchema,
  /** Keys of the columns. A later version may write more columns: files without them stay valid. */
  keys: z.array(z.string()),
  /** Digest of the rows, and of those of the sheet of excluded rows, in hex. */
  sha256: z.string(),
});
export type FileContent = z.infer<typeof fileContentSchema>;

/** A digest of the cells of these columns, row by row. */
export function createContentDigest(keys: readonly string[]) {
  const hash = createHash('sha256');
  const add = (rows: readonly Row[], added = keys) => {
    for (const row of rows) hash.update(`${JSON.stringify(added.map((key) => row[key] ?? null))}\n`);
  };
  return {
    add,
    /** Passes the batches on, and adds them to the digest. `added`: keys of the columns of another sheet. */
    async *watch(batches: AsyncIterable<readonly Row[]>, added = keys): AsyncGenerator<readonly Row[]> {
      for await (const rows of batches) {
        add(rows, added);
        yield rows;
      }
    },
    /** Can be called once. */
    hex: () => hash.digest('hex'),
  };
}
