import { z } from 'zod';
import { LedgerError } from './ledger-error.ts';

/**
 * Reads a value that prospect-sync has stored.
 * @param what names it, without data: `the slot at position 3`
 * @throws {LedgerError} `damaged` for one that prospect-sync cannot have stored
 */
export function readStored<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw toDamage(what, error);
  }
}

/** A LedgerError for an error of parsing; every other error unchanged. */
export function toDamage(what: string, error: unknown): unknown {
  if (!(error instanceof SyntaxError || error instanceof TypeError || error instanceof z.ZodError)) return error;
  return new LedgerError(
    'damaged',
    `${what} was changed in the ledger, and cannot be read. Only prospect-sync may write to the ledger`,
  );
}
