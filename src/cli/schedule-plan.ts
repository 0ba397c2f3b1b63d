import { applySchedules } from '../schedules/apply-schedules.ts';
import { scheduleIdOf } from '../schedules/desired-schedule.ts';
import { unreadable } from '../schedules/describe-schedule.ts';
import { hasEnded } from '../calendar/schedule-has-ended.ts';
import { isDifferent, planSchedules, type PlannedSchedule } from '../schedules/plan-schedules.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { withTemporal } from './schedule-session.ts';
import type { Terminal } from './terminal.ts';
import { toPrintable } from '../text/printable-text.ts';

export async function plan(terminal: Terminal, options: GlobalOptions): Promise<PlannedSchedule[]> {
  const config = await readConfiguration(options.config, terminal.env);
  return withTemporal(terminal, options, ({ client, queue }) => planSchedules(client, config, queue));
}

/** Returns the changes that were applied. */
export async function apply(terminal: Terminal, options: GlobalOptions): Promise<PlannedSchedule[]> {
  const config = await readConfiguration(options.config, terminal.env);
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const planned = await planSchedules(client, config, queue);
    await applySchedules(client, planned);
    return planned;
  });
}

/** `ok`: nothing differs. */
export function toPlanDocument(planned: readonly PlannedSchedule[]) {
  return {
    ok: !planned.some(isDifferent),
    schedules: planned.map((each) => ({
      run: each.runName,
      schedule_id: scheduleIdOf(each.runName),
      status: each.status,
      differences: each.differences,
      paused: pauseOf(each),
      never_fires_again: isEnded(each),
    })),
  };
}

export function toPlanText(planned: readonly PlannedSchedule[]): string {
  if (planned.length === 0) return 'no run has a schedule, and there are no managed schedules in Temporal';
  const end = planned.some(isDifferent)
    ? 'Nothing was changed. Apply the changes with: prospect-sync apply'
    : 'No pending changes: Temporal matches the configuration.';
  return [...planned.flatMap(toLines).map(toPrintable), end].join('\n');
}

export function toAppliedText(planned: readonly PlannedSchedule[]): string {
  const done = planned.filter(isDifferent);
  if (done.length === 0) return 'no changes: Temporal matches the configuration';
  return [
    ...done.flatMap(toLines).map(toPrintable),
    `applied changes to ${done.length} of ${planned.length} schedules`,
  ].join('\n');
}

const statusTexts: Readonly<Record<PlannedSchedule['status'], string>> = {
  create: 'create',
  change: 'change',
  drift: 'drift: changed in Temporal since the last apply; apply restores it',
  unchanged: 'unchanged',
  delete: 'delete: the configuration no longer has a schedule for this run',
};

const unreadableText = 'drift: unreadable with the configured keys; apply replaces it';

function toLines(planned: PlannedSchedule): string[] {
  const note = pauseOf(planned);
  const paused = note === null ? '' : ` (paused${note === '' ? '' : `: ${note}`}; the pause is kept)`;
  const status = planned.differences.some(({ from }) => from === unreadable)
    ? unreadableText
    : statusTexts[planned.status];
  const ended = isEnded(planned) ? ' (never fires again: its last time has passed)' : '';
  return [
    `${planned.runName}: ${status}${planned.status === 'delete' ? '' : `${paused}${ended}`}`,
    ...planned.differences.map(({ field, from, to }) =>
      from === '' ? `    ${field.padEnd(18)} ${to}` : `    ${field.padEnd(18)} ${from} -> ${to}`,
    ),
  ];
}

function isEnded(planned: PlannedSchedule): boolean {
  return planned.status !== 'delete' && hasEnded(planned.desired.schedule, new Date());
}

/** The note of the pause, which may be empty; null: the schedule is not paused. */
function pauseOf(planned: PlannedSchedule): string | null {
  if (planned.status === 'create' || !planned.description.state.paused) return null;
  return planned.description.state.note ?? '';
}
