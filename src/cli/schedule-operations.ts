/** Operations on one managed schedule: trigger, pause, resume, backfill and delete. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  toBackfillDocument,
  toDeletedScheduleDocument,
  toPauseDocument,
  toTriggerDocument,
  type BackfillDocument,
  type TriggerDocument,
} from '../report/schedule-document.ts';
import { backfillSchedule } from '../schedules/backfill-schedule.ts';
import { getManaged, triggerSchedule } from '../schedules/managed-schedules.ts';
import { toPrintable } from '../text/printable-text.ts';
import type { GlobalOptions } from './configuration.ts';
import { CommandError, confirmWarnings, exitCodes, type ConfirmationFlags, type Terminal } from './terminal.ts';
import { withTemporal } from './with-runtime.ts';

const pollIntervalMs = 200;

export function trigger(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
  runName: string,
): Promise<TriggerDocument> {
  return withTemporal(terminal, options, async ({ client, queue, uiUrl }) => {
    const { state } = await getManaged(client, { runName, queue });
    await confirmWarnings(terminal, options, {
      warnings: state.paused ? [toPausedText(runName, state.note)] : [],
      question: `Start ${runName}?`,
      declined: `the schedule of ${runName} was not triggered`,
    });
    const triggered = await triggerSchedule(client, { runName, queue }, () => sleep(pollIntervalMs));
    return toTriggerDocument(triggered, uiUrl);
  });
}

function toPausedText(runName: string, note: string | undefined): string {
  const reason = note === undefined || note === '' ? '' : ` (${toPrintable(note)})`;
  return `Paused schedule: ${runName} is paused${reason}, and a trigger starts its run despite the pause. Each run places an order.`;
}

/** It never suggests `run NAME`, which orders again if the run has ended or is not listed yet. */
export function toTriggerText({ run, result, workflow_id, overlap, temporal_ui }: TriggerDocument): string {
  const follow = `prospect-sync status ${run}${temporal_ui === null ? '' : ` or ${temporal_ui}`}`;
  if (result === 'started') return `started ${workflow_id ?? run}. Follow it with: ${follow}`;
  return result === 'skipped'
    ? `not started: a run of ${run} is in progress, and the overlap setting is ${overlap}`
    : `${run} starts as soon as its overlap setting (${overlap}) allows. Check with: ${follow}`;
}

export function pause(terminal: Terminal, options: GlobalOptions, runName: string, note: string) {
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const { scheduleId } = await getManaged(client, { runName, queue });
    await client.schedule.getHandle(scheduleId).pause(note);
    return toPauseDocument(runName, true, note);
  });
}

export function resume(terminal: Terminal, options: GlobalOptions, runName: string, note: string) {
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const { scheduleId } = await getManaged(client, { runName, queue });
    await client.schedule.getHandle(scheduleId).unpause(note);
    return toPauseDocument(runName, false, note);
  });
}

export function remove(terminal: Terminal, options: GlobalOptions, runName: string) {
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const { scheduleId } = await getManaged(client, { runName, queue });
    await client.schedule.getHandle(scheduleId).delete();
    return toDeletedScheduleDocument(runName);
  });
}

interface BackfillFlags {
  readonly from: string;
  readonly to: string;
  /** Whether times that have already started are included. */
  readonly again: boolean;
}

export async function backfill(
  terminal: Terminal,
  options: GlobalOptions,
  runName: string,
  flags: BackfillFlags,
): Promise<BackfillDocument> {
  const [from, to, now] = [readTime('--from', flags.from), readTime('--to', flags.to), new Date()];
  if (from > to) throw new CommandError('--from is later than --to', exitCodes.usage);
  if (to > now) throw new CommandError('--to is in the future: only past times can be backfilled', exitCodes.usage);
  const which = flags.again ? 'all' : 'open';
  const result = await withTemporal(terminal, options, ({ client, queue }) =>
    backfillSchedule(client, { runName, queue }, { from, to, which, now }),
  );
  return toBackfillDocument(runName, result);
}

export function toBackfillText({ run, times, left_out: leftOut }: BackfillDocument): string {
  return [
    toBackfillTitle(run, times.length),
    ...times.map((time) => `  ${time}`),
    ...(leftOut.length === 0
      ? []
      : [`${leftOut.length} left out because they have already started (--again orders them again):`]),
    ...leftOut.map((time) => `  ${time}`),
  ].join('\n');
}

function toBackfillTitle(run: string, count: number): string {
  if (count === 0) return `no start of ${run}`;
  return count === 1 ? `1 start of ${run}:` : `${count} starts of ${run}, one after another:`;
}

function readTime(option: string, text: string): Date {
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return new Date(text);
  throw new CommandError(`${option} must be a time with its offset, such as 2026-11-01T00:00:00Z`, exitCodes.usage);
}
