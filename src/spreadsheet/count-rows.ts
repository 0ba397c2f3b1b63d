import { SpreadsheetError } from './error.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';

export interface CountRows {
  readonly path: string;
  readonly type: 'csv' | 'xlsx';
  readonly signal?: AbortSignal | undefined;
  /** Counting is given up after this. */
  readonly longestMs?: number;
  readonly onRows?: (rows: number) => void;
}

/**
 * Rows below the header, blank ones not counted; of an Excel file those of the first sheet. null: it is no such table, or
 * counting takes too long.
 * @throws SpreadsheetError where the operating system refuses
 */
export async function countRows({ path, type, signal, longestMs, onRows }: CountRows): Promise<number | null> {
  const over = longestMs === undefined ? undefined : AbortSignal.timeout(longestMs);
  const either = AbortSignal.any([signal, over].filter((each) => each !== undefined));
  let rows = 0;
  try {
    for await (const batch of type === 'csv' ? readCsv(path, either) : readXlsx(path, either)) {
      rows += batch.rows.length;
      onRows?.(rows);
    }
    return rows;
  } catch (error) {
    if (error instanceof SpreadsheetError && error.code === null) return null;
    if (over?.aborted === true && error === over.reason) return null;
    throw error;
  }
}
