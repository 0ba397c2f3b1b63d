/** The changes between the schedules of the configuration and those in Temporal. Changes nothing. */
import type { Client, ScheduleDescription } from '@temporalio/client';
import type { Config } from '../../config/config.ts';
import { toDesiredSchedules, type DesiredSchedule, type ScheduleOwner } from './desired-schedule.ts';
import {
  diffSettings,
  type Difference,
  findOtherInstallation,
  settingNames,
  settingsDigest,
  settingsMemo,
  readSettings,
} from './comparable-settings.ts';
import { ScheduleError } from './schedule-errors.ts';
import { findManaged, listManaged } from './managed-schedules.ts';

interface Planned {
  readonly runName: string;
  readonly differences: readonly Difference[];
}

/**
 * `drift`: the schedule was changed in Temporal; `change`: the configuration has changed. Of schedules that the configuration does not have:
 * `delete`: this installation applied it; `other`: another one did, or it cannot be read.
 */
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
  | (Planned & { readonly status: 'delete' | 'other'; readonly description: ScheduleDescription });

/**
 * The schedules of the configuration in its order, then managed schedules that it no longer has. A new schedule with the times of a paused
 * one that is deleted starts paused: it may be that of the same run under another name.
 */
export async function planSchedules(client: Client, config: Config, owner: ScheduleOwner): Promise<PlannedSchedule[]> {
  const { queue } = owner;
  const planned: PlannedSchedule[] = [];
  for (const desired of toDesiredSchedules(config, owner)) {
    planned.push(compare(desired, await findManaged(client, { runName: desired.runName, queue })));
  }
  const configured = new Set(planned.map(({ runName }) => runName));
  for await (const { runName, description } of listManaged(client, queue)) {
    if (configured.has(runName)) continue;
    const status = findOtherInstallation(description, owner.installation) === null ? 'delete' : 'other';
    planned.push({ runName, status, differences: [], description });
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
  return status !== 'unchanged' && status !== 'other';
}

/** Warns of schedules that `apply` deletes, or replaces although another installation applied them. */
export function warnOfLostSchedules(planned: readonly PlannedSchedule[], { installation }: ScheduleOwner): string[] {
  return planned.flatMap((each) => {
    const { runName, status } = each;
    if (status === 'delete') return [`Schedule of ${runName}: apply deletes it, because the configuration has none`];
    const other =
      'desired' in each && status !== 'create' ? findOtherInstallation(each.description, installation) : null;
    if (other === null) return [];
    return [
      `Schedule of ${runName}: another installation applied it (${other}), and apply replaces it. If both are in use, give each its own namespace or TEMPORAL_TASK_QUEUE`,
    ];
  });
}

/**
 * `config`: null if it has problems; without a schedule of the run, the fields that were changed are not known.
 * @throws {ScheduleError} for a schedule that was changed in Temporal: it starts what no configuration says
 */
export function assertNoDrift(config: Config | null, runName: string, description: ScheduleDescription): void {
  const { installation, 'task queue': queue } = readSettings(description);
  const schedules = config === null ? [] : toDesiredSchedules(config, { queue, installation });
  const desired = schedules.find((each) => each.runName === runName);
  const { status, differences } =
    desired === undefined
      ? { status: isAsApplied(description) ? 'unchanged' : 'drift', differences: [] }
      : compare(desired, description);
  if (status !== 'drift') return;
  const fields = differences.map(({ field, from, to }) => `${field} is ${from} instead of ${to}`).join('; ');
  throw new ScheduleError(
    `the schedule of ${runName} was changed in Temporal since the last apply${fields === '' ? '' : `: ${fields}`}. Nothing was started. Restore it with: prospect-sync apply`,
  );
}

function isAsApplied(description: ScheduleDescription): boolean {
  return description.action.memo?.[settingsMemo] === settingsDigest(readSettings(description));
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
  const differences = diffSettings(readSettings(description), settings);
  const status = differences.length === 0 ? 'unchanged' : isAsApplied(description) ? 'change' : 'drift';
  return { runName, status, differences, desired, description };
}
