import { z } from 'zod';
import { backfillSchedule } from '../schedules/backfill.ts';
import type { GlobalOptions } from './configuration.ts';
import { withTemporal } from './schedule-session.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

interface Backfilled {
  readonly run: string;
  readonly times: readonly string[];
}

export async function backfill(
  terminal: Terminal,
  options: GlobalOptions,
  runName: string,
  period: { from: string; to: string },
): Promise<Backfilled> {
  const [from, to] = [readTime('--from', period.from), readTime('--to', period.to)];
  if (from > to) throw new CommandError('--from is later than --to', exitCodes.usage);
  if (to.getTime() > Date.now())
    throw new CommandError('--to lies ahead: only what is past can be made up for', exitCodes.usage);
  const times = await withTemporal(terminal, options, ({ client }) => backfillSchedule(client, runName, { from, to }));
  return { run: runName, times: times.map((time) => time.toISOString()) };
}

export function toBackfillText({ run, times }: Backfilled): string {
  return [`${times.length} starts of ${run}, one after another:`, ...times.map((time) => `  ${time}`)].join('\n');
}

function readTime(option: string, text: string): Date {
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return new Date(text);
  const form = 'must be a time with its offset, such as 2026-11-01T00:00:00Z';
  throw new CommandError(`${option} ${form}`, exitCodes.usage);
}
