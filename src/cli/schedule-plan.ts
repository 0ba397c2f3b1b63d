/** Compares the schedules of the configuration with those in Temporal: plan and apply. */
import { pauseNoteOf, toApplyDocument, toPlanDocument } from './documents/schedule-document.ts';
import { applySchedules } from '../temporal/schedules/apply-schedules.ts';
import { unreadable } from '../temporal/schedules/describe-schedule.ts';
import {
  findReplaced,
  isDifferent,
  toPausedState,
  toOtherText,
  warnOfLostSchedules,
  type PlannedSchedule,
} from '../temporal/schedules/plan-schedules.ts';
import { toPrintable, toPrintableLines } from '../base/text/printable-text.ts';
import type { Config } from '../config/config.ts';
import type { TemporalSession } from '../worker/temporal-session.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openExistingLedger, withLedger } from './data-folder.ts';
import { warnOfSchedules } from '../config/doubtful-schedules.ts';
import { installationOf, placeOf, planConfigured } from './managed-schedule.ts';
import { CommandError, confirmWarnings, type ConfirmationFlags, type Terminal } from './terminal.ts';
import { warnWithoutWorker, withTemporal } from './with-runtime.ts';

export const noSchedules = 'no run has a schedule, and there are no managed schedules in Temporal';

export async function plan(terminal: Terminal, options: GlobalOptions) {
  const config = await readConfiguration(options.config, terminal.env);
  for (const warning of warnOfSchedules(config, new Date())) terminal.say(warning, 'warn');
  const planned = await withTemporal(terminal, options, (session) => planUnchanged(terminal, options, session, config));
  const document = toPlanDocument(planned, new Date());
  return { document, text: toPlanText(planned, document) };
}

/**
 * The ledger names the installation: schedules of another one are neither deleted nor silently replaced. It knows what was applied, so that
 * a schedule that someone deleted in Temporal is not silently created again.
 */
export async function apply(terminal: Terminal, options: GlobalOptions & ConfirmationFlags) {
  const config = await readConfiguration(options.config, terminal.env);
  for (const warning of warnOfSchedules(config, new Date())) terminal.say(warning, 'warn');
  const planned = await withTemporal(terminal, options, (session) =>
    withLedger(terminal, options, async (ledger) => {
      const owner = { queue: session.queue, installation: installationOf(ledger) };
      const place = placeOf(session);
      const changes = await planConfigured(session, config, ledger);
      refuseReplaced(terminal, options, findReplaced(changes, owner));
      await confirmWarnings(terminal, options, {
        warnings: warnOfLostSchedules(changes, owner).map(toPrintable),
        question: 'Apply the changes?',
        declined: 'the changes of schedules were not confirmed',
      });
      await applySchedules(session.client, changes);
      const applied = changes.filter((each) => 'desired' in each);
      await ledger.appliedSchedules.replace(place, new Map(applied.map((each) => [each.runName, pauseNoteOf(each)])));
      if (applied.length > 0) await warnWithoutWorker(terminal, session, 'no schedule executes a run');
      return changes;
    }),
  );
  const document = toApplyDocument(planned, new Date());
  return { document, text: toAppliedText(planned, document) };
}

/** Only a user at the terminal takes over a schedule: a script would take it over each time that its owner applies it. @throws {CommandError} */
function refuseReplaced(
  terminal: Terminal,
  { json, yes }: GlobalOptions & ConfirmationFlags,
  replaced: ReturnType<typeof findReplaced>,
): void {
  if (replaced.length === 0 || (terminal.canAsk && !json && !yes)) return;
  const texts = replaced.map(
    ({ runName, other }) =>
      `${toOtherText(runName, other)}, and apply replaces it only if you confirm that at a terminal, without --yes. To delete it instead, run: prospect-sync schedule delete ${runName} --name ${runName}`,
  );
  throw new CommandError(toPrintableLines([...texts, 'Nothing was changed.'].join('\n')));
}

export async function planUnchanged(
  terminal: Terminal,
  options: GlobalOptions,
  session: TemporalSession,
  config: Config,
): Promise<PlannedSchedule[]> {
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  return await planConfigured(session, config, ledger);
}

type PlanDocument = ReturnType<typeof toPlanDocument>;

function toPlanText(planned: readonly PlannedSchedule[], { schedules }: PlanDocument): string {
  if (planned.length === 0) return noSchedules;
  const end = planned.some(isDifferent)
    ? 'Nothing was changed. Apply the changes with: prospect-sync apply'
    : 'No pending changes: Temporal matches the configuration.';
  const lines = planned.flatMap((each, index) => toPlanLines(each, schedules[index]?.never_fires_again === true));
  return [...lines.map(toPrintable), ...toResumedLines(planned), end].join('\n');
}

function toAppliedText(planned: readonly PlannedSchedule[], { schedules }: PlanDocument): string {
  const changed = planned.filter(isDifferent).length;
  const others = planned.flatMap((each) => (each.status === 'other' ? toPlanLines(each, false) : [])).map(toPrintable);
  if (changed === 0)
    return [
      'no changes: Temporal matches the configuration',
      ...others,
      ...toPausedLines(planned),
      ...toResumedLines(planned),
    ].join('\n');
  const lines = planned.flatMap((each, index) =>
    isDifferent(each) ? toPlanLines(each, schedules[index]?.never_fires_again === true) : [],
  );
  return [
    ...lines.map(toPrintable),
    `applied changes to ${changed} of ${planned.length} schedules`,
    ...others,
    ...toPausedLines(planned.filter((each) => !isDifferent(each))),
    ...toResumedLines(planned),
  ].join('\n');
}

/** A line that names paused schedules with their notes. */
function toPausedLines(planned: readonly PlannedSchedule[]): string[] {
  const paused = planned.flatMap((each) => {
    const note = pauseNoteOf(each);
    return note === null ? [] : [note === '' ? each.runName : `${each.runName} (${note})`];
  });
  return paused.length === 0 ? [] : [toPrintable(`paused: ${paused.join(', ')}`)];
}

/** Schedules that someone resumed in Temporal, without another change. */
function toResumedLines(planned: readonly PlannedSchedule[]): string[] {
  return planned.flatMap((each) => {
    if (!('endedPause' in each) || each.status === 'drift' || each.endedPause === null) return [];
    const text = `${each.runName}: ${toPausedState(each.endedPause)} -> active, resumed in Temporal since it was last seen; apply leaves it active`;
    return [toPrintable(text)];
  });
}

const statusTexts: Readonly<Record<PlannedSchedule['status'], string>> = {
  create: 'create',
  gone: 'gone: deleted in Temporal since the last apply; apply creates it again',
  change: 'change',
  drift: 'drift: changed in Temporal since the last apply; apply restores it',
  unchanged: 'unchanged',
  delete: 'delete: the configuration no longer has a schedule for this run',
  other:
    'other: another installation applied it, or it is unreadable; apply leaves it, and prospect-sync schedule delete NAME deletes it',
};

const kept = () => '; the pause is kept';
const startsPaused = (runName: string) => `. To let it start runs: prospect-sync schedule resume ${runName}`;
const pauseTexts: Readonly<Record<PlannedSchedule['status'], (runName: string) => string>> = {
  create: startsPaused,
  gone: startsPaused,
  change: kept,
  drift: kept,
  unchanged: kept,
  other: () => '',
  delete: () => '; the pause ends with it, and new schedules with other times start active',
};

const unreadableText = 'drift: unreadable with the configured keys; apply replaces it';

function toPlanLines(planned: PlannedSchedule, isEnded: boolean): string[] {
  const note = pauseNoteOf(planned);
  const isRestored = planned.differences.some(({ field }) => field === 'pause');
  const paused =
    note === null || isRestored
      ? ''
      : ` (paused${note === '' ? '' : `: ${note}`}${pauseTexts[planned.status](planned.runName)})`;
  const status = planned.differences.some(({ from }) => from === unreadable)
    ? unreadableText
    : statusTexts[planned.status];
  const ended = isEnded ? ' (never fires again: its last time has passed)' : '';
  return [
    `${planned.runName}: ${status}${paused}${ended}`,
    ...planned.differences.map(({ field, from, to }) =>
      from === '' ? `    ${field.padEnd(18)} ${to}` : `    ${field.padEnd(18)} ${from} -> ${to}`,
    ),
  ];
}
