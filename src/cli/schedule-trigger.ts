import { setTimeout as sleep } from 'node:timers/promises';
import { triggerSchedule, type Triggered } from '../schedules/trigger.ts';
import type { GlobalOptions } from './configuration.ts';
import { withTemporal } from './schedule-session.ts';
import type { Terminal } from './terminal.ts';

const lookEveryMs = 200;

interface Told extends Triggered {
  /** Address of the Temporal UI, where it is known. */
  readonly temporal_ui: string | null;
}

export function trigger(terminal: Terminal, options: GlobalOptions, runName: string): Promise<Told> {
  return withTemporal(terminal, options, async ({ client, queue, uiUrl }) => {
    const triggered = await triggerSchedule(client, { runName, queue }, () => sleep(lookEveryMs));
    return { ...triggered, temporal_ui: uiUrl };
  });
}

/** `run NAME` is no way to follow it: that orders anew where the run has ended, or is not listed yet. */
export function toTriggerText({ run, result, workflow_id, overlap, temporal_ui }: Told): string {
  const look = `prospect-sync status ${run}${temporal_ui === null ? '' : ` or ${temporal_ui}`}`;
  if (result === 'started') return `started ${workflow_id ?? run}; how it stands: ${look}`;
  return result === 'skipped'
    ? `not started: a run of ${run} goes on, and its overlap setting is ${overlap}`
    : `${run} starts as soon as its overlap setting (${overlap}) lets it; whether it has: ${look}`;
}
