import { SpreadsheetError } from './spreadsheet-error.ts';
import { countTable } from './reader-thread.ts';

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
 * @throws SpreadsheetError where the operating system refuses, or the file is over a limit
 */
export async function countRows({ path, type, signal, longestMs, onRows }: CountRows): Promise<number | null> {
  const over = longestMs === undefined ? undefined : AbortSignal.timeout(longestMs);
  const either = AbortSignal.any([signal, over].filter((each) => each !== undefined));
  let rows = 0;
  try {
    for await (rows of countTable({ path, kind: type }, either)) onRows?.(rows);
    return rows;
  } catch (error) {
    if (error instanceof SpreadsheetError && error.code === null) return null;
    if (over?.aborted === true && error === over.reason) return null;
    throw error;
  }
}
