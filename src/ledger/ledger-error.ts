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
  readonly code: string | undefined;

  constructor(reason: LedgerErrorReason, message: string, code?: string) {
    super(toPrintable(message));
    this.reason = reason;
    this.code = code;
  }
}

/** The code of a Node error, for example `ECONNREFUSED`. Without instanceof, because jest has its own Error class. */
export function systemCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
