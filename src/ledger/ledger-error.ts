import { toPrintable } from '../text/printable-text.ts';
import { ExplainedError } from '../text/explained-error.ts';

/**
 * Why the ledger could not do what it was asked:
 * - `locked`, `full`, `unreachable`: the surroundings; the same call works once they are mended
 * - `refused`: name, password, permission or address; somebody has to change a setting
 * - `damaged`, `newer`: the file or the tables cannot be used by this version
 * - `changed`: a set that must never change did; `unknown`: there is no such row
 * - `failed`: the database refused a statement
 */
export type LedgerErrorReason =
  | 'locked'
  | 'full'
  | 'unreachable'
  | 'refused'
  | 'damaged'
  | 'newer'
  | 'changed'
  | 'unknown'
  | 'failed';

/**
 * What the ledger could not do, and the way out. Never holds a value of a row: rows are personal data. For the same
 * reason it has no `cause`: PostgreSQL's own errors quote the values they are about.
 */
export class LedgerError extends ExplainedError {
  override readonly name = 'LedgerError';
  readonly reason: LedgerErrorReason;
  /** The database's own code, where it gave one: SQLSTATE, SQLite's result code, or the operating system's. */
  readonly code: string | undefined;

  constructor(reason: LedgerErrorReason, message: string, code?: string) {
    super(toPrintable(message));
    this.reason = reason;
    this.code = code;
  }
}

/** The code of an error of Node, `ECONNREFUSED`. Not by instanceof: jest's Error is another than Node's own. */
export function systemCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
