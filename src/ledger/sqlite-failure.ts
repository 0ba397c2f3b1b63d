import { LedgerError, systemCodeOf, type LedgerErrorReason } from './ledger-error.ts';
import { ownValue } from '../json/own-value.ts';

type Explanation = readonly [LedgerErrorReason, string];

/** SQLite's primary result codes, https://sqlite.org/rescode.html */
const explanations: Readonly<Record<number, Explanation>> = {
  3: ['refused', 'may not be used: give this user the right to read and write it and its folder'],
  5: [
    'locked',
    'is locked by another process: end the one that holds it (a database browser, a backup), then try again',
  ],
  8: ['refused', 'is read-only: give this user the right to write it and its folder'],
  10: ['failed', 'could not be read or written by the operating system: look at the disk, then try again'],
  11: ['damaged', 'is damaged: put a backup in its place, or move it away to start with an empty ledger'],
  13: ['full', 'cannot grow, the disk is full: make room, then try again'],
  14: ['refused', 'cannot be opened: give this user the right to read and write it and its folder'],
  26: ['damaged', 'is not a SQLite database: move it away, or choose another data folder'],
};

const systemExplanations: Readonly<Record<string, Explanation>> = {
  EACCES: ['refused', 'may not be used: give this user the right to read and write it and its folder'],
  EPERM: ['refused', 'may not be used: give this user the right to read and write it and its folder'],
  EROFS: ['refused', 'is on a read-only disk: choose another data folder'],
  ENOTDIR: ['refused', 'cannot be made, a part of its path is a file: choose another data folder'],
  EEXIST: ['refused', 'cannot be made, a part of its path is a file: choose another data folder'],
  EISDIR: ['refused', 'is a folder: move it away, or choose another data folder'],
  ENOSPC: ['full', 'cannot be made, the disk is full: make room, then try again'],
};

/** Another connection is writing, or is just recovering the file. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === 5 || code === 6;
}

export function explainSqlite(error: unknown, file: string): unknown {
  const code = primaryCode(error);
  if (code !== undefined) {
    const [reason, text] = explanations[code] ?? ['failed', `refused a statement (SQLite result code ${code})`];
    return new LedgerError(reason, `the ledger ${file} ${text}`, String(code));
  }
  const systemCode = systemCodeOf(error);
  const known = systemCode === undefined ? undefined : ownValue(systemExplanations, systemCode);
  return known ? new LedgerError(known[0], `the ledger ${file} ${known[1]}`, systemCode) : error;
}

/** node:sqlite gives extended result codes: the primary one is the low byte. */
function primaryCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
