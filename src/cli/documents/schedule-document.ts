/** The documents that `--json` prints about schedules. */
import { hasEnded } from '../../config/calendar/schedule-config.ts';
import type { BackfillPlan } from '../../temporal/schedules/backfill-schedule.ts';
import { scheduleIdOf } from '../../temporal/schedules/desired-schedule.ts';
import type { Triggered } from '../../temporal/schedules/managed-schedules.ts';
import { isDifferent, type PlannedSchedule } from '../../temporal/schedules/plan-schedules.ts';

/** Printed by `plan`. `ok`: there are no pending changes. */
export function toPlanDocument(planned: readonly PlannedSchedule[], now: Date) {
  return {
    ok: !planned.some(isDifferent),
    schedules: planned.map((each) => ({
      run: each.runName,
      schedule_id: scheduleIdOf(each.runName),
      status: each.status,
      differences: each.differences,
      paused: pauseNoteOf(each),
      never_fires_again: 'desired' in each && hasEnded(each.desired.schedule, now),
    })),
  };
}

/** Printed by `apply`: the same schedules, after their changes were applied. */
export function toApplyDocument(planned: readonly PlannedSchedule[], now: Date) {
  return { ...toPlanDocument(planned, now), ok: true };
}

/** The note of the pause that the schedule has after an apply, which may be empty; null: it is not paused. */
export function pauseNoteOf(planned: PlannedSchedule): string | null {
  if (!('description' in planned)) return planned.pauseNote;
  const { paused, note } = planned.description.state;
  if (paused) return note ?? '';
  return planned.status === 'drift' ? planned.endedPause : null;
}

export interface ListedSchedule {
  readonly run: string;
  /** `create`: not in Temporal yet; `gone`: deleted there; `delete`: no longer in the configuration; `other`: applied by another installation. */
  readonly status: PlannedSchedule['status'];
  readonly paused: boolean;
  readonly note: string | null;
  /** Time zone of the calendars; the times in this document are UTC. null: not in Temporal. */
  readonly timezone: string | null;
  /** The next start times; empty while the schedule is paused. */
  readonly next: readonly string[];
  readonly never_fires_again: boolean;
  /** null: it has not started a run yet. */
  readonly last: LastStart | null;
}

export interface LastStart {
  readonly workflow_id: string;
  readonly started_at: string;
  /** Outcome or status of the run; `no longer kept` after the retention of Temporal. */
  readonly outcome: string;
}

const timesShown = 5;

/** One schedule of `schedule list`. */
export function toListedSchedule(planned: PlannedSchedule, last: LastStart | null, now: Date): ListedSchedule {
  const { runName: run, status } = planned;
  if (!('description' in planned)) {
    const ended = hasEnded(planned.desired.schedule, now);
    return { run, status, paused: false, note: null, timezone: null, next: [], never_fires_again: ended, last: null };
  }
  const { spec, state, info } = planned.description;
  // For a paused schedule Temporal keeps the times that followed the pause, even when they have passed.
  const next = state.paused ? [] : info.nextActionTimes.slice(0, timesShown).map((time) => time.toISOString());
  return {
    run,
    status,
    paused: state.paused,
    note: state.note ?? null,
    timezone: spec.timezone || 'UTC',
    next,
    never_fires_again: hasEndedInTemporal(planned, now),
    last,
  };
}

/** The schedule in Temporal may differ from the configuration. Temporal shows no next times of a paused schedule. */
function hasEndedInTemporal(planned: Exclude<PlannedSchedule, { pauseNote: string | null }>, now: Date): boolean {
  const { state, info } = planned.description;
  if (!state.paused) return info.nextActionTimes.length === 0;
  return planned.status === 'unchanged' && hasEnded(planned.desired.schedule, now);
}

export interface BackfillDocument {
  readonly run: string;
  /** True: nothing was started. */
  readonly dry_run: boolean;
  /** Times that are started now, before jitter. */
  readonly times: readonly string[];
  /** Times that had already started. */
  readonly left_out: readonly string[];
  /** Companies that each start orders, as the configuration says; null: the rows of the source. */
  readonly companies_per_start: number | null;
}

export interface Backfill {
  readonly plan: BackfillPlan;
  readonly companiesPerStart: number | null;
  readonly isDryRun: boolean;
}

export function toBackfillDocument(run: string, { plan, companiesPerStart, isDryRun }: Backfill): BackfillDocument {
  const toTexts = (times: readonly Date[]) => times.map((time) => time.toISOString());
  return {
    run,
    dry_run: isDryRun,
    times: toTexts(plan.started),
    left_out: toTexts(plan.leftOut),
    companies_per_start: companiesPerStart,
  };
}

export interface TriggerDocument extends Triggered {
  /** Address of the Temporal UI; null: not known. */
  readonly temporal_ui: string | null;
}

export function toTriggerDocument(triggered: Triggered, uiUrl: string | null): TriggerDocument {
  return { ...triggered, temporal_ui: uiUrl };
}

/** Printed by `schedule pause` and `schedule resume`. */
export interface PauseDocument {
  readonly run: string;
  readonly paused: boolean;
  readonly note: string;
  /** Whether the schedule was paused, or active, already: then only its note is new. */
  readonly unchanged: boolean;
}

export interface DeletedScheduleDocument {
  readonly run: string;
  readonly deleted: true;
  /** The note of the pause that ended with the schedule, which may be empty; null: it was not paused. */
  readonly paused: string | null;
}
