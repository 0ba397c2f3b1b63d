import { DatabaseError } from 'pg';

import { LedgerError, systemCodeOf, type LedgerErrorReason } from './ledger-error.ts';
import { ownValue } from '../json/own-value.ts';

type Explanation = readonly [LedgerErrorReason, string];

/** SQLSTATE codes, or their class of two characters: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const explanations: Readonly<Record<string, Explanation>> = {
  '08': ['unreachable', 'lost the connection: see that it runs, then try again'],
  '28000': [
    'refused',
    'refused the login: check the name, pg_hba.conf, and whether it wants TLS (sslmode=verify-full)',
  ],
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

/** On the way to a TLS connection, by the code of Node or OpenSSL, or by pg's text. Waiting mends none of them. */
const tlsTroubles: readonly (readonly [RegExp, string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'has a certificate that has expired: renew it there'],
  [/^CERT_NOT_YET_VALID$/, 'has a certificate that is not valid yet: compare the clocks'],
  [/ALTNAME_INVALID/, 'has a certificate for another name: write that name in the address'],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED/,
    'has a certificate that nobody who is trusted here signed: add sslrootcert=FILE with its CA to the address',
  ],
  [
    /^The server does not support SSL connections$/,
    'does not speak TLS, which the address asks for: turn ssl on there, or write sslmode=disable',
  ],
  [
    /^(?:CERT_|ERR_SSL_|ERR_TLS_|ERR_OSSL_|EPROTO$)/,
    'cannot be spoken to by TLS: correct sslmode, sslrootcert, sslcert and sslkey in the address',
  ],
];

/** Says what happened and where. Of PostgreSQL's answer only codes and names are kept: its text quotes values. */
export function explainPostgres(error: unknown, place: string): unknown {
  if (error instanceof LedgerError) return error;
  if (!(error instanceof DatabaseError)) {
    // pg's own errors come from the way to the server: no address, no answer, no TLS, no password.
    const code = systemCodeOf(error);
    const why = code ?? (error instanceof Error ? error.message : 'no answer');
    const [, ofTls] = tlsTroubles.find(([pattern]) => pattern.test(why)) ?? [];
    if (ofTls !== undefined) return new LedgerError('refused', `PostgreSQL at ${place} ${ofTls} (${why})`, code);
    return new LedgerError('unreachable', `PostgreSQL at ${place} cannot be reached (${why}): see that it runs`, code);
  }
  const code = error.code ?? '';
  const [reason, text] = ownValue(explanations, code) ??
    ownValue(explanations, code.slice(0, 2)) ?? ['failed', 'refused a statement'];
  const subject = [error.table, error.column, error.constraint].filter((name) => name !== undefined);
  const where = subject.length > 0 ? ` on ${subject.join(' ')}` : '';
  return new LedgerError(reason, `PostgreSQL at ${place} ${text} (SQLSTATE ${code}${where})`, code);
}
