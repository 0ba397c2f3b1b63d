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
 * `gone`: this installation applied the schedule, and it was deleted in Temporal since. `drift`: it was changed in Temporal; `change`: the
 * configuration has changed. Of schedules that the configuration does not have: `delete`: this installation applied it; `other`: another one
 * did, or it cannot be read.
 */
export type PlannedSchedule =
  | (Planned & {
      readonly status: 'create' | 'gone';
      readonly desired: DesiredSchedule;
      /** Note of the pause with which it is created; null: it is active. */
      readonly pauseNote: string | null;
    })
  | (Planned & {
      readonly status: 'change' | 'drift' | 'unchanged';
      readonly desired: DesiredSchedule;
      readonly description: ScheduleDescription;
      /**
       * Note of the pause that was last known, where the schedule is active in Temporal now; null: none. `drift`: an update in Temporal may have
       * ended it by the way, so it is restored; otherwise someone resumed the schedule there.
       */
      readonly endedPause: string | null;
    })
  | (Planned & { readonly status: 'delete' | 'other'; readonly description: ScheduleDescription });

/**
 * The schedules of the configuration in its order, then managed schedules that it no longer has. A new schedule with the times of a paused
 * one that is deleted starts paused: it may be that of the same run under another name. One that is gone starts paused if its pause is known.
 * @param pauses of the schedules that this installation applied, as the ledger knows them
 */
export async function planSchedules(
  client: Client,
  config: Config,
  owner: ScheduleOwner,
  pauses: ReadonlyMap<string, string | null> = new Map(),
): Promise<PlannedSchedule[]> {
  const { queue } = owner;
  const planned: PlannedSchedule[] = [];
  for (const desired of toDesiredSchedules(config, owner)) {
    const { runName } = desired;
    const description = await findManaged(client, { runName, queue });
    const known = pauses.get(runName);
    if (description !== null) planned.push(compare(desired, description, known ?? null));
    else planned.push(known === undefined ? toCreated('create', desired, null) : toCreated('gone', desired, known));
  }
  const configured = new Set(planned.map(({ runName }) => runName));
  for await (const { runName, description } of listManaged(client, queue)) {
    if (configured.has(runName)) continue;
    const status = findOtherInstallation(description, owner.installation) === null ? 'delete' : 'other';
    planned.push({ runName, status, differences: [], description });
  }
  return planned.map((each) => (each.status === 'create' ? keepPause(each, planned) : each));
}

type Created = Extract<PlannedSchedule, { status: 'create' | 'gone' }>;

function toCreated(status: Created['status'], desired: DesiredSchedule, pauseNote: string | null): Created {
  const { runName, settings, options } = desired;
  const differences = settingNames.map((field) => ({ field, from: '', to: settings[field] }));
  if (pauseNote === null) return { runName, status, differences, desired, pauseNote };
  const paused = { ...desired, options: { ...options, state: { paused: true, note: pauseNote } } };
  return { runName, status, differences, desired: paused, pauseNote };
}

/** Settings that a run keeps when it is renamed. */
const timeSettings = ['calendars', 'intervals', 'skipped calendars', 'timezone'] as const;

function keepPause(created: Created, planned: readonly PlannedSchedule[]): Created {
  const { settings } = created.desired;
  for (const each of planned) {
    if (each.status !== 'delete' || !each.description.state.paused) continue;
    const former = readSettings(each.description);
    if (timeSettings.some((name) => former[name] !== settings[name])) continue;
    const { note } = each.description.state;
    const pauseNote = `the schedule of run ${each.runName} with the same times was paused${note ? `: ${note}` : ''}`;
    return toCreated('create', created.desired, pauseNote);
  }
  return created;
}

export function isDifferent({ status }: PlannedSchedule): boolean {
  return status !== 'unchanged' && status !== 'other';
}

/** Schedules of other installations that `apply` replaces. */
export function findReplaced(planned: readonly PlannedSchedule[], { installation }: ScheduleOwner): Replaced[] {
  return planned.flatMap((each) => {
    if (!('desired' in each && 'description' in each)) return [];
    const other = findOtherInstallation(each.description, installation);
    return other === null ? [] : [{ runName: each.runName, other }];
  });
}

interface Replaced {
  readonly runName: string;
  readonly other: string;
}

/** Warns of schedules that `apply` deletes, creates although someone deleted them, pauses again, or replaces although another installation applied them. */
export function warnOfLostSchedules(planned: readonly PlannedSchedule[], owner: ScheduleOwner): string[] {
  const lost = planned.flatMap((each) => {
    const { runName, status } = each;
    if (status === 'delete') return [`Schedule of ${runName}: apply deletes it, because the configuration has none`];
    if (status === 'drift' && each.endedPause !== null)
      return [
        `Schedule of ${runName}: it was changed in Temporal since the last apply, and is active there, but was last known as ${toPausedState(each.endedPause)}; apply pauses it again. To keep it active, first run: prospect-sync schedule resume ${runName}`,
      ];
    if (status !== 'gone') return [];
    const state =
      each.pauseNote === null
        ? 'active, even if it was paused in Temporal'
        : `paused as it was${each.pauseNote === '' ? '' : ` (${each.pauseNote})`}`;
    return [
      `Schedule of ${runName}: it was deleted in Temporal since the last apply, and apply creates it again, ${state}`,
    ];
  });
  const replaced = findReplaced(planned, owner).map(
    ({ runName, other }) =>
      `${toOtherText(runName, other)}, and apply replaces it. If both are in use, give each its own namespace or TEMPORAL_TASK_QUEUE`,
  );
  return [...lost, ...replaced];
}

/** `other`: of findOtherInstallation. */
export function toOtherText(runName: string, other: string): string {
  return `Schedule of ${runName}: another installation applied it (${other})`;
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
      : compare(desired, description, null);
  if (status !== 'drift') return;
  const fields = differences.map(({ field, from, to }) => `${field} is ${from} instead of ${to}`).join('; ');
  throw new ScheduleError(
    `the schedule of ${runName} was changed in Temporal since the last apply${fields === '' ? '' : `: ${fields}`}. Nothing was started. Restore it with: prospect-sync apply`,
  );
}

function isAsApplied(description: ScheduleDescription): boolean {
  return description.action.memo?.[settingsMemo] === settingsDigest(readSettings(description));
}

function compare(
  desired: DesiredSchedule,
  description: ScheduleDescription,
  knownPause: string | null,
): PlannedSchedule {
  const { runName, settings } = desired;
  const changed = diffSettings(readSettings(description), settings);
  const status = changed.length === 0 ? 'unchanged' : isAsApplied(description) ? 'change' : 'drift';
  const endedPause = description.state.paused ? null : knownPause;
  const restored: Difference[] =
    status !== 'drift' || endedPause === null
      ? []
      : [{ field: 'pause', from: 'active', to: toPausedState(endedPause) }];
  return { runName, status, differences: [...changed, ...restored], desired, description, endedPause };
}

/** `paused: holidays` */
export function toPausedState(note: string): string {
  return note === '' ? 'paused' : `paused: ${note}`;
}
