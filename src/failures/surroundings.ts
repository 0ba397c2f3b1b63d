import type { LedgerErrorReason } from '../ledger/error.ts';
import type { Meaning } from './meaning.ts';

const itself = 'none needed: it is tried again by itself';

/** The type of each reason that the ledger gives. */
export const ledgerTypes = {
  locked: 'LedgerLocked',
  full: 'DiskFull',
  unreachable: 'LedgerUnreachable',
  refused: 'LedgerRefused',
  damaged: 'LedgerDamaged',
  newer: 'LedgerNewer',
  changed: 'ResultsChanged',
  unknown: 'OrderNotCollected',
  failed: 'LedgerFailed',
} as const satisfies Record<LedgerErrorReason, string>;

/** What the worker stands on: the ledger, and files. */
export const surroundingFailures = {
  LedgerLocked: {
    meaning: 'another process holds the ledger',
    wayOut: `${itself}; if it lasts, end what holds it (a database browser, a backup)`,
  },
  DiskFull: {
    meaning: 'the disk under the ledger or a file is full',
    wayOut: 'make room: it is tried again by itself',
  },
  LedgerUnreachable: {
    meaning: 'PostgreSQL cannot be reached',
    wayOut: `see that it runs and has connections left; ${itself} for 14 days`,
  },
  LedgerRefused: {
    meaning: 'the ledger may not be used: name, password, permission or address',
    wayOut: 'correct DATABASE_URL or the rights that the message names, restart the worker, and run again',
  },
  LedgerDamaged: {
    meaning: 'the file or the tables of the ledger are damaged',
    wayOut: 'put a backup in its place (see "Backup and restore"), or start with an empty one and `ingest` the orders',
  },
  LedgerNewer: {
    meaning: 'the ledger was made by a newer version of prospect-sync',
    wayOut: 'run that version',
  },
  LedgerFailed: {
    meaning: 'the database refused a statement or a disk operation',
    wayOut: 'look at the disk and the log of the database, and run again',
  },
  ResultsChanged: {
    meaning: 'the service now publishes other results than were collected before; what was collected was kept',
    wayOut: "a published set never changes: tell the service's support the order id",
  },
  FileBusy: {
    meaning: 'the operating system cannot read or write a file at the moment',
    wayOut: `${itself}; close what holds the file`,
  },
  FileFailed: {
    meaning: 'a file is missing, may not be used, or is broken where the message says',
    wayOut: 'correct the path, the rights or the line, and run again',
  },
  FileTooLarge: {
    meaning: 'a file is over a limit of what is read of files (docs/enrichment.md, "Limits")',
    wayOut: 'change the file as the message says, and run again',
  },
} as const satisfies Record<string, Meaning>;
