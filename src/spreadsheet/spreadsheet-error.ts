import { types } from 'node:util';
import { toPrintable } from '../text/printable-text.ts';
import { ExplainedError } from '../text/explained-error.ts';

export interface SpreadsheetFacts {
  readonly path: string;
  readonly action: 'reading' | 'writing';
  /** In words, without anything that stands in a row. */
  readonly problem: string;
  /** Line of the file, from 1. */
  readonly line?: number;
  /** Of the operating system, for example ENOSPC; `overLimit` where the file is over one of `fileLimits`. */
  readonly code?: string;
}

export const overLimit = 'OVER_LIMIT';

/** A file that could not be read or written; the message names path, line and reason, never a value. */
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

/** A refusal of the operating system, in its own words: `no space left on device (ENOSPC)`. */
export function toSpreadsheetError(error: unknown, path: string, action: 'reading' | 'writing'): SpreadsheetError {
  if (error instanceof SpreadsheetError) return error;
  if (!isSystemError(error)) return new SpreadsheetError({ path, action, problem: 'unexpected error' });
  const { code, message } = error;
  // `ENOSPC: no space left on device, write`; what follows the comma may repeat temporary names.
  const words = /^[A-Z0-9_]+: ([^,]+)/.exec(message)?.[1];
  return new SpreadsheetError({ path, action, problem: words === undefined ? code : `${words} (${code})`, code });
}

/** Without zod: loading it takes longer than everything else that the reader thread loads. */
function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return types.isNativeError(error) && 'code' in error && typeof error.code === 'string';
}

/**
 * What is read of one file at most: files come from users and from the service, and a small one can be made to fill any memory.
 * Users find these figures in docs/enrichment.md, "Limits".
 */
export const fileLimits = {
  columns: 1_000,
  /** Of the header row as a whole. */
  headerCharacters: 100_000,
  rowCharacters: 1_000_000,
  /** As in Python's csv module. */
  csvCellCharacters: 131_072,
  csvRows: 5_000_000,
  /** Excel's own limits. */
  xlsxCellCharacters: 32_767,
  xlsxRows: 1_048_576,
  /** All parts of an Excel file, as its directory announces them. */
  unpackedBytes: 2_000_000_000,
  /** The part with the texts of an Excel file, and how many there are: they are held in memory while the sheet is read. */
  sharedTextBytes: 500_000_000,
  sharedTexts: 5_000_000,
  sharedTextCharacters: 100_000_000,
  /** Any other part beside the sheet: names of sheets, number formats. */
  smallPartBytes: 32_000_000,
  /** What an enrichment keeps of the cells of a file until the order is placed. */
  keptCharacters: 100_000_000,
  /** Heap of the thread that reads. */
  memoryMegabytes: 512,
} as const;

/** `1,048,576` */
export function formatLimit(limit: number): string {
  return limit.toLocaleString('en');
}
