/** The changes between the schedules of the configuration and those in Temporal. Changes nothing. */
import type { Client, ScheduleDescription } from '@temporalio/client';
import type { Config } from '../../config/config.ts';
import { toDesiredSchedules, type DesiredSchedule } from './desired-schedule.ts';
import {
  diffSettings,
  type Difference,
  settingNames,
  settingsDigest,
  settingsMemo,
  readSettings,
} from './comparable-settings.ts';
import { findManaged, listManaged } from './managed-schedules.ts';

interface Planned {
  readonly runName: string;
  readonly differences: readonly Difference[];
}

/** `drift`: the schedule was changed in Temporal; `change`: the configuration has changed. */
export type PlannedSchedule =
  | (Planned & {
      readonly status: 'create';
      readonly desired: DesiredSchedule;
      /** Note of the pause with which it is created; null: it is active. */
      readonly pauseNote: string | null;
    })
  | (Planned & {
      readonly status: 'change' | 'drift' | 'unchanged';
      readonly desired: DesiredSchedule;
      readonly description: ScheduleDescription;
    })
  | (Planned & { readonly status: 'delete'; readonly description: ScheduleDescription });

/**
 * The schedules of the configuration in its order, then managed schedules that it no longer has. A new schedule with the times of a paused
 * one that is deleted starts paused: it may be that of the same run under another name.
 */
export async function planSchedules(client: Client, config: Config, queue: string): Promise<PlannedSchedule[]> {
  const planned: PlannedSchedule[] = [];
  for (const desired of toDesiredSchedules(config, queue)) {
    planned.push(compare(desired, await findManaged(client, { runName: desired.runName, queue })));
  }
  const configured = new Set(planned.map(({ runName }) => runName));
  // Another task queue belongs to another installation with its own configuration.
  for await (const { runName, description } of listManaged(client, queue)) {
    if (!configured.has(runName)) planned.push({ runName, status: 'delete', differences: [], description });
  }
  return planned.map((each) => (each.status === 'create' ? keepPause(each, planned) : each));
}

type Created = Extract<PlannedSchedule, { status: 'create' }>;

/** Settings that a run keeps when it is renamed. */
const timeSettings = ['calendars', 'intervals', 'skipped calendars', 'timezone'] as const;

function keepPause(created: Created, planned: readonly PlannedSchedule[]): Created {
  const { settings, options } = created.desired;
  for (const each of planned) {
    if (each.status !== 'delete' || !each.description.state.paused) continue;
    const former = readSettings(each.description);
    if (timeSettings.some((name) => former[name] !== settings[name])) continue;
    const { note } = each.description.state;
    const pauseNote = `the schedule of run ${each.runName} with the same times was paused${note ? `: ${note}` : ''}`;
    return {
      ...created,
      desired: { ...created.desired, options: { ...options, state: { paused: true, note: pauseNote } } },
      pauseNote,
    };
  }
  return created;
}

export function isDifferent({ status }: PlannedSchedule): boolean {
  return status !== 'unchanged';
}

function compare(desired: DesiredSchedule, description: ScheduleDescription | null): PlannedSchedule {
  const { runName, settings } = desired;
  if (description === null)
    return {
      runName,
      status: 'create',
      differences: settingNames.map((field) => ({ field, from: '', to: settings[field] })),
      desired,
      pauseNote: null,
    };
  const found = readSettings(description);
  const differences = diffSettings(found, settings);
  const isAsApplied = description.action.memo?.[settingsMemo] === settingsDigest(found);
  const status = differences.length === 0 ? 'unchanged' : isAsApplied ? 'change' : 'drift';
  return { runName, status, differences, desired, description };
}
