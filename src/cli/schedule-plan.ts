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
  isDifferent,
  planSchedules,
  warnOfLostSchedules,
  type PlannedSchedule,
} from '../temporal/schedules/plan-schedules.ts';
import { outcomeAttribute } from '../temporal/search-attributes.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import type { Config } from '../config/config.ts';
import { toInstallationName } from '../config/blacklist-settings.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openExistingLedger, withLedger } from './data-folder.ts';
import { warnOfSchedules } from '../config/doubtful-schedules.ts';
import { confirmWarnings, type ConfirmationFlags, type Terminal } from './terminal.ts';
import { warnWithoutWorker, withTemporal } from './with-runtime.ts';

const noSchedules = 'no run has a schedule, and there are no managed schedules in Temporal';
const { WorkflowExecutionStatus } = proto.temporal.api.enums.v1;

export async function plan(terminal: Terminal, options: GlobalOptions) {
  const config = await readConfiguration(options.config, terminal.env);
  for (const warning of warnOfSchedules(config, new Date())) terminal.say(warning, 'warn');
  const installation = await findInstallation(terminal, config, options);
  const planned = await withTemporal(terminal, options, ({ client, queue }) =>
    planSchedules(client, config, { queue, installation }),
  );
  const document = toPlanDocument(planned, new Date());
  return { document, text: toPlanText(planned, document) };
}

/** The ledger names the installation: schedules of another one are neither deleted nor silently replaced. */
export async function apply(terminal: Terminal, options: GlobalOptions & ConfirmationFlags) {
  const config = await readConfiguration(options.config, terminal.env);
  for (const warning of warnOfSchedules(config, new Date())) terminal.say(warning, 'warn');
  const planned = await withTemporal(terminal, options, async (session) => {
    const installation = await withLedger(terminal, options, async (ledger) => toInstallationName(ledger.installation));
    const owner = { queue: session.queue, installation };
    const changes = await planSchedules(session.client, config, owner);
    await confirmWarnings(terminal, options, {
      warnings: warnOfLostSchedules(changes, owner).map(toPrintable),
      question: 'Apply the changes?',
      declined: 'the changes of schedules were not confirmed',
    });
    await applySchedules(session.client, changes);
    if (changes.some((each) => 'desired' in each))
      await warnWithoutWorker(terminal, session, 'no schedule executes a run');
    return changes;
  });
  const document = toApplyDocument(planned, new Date());
  return { document, text: toAppliedText(planned, document) };
}

export async function list(terminal: Terminal, options: GlobalOptions): Promise<ListedSchedule[]> {
  const config = await readConfiguration(options.config, terminal.env);
  const installation = await findInstallation(terminal, config, options);
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const planned = await planSchedules(client, config, { queue, installation });
    return Promise.all(
      planned.map(async (each) => toListedSchedule(each, await findLastStart(client, each), new Date())),
    );
  });
}

/** `not known yet`: there is no ledger, so that every schedule is that of another installation. */
async function findInstallation(terminal: Terminal, config: Config, options: GlobalOptions): Promise<string> {
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  return ledger === null ? 'not known yet' : toInstallationName(ledger.installation);
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
  change: 'change',
  drift: 'drift: changed in Temporal since the last apply; apply restores it',
  unchanged: 'unchanged',
  delete: 'delete: the configuration no longer has a schedule for this run',
  other:
    'other: another installation applied it, or it is unreadable; apply leaves it, and prospect-sync schedule delete NAME deletes it',
};

const kept = () => '; the pause is kept';
const pauseTexts: Readonly<Record<PlannedSchedule['status'], (runName: string) => string>> = {
  create: (runName) => `. To let it start runs: prospect-sync schedule resume ${runName}`,
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

const listDifferences = {
  change: 'the configuration has changed since the last apply',
  drift: 'changed in Temporal since the last apply, or unreadable with the configured keys',
  delete: 'the configuration no longer has a schedule for this run',
  other: 'the configuration has no schedule for this run; another installation applied it, or it is unreadable',
} as const;

function toListLines(listed: ListedSchedule): string[] {
  const { run, status, timezone, next, last } = listed;
  const zone = timezone === null || timezone === 'UTC' ? null : timezone;
  const toZoned = (time: string) => (zone === null ? time : `${time}  (${toLocalTime(time, zone)})`);
  return [
    `${run}  ${status === 'create' ? 'not in Temporal yet. Create it with: prospect-sync apply' : toState(listed)}`,
    ...next.map((time, index) => `  ${(index === 0 ? 'next' : '').padEnd(6)} ${toZoned(time)}`),
    ...(last === null ? [] : [`  ${'last'.padEnd(6)} ${last.started_at}  ${last.outcome}  ${last.workflow_id}`]),
    ...(status === 'unchanged' || status === 'create' ? [] : [`  ${'differs'.padEnd(6)} ${listDifferences[status]}`]),
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
  const recent = planned.status === 'create' ? undefined : planned.description.info.recentActions.at(-1);
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
