import { settingNames, type ScheduleSettings, type SettingName } from './schedule-record.ts';

/** `from`: what Temporal has, empty where it has no such schedule; `to`: what the configuration says. */
export interface Difference {
  readonly field: SettingName;
  readonly from: string;
  readonly to: string;
}

export function diffSettings(from: ScheduleSettings, to: ScheduleSettings): Difference[] {
  return settingNames
    .filter((field) => from[field] !== to[field])
    .map((field) => ({ field, from: from[field], to: to[field] }));
}
