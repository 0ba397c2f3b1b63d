import type { LedgerErrorReason } from '../ledger/ledger-error.ts';
import type { FailureDescription } from './failure-description.ts';

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
export const infrastructureFailures = {
  LedgerLocked: {
    description: 'another process holds the ledger',
    remedy: `${itself}; if it lasts, end what holds it (a database browser, a backup)`,
  },
  DiskFull: {
    description: 'the disk under the ledger or a file is full',
    remedy: 'make room: it is tried again by itself',
  },
  LedgerUnreachable: {
    description: 'PostgreSQL cannot be reached',
    remedy: `see that it runs and has connections left; ${itself} for 14 days`,
  },
  LedgerRefused: {
    description: 'the ledger may not be used: name, password, permission or address',
    remedy: 'correct DATABASE_URL or the rights that the message names, restart the worker, and run again',
  },
  LedgerDamaged: {
    description: 'the file or the tables of the ledger are damaged',
    remedy: 'put a backup in its place (see "Backup and restore"), or start with an empty one and `ingest` the orders',
  },
  LedgerNewer: {
    description: 'the ledger was made by a newer version of prospect-sync',
    remedy: 'run that version',
  },
  LedgerFailed: {
    description: 'the database refused a statement or a disk operation',
    remedy: 'look at the disk and the log of the database, and run again',
  },
  ResultsChanged: {
    description: 'the service now publishes other results than were collected before; what was collected was kept',
    remedy: "a published set never changes: tell the service's support the order id",
  },
  FileBusy: {
    description: 'the operating system cannot read or write a file at the moment',
    remedy: `${itself}; close what holds the file`,
  },
  FileFailed: {
    description: 'a file is missing, may not be used, or is broken where the message says',
    remedy: 'correct the path, the rights or the line, and run again',
  },
  FileTooLarge: {
    description: 'a file is over a limit of what is read of files (docs/enrichment.md, "Limits")',
    remedy: 'change the file as the message says, and run again',
  },
} as const satisfies Record<string, FailureDescription>;
