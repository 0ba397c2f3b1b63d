/** Compares the schedules of the configuration with those in Temporal: plan, apply and list. */
import type { Client } from '@temporalio/client';
import { decodeTypedSearchAttributes } from '@temporalio/common/lib/converter/payload-search-attributes.js';
import proto from '@temporalio/proto';
import { toTimezone } from '../config/calendar/timezones.ts';
import {
  pauseNoteOf,
  toApplyDocument,
  toListedSchedule,
  toPlanDocument,
  type LastStart,
  type ListedSchedule,
} from './documents/schedule-document.ts';
import { applySchedules } from '../temporal/schedules/apply-schedules.ts';
import { findStartedWorkflow, unreadable } from '../temporal/schedules/describe-schedule.ts';
import {
  findReplaced,
  isDifferent,
  planSchedules,
  toOtherText,
  warnOfLostSchedules,
  type PlannedSchedule,
} from '../temporal/schedules/plan-schedules.ts';
import { outcomeAttribute } from '../temporal/search-attributes.ts';
import { toPrintable, toPrintableLines } from '../base/text/printable-text.ts';
import type { Config } from '../config/config.ts';
import type { TemporalSession } from '../worker/temporal-session.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openExistingLedger, withLedger } from './data-folder.ts';
import { warnOfSchedules } from '../config/doubtful-schedules.ts';
import { installationOf, placeOf } from './managed-schedule.ts';
import { CommandError, confirmWarnings, type ConfirmationFlags, type Terminal } from './terminal.ts';
import { warnWithoutWorker, withTemporal } from './with-runtime.ts';

const noSchedules = 'no run has a schedule, and there are no managed schedules in Temporal';
const { WorkflowExecutionStatus } = proto.temporal.api.enums.v1;

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
      const changes = await planSchedules(session.client, config, owner, await ledger.appliedSchedules.list(place));
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

export async function list(terminal: Terminal, options: GlobalOptions): Promise<ListedSchedule[]> {
  const config = await readConfiguration(options.config, terminal.env);
  return withTemporal(terminal, options, async (session) => {
    const planned = await planUnchanged(terminal, options, session, config);
    return Promise.all(
      planned.map(async (each) => toListedSchedule(each, await findLastStart(session.client, each), new Date())),
    );
  });
}

/** Without a ledger, every schedule is that of another installation. */
async function planUnchanged(
  terminal: Terminal,
  options: GlobalOptions,
  session: TemporalSession,
  config: Config,
): Promise<PlannedSchedule[]> {
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const owner = { queue: session.queue, installation: installationOf(ledger) };
  return planSchedules(session.client, config, owner, await ledger?.appliedSchedules.list(placeOf(session)));
}

type PlanDocument = ReturnType<typeof toPlanDocument>;

function toPlanText(planned: readonly PlannedSchedule[], { schedules }: PlanDocument): string {
  if (planned.length === 0) return noSchedules;
  const end = planned.some(isDifferent)
    ? 'Nothing was changed. Apply the changes with: prospect-sync apply'
    : 'No pending changes: Temporal matches the configuration.';
  const lines = planned.flatMap((each, index) => toPlanLines(each, schedules[index]?.never_fires_again === true));
  return [...lines.map(toPrintable), end].join('\n');
}

function toAppliedText(planned: readonly PlannedSchedule[], { schedules }: PlanDocument): string {
  const changed = planned.filter(isDifferent).length;
  const others = planned.flatMap((each) => (each.status === 'other' ? toPlanLines(each, false) : [])).map(toPrintable);
  if (changed === 0)
    return ['no changes: Temporal matches the configuration', ...others, ...toPausedLines(planned)].join('\n');
  const lines = planned.flatMap((each, index) =>
    isDifferent(each) ? toPlanLines(each, schedules[index]?.never_fires_again === true) : [],
  );
  return [
    ...lines.map(toPrintable),
    `applied changes to ${changed} of ${planned.length} schedules`,
    ...others,
    ...toPausedLines(planned.filter((each) => !isDifferent(each))),
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
  const paused =
    note === null ? '' : ` (paused${note === '' ? '' : `: ${note}`}${pauseTexts[planned.status](planned.runName)})`;
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

export function toListText(listed: readonly ListedSchedule[]): string {
  return listed.length === 0 ? noSchedules : listed.flatMap(toListLines).map(toPrintable).join('\n');
}

const absentTexts = {
  create: 'not in Temporal yet. Create it with: prospect-sync apply',
  gone: 'deleted in Temporal since the last apply. Create it again with: prospect-sync apply',
} as const;

const listDifferences: Readonly<Record<PlannedSchedule['status'], string | null>> = {
  create: null,
  gone: null,
  unchanged: null,
  change: 'the configuration has changed since the last apply',
  drift: 'changed in Temporal since the last apply, or unreadable with the configured keys',
  delete: 'the configuration no longer has a schedule for this run',
  other: 'the configuration has no schedule for this run; another installation applied it, or it is unreadable',
};

function toListLines(listed: ListedSchedule): string[] {
  const { run, status, timezone, next, last } = listed;
  const difference = listDifferences[status];
  const zone = timezone === null || timezone === 'UTC' ? null : timezone;
  const toZoned = (time: string) => (zone === null ? time : `${time}  (${toLocalTime(time, zone)})`);
  return [
    `${run}  ${status === 'create' || status === 'gone' ? absentTexts[status] : toState(listed)}`,
    ...next.map((time, index) => `  ${(index === 0 ? 'next' : '').padEnd(6)} ${toZoned(time)}`),
    ...(last === null ? [] : [`  ${'last'.padEnd(6)} ${last.started_at}  ${last.outcome}  ${last.workflow_id}`]),
    ...(difference === null ? [] : [`  ${'differs'.padEnd(6)} ${difference}`]),
  ];
}

function toState({ paused, note, never_fires_again: isEnded }: ListedSchedule): string {
  const end = isEnded ? 'ended: no start times left; schedule trigger still works' : null;
  if (!paused) return end ?? 'active';
  return `paused${note ? `: ${note}` : ''}${end === null ? '' : ` (${end})`}`;
}

function toLocalTime(time: string, zone: string): string {
  // A user may have set a timezone in Temporal that this machine does not know.
  if (toTimezone(zone) === null) return zone;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return `${format.format(new Date(time))} ${zone}`;
}

async function findLastStart(client: Client, planned: PlannedSchedule): Promise<LastStart | null> {
  const recent = 'description' in planned ? planned.description.info.recentActions.at(-1) : undefined;
  if (recent === undefined) return null;
  const { workflowId } = recent.action.workflow;
  const outcome = await findOutcome(client, workflowId);
  return { workflow_id: workflowId, started_at: recent.takenAt.toISOString(), outcome };
}

async function findOutcome(client: Client, workflowId: string): Promise<string> {
  const found = await findStartedWorkflow(client, workflowId);
  if (found === null) return 'no longer kept';
  const outcome = decodeTypedSearchAttributes(found.searchAttributes?.indexedFields).get(outcomeAttribute);
  const status = WorkflowExecutionStatus[found.status ?? 0] ?? '';
  return outcome ?? status.replace('WORKFLOW_EXECUTION_STATUS_', '').toLowerCase();
}
