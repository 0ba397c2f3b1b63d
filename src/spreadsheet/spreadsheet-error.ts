/** Errors of spreadsheet files, and the limits of what is read. */
import { types } from 'node:util';
import { toPrintable } from '../text/printable-text.ts';
import { ExplainedError } from '../text/explained-error.ts';

export interface SpreadsheetFacts {
  readonly path: string;
  readonly action: 'reading' | 'writing';
  /** A text without values of rows. */
  readonly problem: string;
  /** Line of the file, from 1. */
  readonly line?: number;
  /** Error code of the operating system, for example ENOSPC; `overLimit` when the file exceeds one of `fileLimits`. */
  readonly code?: string;
}

export const overLimit = 'OVER_LIMIT';

/** A file could not be read or written. The message contains path, line and reason, never a value. */
export class SpreadsheetError extends ExplainedError {
  override readonly name = 'SpreadsheetError';
  readonly facts: SpreadsheetFacts;
  readonly path: string;
  readonly line: number | null;
  readonly code: string | null;

  constructor(facts: SpreadsheetFacts) {
    const { path, action, problem, line, code } = facts;
    super(toPrintable(`${action} ${path} failed${line === undefined ? '' : ` in line ${line}`}: ${problem}`));
    this.facts = facts;
    this.path = path;
    this.line = line ?? null;
    this.code = code ?? null;
  }
}

/** An error of the operating system, with its text: `no space left on device (ENOSPC)`. */
export function toSpreadsheetError(error: unknown, path: string, action: 'reading' | 'writing'): SpreadsheetError {
  if (error instanceof SpreadsheetError) return error;
  if (!isSystemError(error)) return new SpreadsheetError({ path, action, problem: 'unexpected error' });
  const { code, message } = error;
  // `ENOSPC: no space left on device, write`; what follows the comma may repeat temporary names.
  const words = /^[A-Z0-9_]+: ([^,]+)/.exec(message)?.[1];
  return new SpreadsheetError({ path, action, problem: words === undefined ? code : `${words} (${code})`, code });
}

/** Without zod, which takes longer to load than all other modules of the reader thread. */
function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return types.isNativeError(error) && 'code' in error && typeof error.code === 'string';
}

/**
 * Limits of one file. Files come from users and from the service, and a small file can be built to fill any memory. Documented in
 * docs/enrichment.md, "Limits".
 */
export const fileLimits = {
  columns: 1_000,
  /** Of the whole header row. */
  headerCharacters: 100_000,
  rowCharacters: 1_000_000,
  /** As in Python's csv module. */
  csvCellCharacters: 131_072,
  csvRows: 5_000_000,
  /** Excel's own limits. */
  xlsxCellCharacters: 32_767,
  xlsxRows: 1_048_576,
  /** All parts of an Excel file, by the sizes in its directory. */
  unpackedBytes: 2_000_000_000,
  /** The shared texts of an Excel file, which are kept in memory while the sheet is read. */
  sharedTextBytes: 500_000_000,
  sharedTexts: 5_000_000,
  sharedTextCharacters: 100_000_000,
  /** Any other part except sheets: names of sheets, number formats. */
  smallPartBytes: 32_000_000,
  /** Cells that an enrichment keeps in memory until the order is placed. */
  keptCharacters: 100_000_000,
  /** Heap of the reader thread. */
  memoryMegabytes: 512,
} as const;

/** `1,048,576` */
export function formatLimit(limit: number): string {
  return limit.toLocaleString('en');
}
