/** Waits for a PostgreSQL that does not accept connections yet: after a restart it starts at the same time as its clients. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '../ledger/ledger-error.ts';
import type { Log } from '../base/logs.ts';
import { trimEndOf } from '../base/text/normalize-text.ts';

interface DatabaseWait {
  readonly log: Log;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

const waitSeconds = 60;
/** Shorter waits are not worth a line. */
const silentSeconds = 3;

/** Nothing listens on the port or socket (ENOENT), or the server starts, stops (57), or has no connection left (53). */
const refusals = /^(?:ECONNREFUSED|ENOENT|57P0[1-3]|53[023]00)$/;

/** Repeats `connect` each second for up to a minute while PostgreSQL refuses connections. Ctrl-C ends the process. @throws {LedgerError} */
export async function awaitDatabase<T>(connect: () => Promise<T>, { log, pause = sleep }: DatabaseWait): Promise<T> {
  for (let waited = 0; ; waited += 1) {
    try {
      return await connect();
    } catch (error) {
      if (!(error instanceof LedgerError) || error.reason !== 'unreachable' || !refusals.test(error.code ?? ''))
        throw error;
      const message = trimEndOf(error.message, '. \n\t');
      if (waited === waitSeconds)
        throw new LedgerError('unreachable', `${message}. Waited ${waitSeconds} s for it`, error.code);
      if (waited === silentSeconds) log(`Waiting for the ledger for up to ${waitSeconds} s: ${message}.`, 'warn');
    }
    await pause(1_000);
  }
}
