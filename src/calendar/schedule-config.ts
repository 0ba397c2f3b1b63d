import type { Calendar } from './calendar.ts';

/** What Temporal does with a start while an earlier run is in progress. */
export const overlaps = ['skip', 'buffer_one', 'buffer_all', 'cancel_other', 'terminate_other', 'allow_all'] as const;

/** When a run starts: at the times of the calendars and of the interval; there is at least one of them. */
export interface ScheduleConfig {
  readonly calendars: readonly Calendar[];
  /** Counted from 1970-01-01 UTC. */
  readonly every: { readonly milliseconds: number; readonly offsetMilliseconds: number } | null;
  readonly timezone: string;
  readonly jitterMilliseconds: number;
  readonly overlap: (typeof overlaps)[number];
  readonly catchUpMilliseconds: number;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
}
