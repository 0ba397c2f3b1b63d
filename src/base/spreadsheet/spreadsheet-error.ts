/** Errors of spreadsheet files. */
import { types } from 'node:util';
import { toPrintable } from '../text/printable-text.ts';
import { ExplainedError } from '../text/explained-error.ts';
import { describeSystemError } from '../failures/system-code.ts';

export interface SpreadsheetFacts {
  readonly path: string;
  readonly action: 'reading' | 'writing';
  /** A text without values of rows. */
  readonly problem: string;
  /** Line of the file, from 1. */
  readonly line?: number;
  /** Error code of the operating system, for example ENOSPC; or `overLimit`, or `temporaryFileGone`. */
  readonly code?: string;
}

/** The file exceeds one of `fileLimits`. */
export const overLimit = 'OVER_LIMIT';
/** The temporary file was deleted while it was written. The path is not at fault: writing again succeeds. */
export const temporaryFileGone = 'TEMPORARY_FILE_GONE';

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

/** An error of the operating system, in words: `the disk is full (ENOSPC)`. */
export function toSpreadsheetError(error: unknown, path: string, action: 'reading' | 'writing'): SpreadsheetError {
  if (error instanceof SpreadsheetError) return error;
  if (!isSystemError(error)) return new SpreadsheetError({ path, action, problem: 'unexpected error' });
  return new SpreadsheetError({ path, action, problem: describeSystemError(error), code: error.code });
}

/** Without zod, which takes longer to load than all other modules of the reader thread. */
function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return types.isNativeError(error) && 'code' in error && typeof error.code === 'string';
}
