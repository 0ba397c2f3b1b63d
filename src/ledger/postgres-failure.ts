import { DatabaseError } from 'pg';

import { LedgerError, systemCodeOf, type LedgerErrorReason } from './error.ts';

type Explanation = readonly [LedgerErrorReason, string];

/** SQLSTATE codes, or their class of two characters: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const explanations: Readonly<Record<string, Explanation>> = {
  '08': ['unreachable', 'lost the connection: see that it runs, then try again'],
  '28': ['refused', 'refused the login: check the name, the password and pg_hba.conf'],
  '3D': ['refused', 'has no such database: create it, or correct the address'],
  '3F': ['refused', 'has no such schema: create it, or correct the search_path in the address'],
  '40': ['locked', 'ended the transaction because of another one: try again'],
  '42501': ['refused', 'refused the permission: grant this user the right to create and use tables'],
  '42P07': ['refused', 'has other tables of the same name: give the ledger a database or a schema of its own'],
  '53100': ['full', 'has a full disk: make room, then try again'],
  '53': ['unreachable', 'has no connection or memory left: raise its limits or run fewer workers'],
  '55': ['locked', 'waited too long for a lock: try again'],
  '57': ['unreachable', 'is starting, stopping, or ended the statement: try again'],
  '58': ['failed', 'could not be read or written by its operating system: look at its disk'],
  XX: ['damaged', 'reports damaged tables: look at its log'],
};

/** Says what happened and where. Of PostgreSQL's answer only codes and names are kept: its text quotes values. */
export function explainPostgres(error: unknown, place: string): unknown {
  if (error instanceof LedgerError) return error;
  if (!(error instanceof DatabaseError)) {
    // pg's own errors come from the way to the server: no address, no answer, no TLS, no password.
    const code = systemCodeOf(error);
    const why = code ?? (error instanceof Error ? error.message : 'no answer');
    return new LedgerError('unreachable', `PostgreSQL at ${place} cannot be reached (${why}): see that it runs`, code);
  }
  const code = error.code ?? '';
  const [reason, text] = explanations[code] ?? explanations[code.slice(0, 2)] ?? ['failed', 'refused a statement'];
  const subject = [error.table, error.column, error.constraint].filter((name) => name !== undefined);
  const where = subject.length > 0 ? ` on ${subject.join(' ')}` : '';
  return new LedgerError(reason, `PostgreSQL at ${place} ${text} (SQLSTATE ${code}${where})`, code);
}
