import { retriedAutomatically, type FailureDescription } from './failure-description.ts';

/**
 * Why a call of the ledger fails, and the failure type of each reason:
 * - `locked`, `full`, `unreachable`: the infrastructure; the call succeeds once that is repaired
 * - `refused`: name, password, permission or address; a setting has to change
 * - `damaged`, `newer`: this version cannot use the file or the tables
 * - `changed`: an immutable set was changed; `unknown`: no such row
 * - `failed`: the database rejected a statement
 */
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
} as const;

/** Failures of the ledger, of files, and of databases that are read. */
export const infrastructureFailures = {
  LedgerLocked: {
    description: 'Another process has locked the ledger.',
    remedy: `${retriedAutomatically} If it lasts, close what locks it, such as a database browser or a backup.`,
  },
  DiskFull: {
    description: 'The disk of the ledger or of a file is full.',
    remedy: 'Free disk space; the step is retried automatically.',
  },
  LedgerUnreachable: {
    description: 'PostgreSQL is not reachable.',
    remedy: 'Check that PostgreSQL is running and has free connections; the step is retried automatically for 14 days.',
  },
  LedgerRefused: {
    description: 'Access to the ledger is denied because of its name, password, permissions or address.',
    remedy: 'Correct DATABASE_URL or the permissions that the message names, restart the worker, then run again.',
  },
  LedgerDamaged: {
    description: 'The file or the tables of the ledger are damaged.',
    remedy:
      'Restore a backup (docs/data.md, "Backup and restore"), or start with an empty ledger and run `prospect-sync ingest ORDER` for each order.',
  },
  LedgerNewer: {
    description: 'The ledger was created by a newer version of prospect-sync.',
    remedy: 'Use that version.',
  },
  LedgerFailed: {
    description: 'The database rejected a statement or a disk operation.',
    remedy: 'Check the disk and the log of the database, then run again.',
  },
  ResultsChanged: {
    description:
      'The service now publishes other results than those that were collected. The collected results were kept.',
    remedy:
      'Published results must never change: report the order id to the support of the service. To use the new version, run `prospect-sync ingest ORDER --accept-changes`.',
  },
  FileBusy: {
    description:
      'The operating system cannot read or write a file at the moment, or its temporary file was deleted meanwhile.',
    remedy: `${retriedAutomatically} If it lasts, close the program that uses the file.`,
  },
  FileFailed: {
    description: 'A file is missing, not accessible, or invalid at the place in the message.',
    remedy: 'Correct the file, its path or its permissions as the message says, then run again.',
  },
  QueryRefused: {
    description:
      'The query of `companies.sql`, its database or its login cannot be used. Nothing was written or ordered.',
    remedy: 'Correct what the message names, restart the worker if a variable has changed, then start the run again.',
  },
  SourceUnreachable: {
    description: 'The database of `companies.sql` cannot be reached, or is locked.',
    remedy: 'Correct what the message names; the step is retried automatically.',
  },
  FileTooLarge: {
    description: 'A file or the result of a query exceeds a limit of docs/enrichment.md, "Limits".',
    remedy: 'Change the file as the message says, then run again.',
  },
} as const satisfies Record<string, FailureDescription>;
