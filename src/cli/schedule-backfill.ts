/** Starts the run of a managed schedule for past times. */
import { z } from 'zod';
import { toBackfillDocument, type BackfillDocument } from './documents/schedule-document.ts';
import { planBackfill, type BackfillPlan } from '../temporal/schedules/backfill-schedule.ts';
import { assertNoDrift } from '../temporal/schedules/plan-schedules.ts';
import { describeMissingDay } from '../base/text/missing-day.ts';
import { findRun, readConfiguration, type GlobalOptions } from './configuration.ts';
import { assertSameRuns, withSchedule } from './managed-schedule.ts';
import { CommandError, confirmWarnings, exitCodes, type ConfirmationFlags, type Terminal } from './terminal.ts';
import { warnWithoutWorker } from './with-runtime.ts';

export interface BackfillFlags extends ConfirmationFlags {
  readonly from: string;
  readonly to: string;
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
  const request = { from, to, evenPaused: flags.paused, now };
  return withSchedule(terminal, options, runName, async ({ session, description, ledger, warnOfOther }) => {
    const { client, queue } = session;
    assertNoDrift(config, runName, description);
    const plan = await planBackfill(client, { runName, queue }, request);
    const document = toBackfillDocument(runName, { plan, companiesPerStart, isDryRun: flags.dryRun });
    const { length: count } = plan.started;
    if (flags.dryRun || count === 0) return document;
    await assertSameRuns(session, { config, ledger });
    await confirmWarnings(
      terminal,
      { ...options, yes: flags.yes },
      {
        warnings: [...warnOfOther('starts its runs'), `Backfill: ${toOrdersText(runName, plan, companiesPerStart)}`],
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
function toOrdersText(runName: string, { started, isPaused }: BackfillPlan, companiesPerStart: number | null): string {
  const count = started.length;
  const [first, last] = [started[0]?.toISOString() ?? '', started.at(-1)?.toISOString() ?? ''];
  const period = count === 1 ? `at ${first}` : `from ${first} to ${last}, one after another`;
  return [
    `${toStarts(count)} of ${runName} ${period}. ${toCompaniesText(count, companiesPerStart)}`,
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
      : [
          `${leftOut.length} left out because they have already started (to order once more: prospect-sync schedule trigger ${run}):`,
        ]),
    ...leftOut.map((time) => `  ${time}`),
  ].join('\n');
}

function toBackfillTitle(run: string, count: number): string {
  if (count === 0) return `no start of ${run}`;
  return count === 1 ? `1 start of ${run}:` : `${count} starts of ${run}, one after another:`;
}

function readTime(option: string, text: string): Date {
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return new Date(text);
  throw new CommandError(
    `${option} must be a time with its offset, such as 2026-11-01T00:00:00Z${describeMissingDay(text)}`,
    exitCodes.usage,
  );
}
