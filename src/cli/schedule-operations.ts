/** Operations on one managed schedule: trigger, pause, resume, backfill and delete. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  toBackfillDocument,
  toDeletedScheduleDocument,
  toPauseDocument,
  toTriggerDocument,
  type BackfillDocument,
  type TriggerDocument,
} from './documents/schedule-document.ts';
import { planBackfill, type BackfillPlan } from '../temporal/schedules/backfill-schedule.ts';
import { getManaged, triggerSchedule } from '../temporal/schedules/managed-schedules.ts';
import { assertNoDrift } from '../temporal/schedules/plan-schedules.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { findRun, readConfiguration, readConfigurationIfValid, type GlobalOptions } from './configuration.ts';
import { openExistingLedger } from './data-folder.ts';
import { toRunPlan } from '../config/run-plan.ts';
import type { Config } from '../config/config.ts';
import { listWorkersOfOtherRuns } from '../worker/embedded-worker.ts';
import type { TemporalSession } from '../worker/temporal-session.ts';
import { findOrderWarnings, toPlannedOrder } from '../companies/purchases/order-warnings.ts';
import { createSystems } from '../worker/configured-clients.ts';
import { checkSource } from './preflight/source-checks.ts';
import {
  CommandError,
  confirmWarnings,
  exitCodes,
  signalOf,
  type ConfirmationFlags,
  type Terminal,
} from './terminal.ts';
import { warnWithoutWorker, withTemporal } from './with-runtime.ts';

const pollIntervalMs = 200;

export function trigger(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
  runName: string,
): Promise<TriggerDocument> {
  return withTemporal(terminal, options, async (session) => {
    const { client, queue, uiUrl } = session;
    const description = await getManaged(client, { runName, queue });
    const { state } = description;
    const config = await readConfigurationIfValid(terminal, options);
    assertNoDrift(config, runName, description);
    await assertSameRuns(session, config);
    const unusual = await warnOfOrder(terminal, options, runName);
    await confirmWarnings(terminal, options, {
      warnings: [...(state.paused ? [toPausedText(runName, state.note)] : []), ...unusual],
      question: `Start ${runName}?`,
      declined: `the schedule of ${runName} was not triggered`,
    });
    const triggered = await triggerSchedule(client, { runName, queue }, () => sleep(pollIntervalMs));
    await warnWithoutWorker(terminal, session, `runs of ${runName} wait`);
    return toTriggerDocument(triggered, uiUrl);
  });
}

/** What a command announces is what its file says. @throws {CommandError} for a worker that has read another version of the runs */
async function assertSameRuns(session: TemporalSession, config: Config | null): Promise<void> {
  if (config === null) return;
  const [worker] = await listWorkersOfOtherRuns(session, config);
  if (worker === undefined) return;
  throw new CommandError(
    `Worker ${worker} has read another version of the runs than this file has, and would order what its version says: nothing was started. Restart it with this file; a worker that ended on another computer is listed for a minute`,
  );
}

/** Like `run`. The worker that runs may be elsewhere: what cannot be read here is a question, not an error. */
async function warnOfOrder(terminal: Terminal, options: GlobalOptions, runName: string): Promise<readonly string[]> {
  const config = await readConfigurationIfValid(terminal, options);
  if (config === null || !Object.hasOwn(config.runs, runName)) return [];
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const plan = toRunPlan(config, runName, findRun(config, runName));
  const { hubspot } = createSystems(config);
  const context = { signal: signalOf(terminal), recordProgress: () => {} };
  const source = await checkSource({ hubspot, ledger, context }, plan, 'start');
  const planned = toPlannedOrder(plan, source?.draft ?? null, config);
  const { warnings } = await findOrderWarnings({ ledger, prospecting: null }, planned, new Date());
  const problem =
    source === null || source.check.state === 'ok' ? [] : [`${source.check.check}: ${source.check.message}`];
  return [...problem, ...warnings];
}

function toPausedText(runName: string, note: string | undefined): string {
  const reason = note === undefined || note === '' ? '' : ` (${toPrintable(note)})`;
  return `Paused schedule: ${runName} is paused${reason}, and a trigger starts its run despite the pause. Each run places an order.`;
}

/** It never suggests `run NAME`, which orders again if the run has ended or is not listed yet. */
export function toTriggerText({ run, result, workflow_id, overlap, temporal_ui }: TriggerDocument): string {
  const follow = `prospect-sync status ${run}${temporal_ui === null ? '' : ` or ${temporal_ui}`}`;
  if (result === 'started') return `started ${workflow_id ?? run}. Follow it with: ${follow}`;
  return result === 'skipped'
    ? `not started: a run of ${run} is in progress, and the overlap setting is ${overlap}`
    : `${run} starts as soon as its overlap setting (${overlap}) allows. Check with: ${follow}`;
}

export function pause(terminal: Terminal, options: GlobalOptions, runName: string, note: string) {
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const { scheduleId } = await getManaged(client, { runName, queue });
    await client.schedule.getHandle(scheduleId).pause(note);
    return toPauseDocument(runName, true, note);
  });
}

export function resume(terminal: Terminal, options: GlobalOptions, runName: string, note: string) {
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const { scheduleId } = await getManaged(client, { runName, queue });
    await client.schedule.getHandle(scheduleId).unpause(note);
    return toPauseDocument(runName, false, note);
  });
}

export function remove(terminal: Terminal, options: GlobalOptions, runName: string) {
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const { scheduleId, state } = await getManaged(client, { runName, queue });
    await client.schedule.getHandle(scheduleId).delete();
    return toDeletedScheduleDocument(runName, state.paused ? (state.note ?? '') : null);
  });
}

export function toDeletedText({ run, paused }: ReturnType<typeof toDeletedScheduleDocument>): string {
  const remedy = 'unless you remove it from the configuration';
  if (paused === null) return `the schedule of ${run} is deleted. prospect-sync apply creates it again ${remedy}`;
  const note = paused === '' ? '' : ` (${toPrintable(paused)})`;
  return `the schedule of ${run} is deleted. It was paused${note}, and the pause ends with it: prospect-sync apply creates it again, active, ${remedy}`;
}

export interface BackfillFlags extends ConfirmationFlags {
  readonly from: string;
  readonly to: string;
  /** Whether times that have already started are included. */
  readonly again: boolean;
  /** Whether runs may start although the schedule is paused. */
  readonly paused: boolean;
  /** Shows what would be started, and starts nothing. */
  readonly dryRun: boolean;
}

export async function backfill(
  terminal: Terminal,
  options: GlobalOptions,
  runName: string,
  flags: BackfillFlags,
): Promise<BackfillDocument> {
  const [from, to, now] = [readTime('--from', flags.from), readTime('--to', flags.to), new Date()];
  if (from > to) throw new CommandError('--from is later than --to', exitCodes.usage);
  if (to > now) throw new CommandError('--to is in the future: only past times can be backfilled', exitCodes.usage);
  const config = await readConfiguration(options.config, terminal.env);
  const run = findRun(config, runName);
  const companiesPerStart = run.briefingQuantity;
  const request = { from, to, which: flags.again ? 'all' : 'open', evenPaused: flags.paused, now } as const;
  return withTemporal(terminal, options, async (session) => {
    const { client, queue } = session;
    assertNoDrift(config, runName, await getManaged(client, { runName, queue }));
    const plan = await planBackfill(client, { runName, queue }, request);
    const document = toBackfillDocument(runName, { plan, companiesPerStart, isDryRun: flags.dryRun });
    const { length: count } = plan.started;
    if (flags.dryRun || count === 0) return document;
    await assertSameRuns(session, config);
    await confirmWarnings(
      terminal,
      { ...options, yes: flags.yes },
      {
        warnings: [`Backfill: ${toOrdersText(runName, plan, companiesPerStart)}`],
        question: `Start ${runName} ${count === 1 ? 'once' : `${count.toLocaleString('en')} times`}?`,
        declined: `the backfill of ${runName} was not confirmed`,
      },
    );
    await plan.start();
    await warnWithoutWorker(terminal, session, `runs of ${runName} wait`);
    return document;
  });
}

/** The workers may have another configuration than this file. */
function toOrdersText(
  runName: string,
  { started, repeated, isPaused }: BackfillPlan,
  companiesPerStart: number | null,
): string {
  const count = started.length;
  const [first, last] = [started[0]?.toISOString() ?? '', started.at(-1)?.toISOString() ?? ''];
  const period = count === 1 ? `at ${first}` : `from ${first} to ${last}, one after another`;
  return [
    `${toStarts(count)} of ${runName} ${period}. ${toCompaniesText(count, companiesPerStart)}`,
    ...(repeated === 0 ? [] : [`Of these, ${toStarts(repeated)} happened before and ordered already.`]),
    ...(isPaused ? ['The schedule is paused, and they start despite the pause.'] : []),
    'To see each time, add --dry-run.',
  ].join(' ');
}

function toStarts(count: number): string {
  return count === 1 ? '1 start' : `${count.toLocaleString('en')} starts`;
}

function toCompaniesText(starts: number, perStart: number | null): string {
  if (perStart === null) return 'Each start buys the rows of its source.';
  const total = starts === 1 ? '' : `, ${(starts * perStart).toLocaleString('en')} in total`;
  return `Each start buys ${perStart.toLocaleString('en')} ${perStart === 1 ? 'company' : 'companies'}${total}.`;
}

export function toBackfillText({ run, times, left_out: leftOut, ...document }: BackfillDocument): string {
  const isDryRun = document.dry_run;
  return [
    ...(isDryRun ? [`dry run of the backfill of ${run}: nothing was started; a backfill would do this`] : []),
    toBackfillTitle(run, times.length),
    ...times.map((time) => `  ${time}`),
    ...(isDryRun && times.length > 0 ? [toCompaniesText(times.length, document.companies_per_start)] : []),
    ...(leftOut.length === 0
      ? []
      : [`${leftOut.length} left out because they have already started (--again orders them again):`]),
    ...leftOut.map((time) => `  ${time}`),
  ].join('\n');
}

function toBackfillTitle(run: string, count: number): string {
  if (count === 0) return `no start of ${run}`;
  return count === 1 ? `1 start of ${run}:` : `${count} starts of ${run}, one after another:`;
}

function readTime(option: string, text: string): Date {
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return new Date(text);
  throw new CommandError(`${option} must be a time with its offset, such as 2026-11-01T00:00:00Z`, exitCodes.usage);
}
