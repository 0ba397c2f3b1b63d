import type { ledgerTypes } from '../base/failures/infrastructure-failures.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { ExplainedError } from '../base/text/explained-error.ts';

export type LedgerErrorReason = keyof typeof ledgerTypes;

/**
 * Its message has the problem and the remedy, but no values of rows, which are personal data. It has no `cause`, because PostgreSQL's
 * errors quote values.
 */
export class LedgerError extends ExplainedError {
  override readonly name = 'LedgerError';
  readonly reason: LedgerErrorReason;
  /** SQLSTATE, SQLite's result code, or the operating system's error code. */
  readonly code: string | null;

  constructor(reason: LedgerErrorReason, message: string, code: string | null = null) {
    super(toPrintable(message));
    this.reason = reason;
    this.code = code;
  }
}
