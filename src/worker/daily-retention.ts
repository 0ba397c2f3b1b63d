import { setTimeout as sleep } from 'node:timers/promises';
import { applyRetention } from '../delivery/erasure/retention.ts';
import type { RetentionConfig } from '../config/retention-settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../base/logs.ts';
import { dayMs } from '../base/day-milliseconds.ts';

interface DailyRetention {
  readonly retention: RetentionConfig;
  readonly ledger: Ledger;
  readonly log: Log;
  /** Stops it; what was started is continued by the next application. */
  readonly signal: AbortSignal;
}

/** Applies `retention.days` now and once a day, until aborted. A failure is logged, and the next day tries again. */
export async function applyRetentionDaily({ retention, ledger, log, signal }: DailyRetention): Promise<void> {
  const { days } = retention;
  if (days === null) return;
  while (!signal.aborted) {
    try {
      const { orderIds, files, failed } = await applyRetention(ledger, days, { now: () => new Date(), signal });
      if (orderIds.length > 0) log(`Retention: data of ${orderIds.length} orders removed after ${days} days`);
      if (files.left.length > 0)
        log(`Retention: ${files.left.length} files are missing or were changed. See: prospect-sync retention`, 'warn');
      for (const { place, problem } of failed)
        log(`Retention is incomplete: ${place} (${problem}). It is retried automatically within a day`, 'warn');
    } catch (error) {
      if (!signal.aborted)
        log(`Retention was not applied: ${error instanceof Error ? error.message : 'unexpected error'}`, 'warn');
    }
    await sleep(dayMs, null, { signal, ref: false }).catch(() => undefined);
  }
}
