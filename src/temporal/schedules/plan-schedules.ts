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
  | (Planned & { readonly status: 'create'; readonly desired: DesiredSchedule })
  | (Planned & {
      readonly status: 'change' | 'drift' | 'unchanged';
      readonly desired: DesiredSchedule;
      readonly description: ScheduleDescription;
    })
  | (Planned & { readonly status: 'delete'; readonly description: ScheduleDescription });

/** The schedules of the configuration in its order, then managed schedules that it no longer has. */
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
  return planned;
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
    };
  const found = readSettings(description);
  const differences = diffSettings(found, settings);
  const isAsApplied = description.action.memo?.[settingsMemo] === settingsDigest(found);
  const status = differences.length === 0 ? 'unchanged' : isAsApplied ? 'change' : 'drift';
  return { runName, status, differences, desired, description };
}
