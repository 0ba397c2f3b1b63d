// Sends many rows to HubSpot: in batches, several at a time, and a rejected batch in halves until its bad rows are found.
import { NON_UNIQUE_ID_PROPERTY } from './error-facts.ts';
import { HubSpotError } from './hubspot-error.ts';

/** @param size of each batch but the last */
export function splitIntoBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size));
  return batches;
}

/**
 * Batches without repeated keys, because HubSpot rejects a batch for one repeated id. A repeated row goes into a later round than the row
 * before it, so that the last one wins. Rows without a key are never repeated.
 * @returns rounds of batches; the batches of a round may be sent concurrently, the rounds one after another
 */
export function splitIntoRounds<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | undefined,
  size: number,
): Row[][][] {
  const seen = new Map<string, number>();
  const rounds: Row[][] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const round = key === undefined ? 0 : (seen.get(key) ?? 0);
    if (key !== undefined) seen.set(key, round + 1);
    (rounds[round] ??= []).push(row);
  }
  return rounds.map((round) => splitIntoBatches(round, size));
}

/**
 * Runs `run` for all items in order, up to `concurrency` at a time.
 * @returns result i belongs to item i
 * @throws the first error, after the other calls were aborted and have settled
 */
export async function runConcurrently<Item, Result>(
  items: readonly Item[],
  { concurrency, signal }: { concurrency: number; signal: AbortSignal | undefined },
  run: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const abortOthers = new AbortController();
  const combined = signal === undefined ? abortOthers.signal : AbortSignal.any([signal, abortOthers.signal]);
  const results: Result[] = [];
  const failures: unknown[] = [];
  const queue = items.entries();

  async function work(): Promise<void> {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[index] = await run(item, combined);
      } catch (error) {
        failures.push(error);
        abortOthers.abort();
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}

export interface FailedRow {
  readonly ok: false;
  readonly error: HubSpotError;
}

/** If this many single rows are rejected and none accepted, stop bisecting: the request itself is wrong. */
const SINGLE_REFUSALS_TO_GIVE_UP = 4;
/** Batches up to this size are always bisected to the last row, which costs 15 calls at most. */
const ALWAYS_BISECTED = 8;

/**
 * In some cases HubSpot rejects a whole batch for one row (409 for a unique value that another record has), and names that row only in
 * its message, if at all. A batch that is rejected with 400 or 409 is halved until each bad row is alone: about 2 × log2(n) calls for
 * one bad row, 2n − 1 when all rows are bad.
 * @param send sends rows as one batch; throws HubSpotError when HubSpot refuses the batch
 * @returns the results of `send`, and a FailedRow for each row that was refused alone
 * @throws HubSpotError that no row causes: another status, no answer, or a 400 that every row gets
 */
export async function sendWithBisect<Row, Result>(
  rows: readonly Row[],
  send: (batch: readonly Row[]) => Promise<Map<Row, Result>>,
): Promise<Map<Row, Result | FailedRow>> {
  const results = new Map<Row, Result | FailedRow>();
  const pending: (readonly Row[])[] = rows.length === 0 ? [] : [rows];
  let singleRefusals = 0;
  let isAnyAccepted = false;
  for (let batch = pending.pop(); batch !== undefined; batch = pending.pop()) {
    try {
      for (const [row, result] of await send(batch)) results.set(row, result);
      isAnyAccepted = true;
    } catch (error) {
      if (!(error instanceof HubSpotError) || !mayBeCausedByRow(error)) throw error;
      const [row] = batch;
      if (row !== undefined && batch.length === 1) {
        results.set(row, { ok: false, error });
        singleRefusals += 1;
        const isCommonCause =
          !isAnyAccepted && singleRefusals >= SINGLE_REFUSALS_TO_GIVE_UP && rows.length > ALWAYS_BISECTED;
        if (isCommonCause && error.status === 400 && pending.length > 0) throw error;
        // The largest batch comes next: its rows are the farthest from those that were tried.
        pending.sort((a, b) => a.length - b.length);
      } else {
        const middle = Math.ceil(batch.length / 2);
        pending.push(batch.slice(middle), batch.slice(0, middle));
      }
    }
  }
  return results;
}

function mayBeCausedByRow({ kind, status, code }: HubSpotError): boolean {
  return kind === 'http' && (status === 400 || status === 409) && code !== NON_UNIQUE_ID_PROPERTY;
}
