/** One schedule in Temporal, and what the ledger knows of it. */
import type { ScheduleDescription } from '@temporalio/client';
import type { Config } from '../config/config.ts';
import { toInstallationName } from '../config/blacklist-settings.ts';
import type { SchedulePlace } from '../ledger/applied-schedules.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ofOtherInstallation } from '../base/failures/own-failures.ts';
import { findOtherInstallation } from '../temporal/schedules/comparable-settings.ts';
import { getManaged, type MissingSchedule } from '../temporal/schedules/managed-schedules.ts';
import { planSchedules, toOtherText, type PlannedSchedule } from '../temporal/schedules/plan-schedules.ts';
import { assertOwnWorkers, findWorkersOfOtherRuns, listLiveWorkers } from '../worker/embedded-worker.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import type { TemporalSession } from '../worker/temporal-session.ts';
import { readConfigurationIfValid, type GlobalOptions } from './configuration.ts';
import { openLedgerIfPossible } from './data-folder.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { withTemporal } from './with-runtime.ts';

export interface OpenSchedule {
  readonly session: TemporalSession;
  readonly description: ScheduleDescription;
  /** null: it has problems. */
  readonly config: Config | null;
  /** null: there is none, or it cannot be opened. */
  readonly ledger: Ledger | null;
  /** Another installation that applied the schedule, or `unreadable`; null: this one did. */
  readonly other: string | null;
  /** Empty unless another installation applied it. `effect`: what the command does, such as `pauses it`. */
  readonly warnOfOther: (effect: string) => string[];
}

/** Runs `work` with a managed schedule. Without a ledger, it counts as that of another installation. @throws {ScheduleError} if there is none */
export function withSchedule<T>(
  terminal: Terminal,
  options: GlobalOptions,
  runName: string,
  work: (open: OpenSchedule) => Promise<T>,
): Promise<T> {
  return withTemporal(terminal, options, async (session) => {
    const config = await readConfigurationIfValid(terminal, options);
    await using cleanup = new AsyncDisposableStack();
    const ledger = cleanup.adopt(await openLedgerIfPossible(terminal, config, options), (opened) => opened?.close());
    const missing = await findMissing({ session, config, ledger }, runName);
    const description = await getManaged(session.client, { runName, queue: session.queue }, missing);
    const own = installationOf(ledger);
    const other = findOtherInstallation(description, own);
    const warnOfOther = (effect: string) =>
      other === null ? [] : [toPrintable(`${toOtherText(runName, other)}; this one is ${own}. The command ${effect}`)];
    // Awaited, since the ledger closes on return.
    return await work({ session, description, config, ledger, other, warnOfOther });
  });
}

/** What it means if Temporal does not have the schedule. A run without a schedule in the configuration is to get one first. */
async function findMissing(
  { session, config, ledger }: Pick<OpenSchedule, 'session' | 'config' | 'ledger'>,
  runName: string,
): Promise<MissingSchedule> {
  const isConfigured = config !== null && getOwnProperty(config.runs, runName)?.schedule != null;
  if (config !== null && !isConfigured) return 'unknown';
  if ((await ledger?.appliedSchedules.list(placeOf(session)))?.has(runName) === true) return 'deleted';
  return isConfigured ? 'not applied' : 'unknown';
}

/** The name of this installation in schedules; `not known yet` without a ledger. */
export function installationOf(ledger: Ledger | null): string {
  return ledger === null ? 'not known yet' : toInstallationName(ledger.installation);
}

/** Changes nothing. Without a ledger, every schedule is that of another installation. */
export async function planConfigured(
  session: TemporalSession,
  config: Config,
  ledger: Ledger | null,
): Promise<PlannedSchedule[]> {
  const owner = { queue: session.queue, installation: installationOf(ledger) };
  return planSchedules(session.client, config, owner, await ledger?.appliedSchedules.list(placeOf(session)));
}

/** Where the ledger keeps the schedules of a session. */
export function placeOf({ client, queue }: Pick<TemporalSession, 'client' | 'queue'>): SchedulePlace {
  return { namespace: client.options.namespace, queue };
}

/**
 * What a command announces is what its file says.
 * @throws {ExplainedError} for a worker that has read another version of the runs, or has another ledger
 */
export async function assertSameRuns(
  session: TemporalSession,
  { config, ledger }: { readonly config: Config | null; readonly ledger: Ledger | null },
): Promise<void> {
  const workers = await listLiveWorkers(session);
  if (ledger !== null) assertOwnWorkers(workers, session, ledger);
  if (config === null) return;
  const [worker] = findWorkersOfOtherRuns(workers, config);
  if (worker === undefined) return;
  throw new CommandError(
    `Worker ${worker} has read another version of the runs than this file has, and would order what its version says: nothing was started. Restart it with this file; a worker that ended on another computer is listed for a minute. ${ofOtherInstallation}`,
  );
}
