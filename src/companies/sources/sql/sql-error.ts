import { ExplainedError } from '../../../base/text/explained-error.ts';
import { toPrintable } from '../../../base/text/printable-text.ts';

/**
 * - `unreachable`: the database cannot be used at the moment; the query succeeds once that is repaired
 * - `refused`: the file, the login or the query; a setting or a permission has to change
 */
export type SqlErrorReason = 'unreachable' | 'refused';

/** Names the setting, with codes and names of the database: its own texts may quote values, and are left out. There is no `cause`. */
export class SqlError extends ExplainedError {
  override readonly name = 'SqlError';
  readonly reason: SqlErrorReason;
  /** SQLSTATE, SQLite's result code, or the operating system's error code. */
  readonly code: string | null;

  constructor(reason: SqlErrorReason, message: string, code: string | null = null) {
    super(toPrintable(message));
    this.reason = reason;
    this.code = code;
  }
}
