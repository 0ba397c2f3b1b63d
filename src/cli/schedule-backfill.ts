import { z } from 'zod';
import { backfillSchedule } from '../schedules/backfill-schedule.ts';
import type { GlobalOptions } from './configuration.ts';
import { withTemporal } from './schedule-session.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

interface BackfillAnswer {
  readonly run: string;
  /** Times that are started now, before jitter. */
  readonly times: readonly string[];
  /** Times that had already started. */
  readonly left_out: readonly string[];
}

interface BackfillOptions {
  readonly from: string;
  readonly to: string;
  /** Whether times that have already started are included. */
  readonly again: boolean;
}

export async function backfill(
  terminal: Terminal,
  options: GlobalOptions,
  runName: string,
  asked: BackfillOptions,
): Promise<BackfillAnswer> {
  const [from, to, now] = [readTime('--from', asked.from), readTime('--to', asked.to), new Date()];
  if (from > to) throw new CommandError('--from is later than --to', exitCodes.usage);
  if (to > now) throw new CommandError('--to is in the future: only past times can be backfilled', exitCodes.usage);
  const which = asked.again ? 'all' : 'open';
  const { started, leftOut } = await withTemporal(terminal, options, ({ client, queue }) =>
    backfillSchedule(client, { runName, queue }, { from, to, which, now }),
  );
  const toTexts = (times: readonly Date[]) => times.map((time) => time.toISOString());
  return { run: runName, times: toTexts(started), left_out: toTexts(leftOut) };
}

export function toBackfillText({ run, times, left_out: leftOut }: BackfillAnswer): string {
  return [
    toTitle(run, times.length),
    ...times.map((time) => `  ${time}`),
    ...(leftOut.length === 0
      ? []
      : [`${leftOut.length} left out because they have already started (--again orders them again):`]),
    ...leftOut.map((time) => `  ${time}`),
  ].join('\n');
}

function toTitle(run: string, count: number): string {
  if (count === 0) return `no start of ${run}`;
  return count === 1 ? `1 start of ${run}:` : `${count} starts of ${run}, one after another:`;
}

function readTime(option: string, text: string): Date {
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return new Date(text);
  const form = 'must be a time with its offset, such as 2026-11-01T00:00:00Z';
  throw new CommandError(`${option} ${form}`, exitCodes.usage);
}
