/** What a spreadsheet says, apart from how its format says it: kept when it is written, and held against the ledger later. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Row } from './table.ts';

const layoutSchema = z.object({
  rows: z.enum(['slot', 'prospect']),
  /** Header to path of further columns; absent where there are none. */
  columns: z.record(z.string(), z.string()).readonly().exactOptional(),
});
/** How the rows of a file are made, wherever it lies. */
export type SpreadsheetLayout = Readonly<z.infer<typeof layoutSchema>>;

const fileContentSchema = z.object({
  layout: layoutSchema,
  /** Of the columns. A later version may write more of them, which makes no file wrong that lacks them. */
  keys: z.array(z.string()),
  /** Of the rows, in hex. */
  sha256: z.string(),
});
export type FileContent = z.infer<typeof fileContentSchema>;

/** null where nothing is known of the content. */
export function toFileContent(json: string | null): FileContent | null {
  return json === null ? null : fileContentSchema.parse(JSON.parse(json));
}

/** A digest of the cells of these columns, row by row. */
export function createContentDigest(keys: readonly string[]) {
  const hash = createHash('sha256');
  const add = (rows: readonly Row[]) => {
    for (const row of rows) hash.update(`${JSON.stringify(keys.map((key) => row[key] ?? null))}\n`);
  };
  return {
    add,
    /** The same batches, added on their way. */
    async *watch(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
      for await (const rows of batches) {
        add(rows);
        yield rows;
      }
    },
    /** Once. */
    hex: () => hash.digest('hex'),
  };
}
