import { SpreadsheetError } from './error.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';

export interface CountRows {
  readonly path: string;
  readonly type: 'csv' | 'xlsx';
  readonly signal?: AbortSignal | undefined;
  readonly onRows?: (rows: number) => void;
}

/**
 * Rows below the header, blank ones not counted; of an Excel file those of the first sheet. null: it is no such table.
 * @throws SpreadsheetError where the operating system refuses
 */
export async function countRows({ path, type, signal, onRows }: CountRows): Promise<number | null> {
  let rows = 0;
  try {
    for await (const batch of type === 'csv' ? readCsv(path, signal) : readXlsx(path, signal)) {
      rows += batch.length;
      onRows?.(rows);
    }
    return rows;
  } catch (error) {
    if (error instanceof SpreadsheetError && error.code === null) return null;
    throw error;
  }
}
