import { setTimeout as sleep } from 'node:timers/promises';
import { triggerSchedule, type Triggered } from '../schedules/trigger.ts';
import type { GlobalOptions } from './configuration.ts';
import { withTemporal } from './schedule-session.ts';
import type { Terminal } from './terminal.ts';

const lookEveryMs = 200;

export function trigger(terminal: Terminal, options: GlobalOptions, runName: string): Promise<Triggered> {
  return withTemporal(terminal, options, ({ client }) => triggerSchedule(client, runName, () => sleep(lookEveryMs)));
}

export function toTriggerText({ run, result, workflow_id, overlap }: Triggered): string {
  if (result === 'started') return `started ${workflow_id ?? run}; prospect-sync run ${run} follows it`;
  return result === 'skipped'
    ? `not started: a run of ${run} goes on, and its overlap setting is ${overlap}`
    : `${run} starts as soon as its overlap setting (${overlap}) lets it`;
}
