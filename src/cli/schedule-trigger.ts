import { setTimeout as sleep } from 'node:timers/promises';
import { triggerSchedule, type Triggered } from '../schedules/trigger-schedule.ts';
import { getManaged } from '../schedules/managed-schedules.ts';
import type { GlobalOptions } from './configuration.ts';
import { confirmWarnings, type ConfirmationFlags } from './confirmation.ts';
import { withTemporal } from './schedule-session.ts';
import type { Terminal } from './terminal.ts';
import { toPrintable } from '../text/printable-text.ts';

const pollEveryMs = 200;

interface TriggerAnswer extends Triggered {
  /** Address of the Temporal UI; null: not known. */
  readonly temporal_ui: string | null;
}

export function trigger(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
  runName: string,
): Promise<TriggerAnswer> {
  return withTemporal(terminal, options, async ({ client, queue, uiUrl }) => {
    const { state } = await getManaged(client, { runName, queue });
    await confirmWarnings(terminal, options, {
      warnings: state.paused ? [toPausedText(runName, state.note)] : [],
      question: `Start ${runName}?`,
      declined: `the schedule of ${runName} was not triggered`,
    });
    const triggered = await triggerSchedule(client, { runName, queue }, () => sleep(pollEveryMs));
    return { ...triggered, temporal_ui: uiUrl };
  });
}

function toPausedText(runName: string, note: string | undefined): string {
  const why = note === undefined || note === '' ? '' : ` (${toPrintable(note)})`;
  return `Paused schedule: ${runName} is paused${why}, and a trigger starts its run despite the pause. Each run places an order.`;
}

/** It never suggests `run NAME`, which orders again if the run has ended or is not listed yet. */
export function toTriggerText({ run, result, workflow_id, overlap, temporal_ui }: TriggerAnswer): string {
  const follow = `prospect-sync status ${run}${temporal_ui === null ? '' : ` or ${temporal_ui}`}`;
  if (result === 'started') return `started ${workflow_id ?? run}. Follow it with: ${follow}`;
  return result === 'skipped'
    ? `not started: a run of ${run} is in progress, and the overlap setting is ${overlap}`
    : `${run} starts as soon as its overlap setting (${overlap}) allows. Check with: ${follow}`;
}
