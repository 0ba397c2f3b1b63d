import type { Config } from '../config/config.ts';
import { findUnseenPaths } from '../delivery/mapping/unseen-paths.ts';
import { pathsOf } from '../delivery/mapping/written-content.ts';
import { checkLimits, checkVersions, type Check } from '../hubspot/portal-checks.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { serviceScope } from '../ledger/shape-store.ts';
import type { ProspectingClient } from '../service/client/prospecting-client.ts';
import { listDrift, listUnsavedDrift, saveAnswerShapes, toDriftText } from '../proof/report/service-drift.ts';
import type { AnswerDrift } from '../service/reading/find-drift.ts';
import { createConfiguredHubSpot, createConfiguredProspecting } from '../worker/configured-clients.ts';
import { findWorkersOfOtherRuns, isWithoutWorker, listLiveWorkers } from '../worker/embedded-worker.ts';
import type { TemporalSession } from '../worker/temporal-session.ts';
import { ScheduleError, toScheduleError } from '../temporal/schedules/schedule-errors.ts';
import { TemporalUnavailableError } from '../temporal/temporal-unavailable-error.ts';
import { toDiagnosis, type Diagnosis } from './documents/installation-document.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { findServiceProblem, createWaitOutRefusals } from './connections.ts';
import { openExistingLedger } from './data-folder.ts';
import { exitCodes, signalOf, type ExitCode, type Terminal } from './terminal.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { ofOtherInstallation } from '../base/failures/own-failures.ts';
import { withoutDoctor } from '../base/failures/remedies-in-commands.ts';
import { checkBlacklists } from './preflight/blacklist-checks.ts';
import { preflight } from './preflight/preflight.ts';
import { planConfigured } from './managed-schedule.ts';
import { checkPlanned } from './schedule-list.ts';
import { withRunningTemporal } from './with-runtime.ts';

export interface DoctorFlags {
  /** Lists how the answers of the service differ from the specification. */
  readonly drift: boolean;
}

/** Checks what every configured run would use. It changes nothing. */
export async function doctor(terminal: Terminal, options: GlobalOptions, flags: DoctorFlags): Promise<Diagnosis> {
  const config = await readConfiguration(options.config, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  // The check must not create a ledger.
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const prospecting = createConfiguredProspecting(config);
  // Without the daily reserve: when only the reserve is left, the few calls of this check report it instead of waiting.
  const budget = { ...config.hubspot.budget, dailyReservePercent: 0 };
  const hubspot = createConfiguredHubSpot({ ...config.hubspot, budget });
  const problem = await findServiceProblem(config, prospecting, createWaitOutRefusals(terminal));
  const service: Check =
    problem === null
      ? { check: 'prospecting service', state: 'ok', message: `available at ${config.service.baseUrl}` }
      : { check: 'prospecting service', state: 'problem', message: problem };
  const signal = signalOf(terminal);
  const context = { signal, recordProgress: () => {} };
  const { checks } = await preflight(config, null, { prospecting, hubspot, ledger }, { context, depth: 'check' });
  const canList = problem === null && Object.keys(config.exclusions).length > 0;
  const all = [
    service,
    await checkServiceFields(config, ledger),
    ...checks,
    ...(canList ? await checkBlacklists(config, { prospecting, ledger }, signal) : []),
    ...(await checkScheduling(terminal, config, options, ledger)),
    ...checkEncryption(config),
    ...checkLimits(hubspot.limits(), config.hubspot.budget),
    ...checkVersions({ versions: config.hubspot.versions, now: new Date() }),
  ];
  const shown = all.map((each) => ({ ...each, message: withoutDoctor(each.message) }));
  return toDiagnosis(shown, flags.drift ? await readDrift(ledger, prospecting) : null);
}

/** The worker and the schedules in Temporal; empty unless a run has a schedule. Where no Temporal runs, no worker does. */
async function checkScheduling(
  terminal: Terminal,
  config: Config,
  options: GlobalOptions,
  ledger: Ledger | null,
): Promise<Check[]> {
  const { runs } = config;
  const check = 'worker';
  const scheduled = Object.entries(runs).flatMap(([name, { schedule }]) => (schedule === null ? [] : [name]));
  if (scheduled.length === 0) return [];
  try {
    const found = await withRunningTemporal(terminal, options, async (session) => ({
      others: (await isWithoutWorker(session)) ? null : findWorkersOfOtherRuns(await listLiveWorkers(session), config),
      schedules: [await checkSchedules(session, config, ledger)],
    }));
    const { others, schedules } = found ?? { others: null, schedules: [] };
    if (others?.length === 0)
      return [{ check, state: 'ok', message: `one runs, for the schedules of ${scheduled.join(', ')}` }, ...schedules];
    const message =
      others === null
        ? `none runs: the starts of the schedules of ${scheduled.join(', ')} wait until one does. Start it with: prospect-sync worker`
        : `${others.join(', ')} has read another version of the runs than this file has, and orders what its version says. Restart it with this file. ${ofOtherInstallation}`;
    return [{ check, state: 'warning', message }, ...schedules];
  } catch (error) {
    if (!(error instanceof TemporalUnavailableError)) throw error;
    return [{ check, state: 'problem', message: error.message }];
  }
}

async function checkSchedules(session: TemporalSession, config: Config, ledger: Ledger | null): Promise<Check> {
  try {
    return checkPlanned(await planConfigured(session, config, ledger));
  } catch (error) {
    const known = toScheduleError(error);
    if (!(known instanceof ScheduleError)) throw error;
    return { check: 'schedules', state: 'problem', message: known.message };
  }
}

/** Includes what the answers of this check have shown. */
async function readDrift(ledger: Ledger | null, prospecting: ProspectingClient): Promise<AnswerDrift[]> {
  await prospecting.recordContractVersion();
  if (ledger === null) return listUnsavedDrift(prospecting);
  await saveAnswerShapes(ledger, prospecting);
  return listDrift(ledger, prospecting.baseUrl);
}

/** The fields of the results that prospect-sync has learned. */
async function checkServiceFields(config: Config, ledger: Ledger | null): Promise<Check> {
  const check = 'service fields';
  const { baseUrl, requests } = config.service;
  const unknown = 'nothing learned about this service yet; the first collected order is analysed';
  const results = (await ledger?.shapes.results(serviceScope(baseUrl))) ?? null;
  if (results === null) return { check, state: 'ok', message: unknown };
  const { company, prospect } = results.shape;
  const places = [
    ['people', company.prospects],
    ['company name', company.name],
    ['domain', company.domain],
    ['email', prospect.email],
  ] as const;
  const message = places.map(([name, reading]) => `${name} in ${reading?.path ?? 'no field'}`).join(', ');
  const reference = requests.profile_reference;
  const unseen = findUnseenPaths(listMappedPaths(config), results);
  if (unseen.length > 0)
    return {
      check,
      state: 'warning',
      message: `no result of the last order has a field that the mapping or a column reads: ${unseen.join('; ')}. Correct the path, or it stays empty`,
    };
  return {
    check,
    state: 'ok',
    message: `${message}; orders name the profile as ${reference}. Details: prospect-sync service show`,
  };
}

function listMappedPaths({ mapping, runs }: Config): string[] {
  const { companies, contacts } = mapping;
  return [
    ...[...Object.values(companies), ...Object.values(contacts)].flatMap(pathsOf),
    ...Object.values(runs).flatMap(({ spreadsheets }) => Object.values(spreadsheets.columns)),
  ];
}

/** Empty without encryption. */
function checkEncryption({ temporal: { encryption } }: Config): Check[] {
  if (encryption === null) return [];
  const check = 'encryption';
  const key = `payloads in Temporal are encrypted with key ${encryption.key.id}`;
  if (!encryption.acceptPlain) return [{ check, state: 'ok', message: `${key}; unencrypted payloads are rejected` }];
  const risk = 'anyone who may start workflows in the namespace can do so without a key';
  const message = `temporal.encryption.accept_plain is true: ${risk}. Set it to false when the runs that were started before encryption have ended`;
  return [{ check, state: 'warning', message }];
}

export function toDoctorText({ checks, drift }: Diagnosis): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const counted = (wanted: Check['state']) => {
    const count = checks.filter(({ state }) => state === wanted).length;
    return `${count} ${wanted}${count === 1 ? '' : 's'}`;
  };
  return [
    ...checks.map(
      ({ check, state, message }) =>
        `${check.padEnd(width)}  ${state.padEnd('warning'.length)}  ${toPrintable(message)}`,
    ),
    '',
    `${counted('problem')}, ${counted('warning')}`,
    ...(drift === undefined ? [] : ['', toDriftText(drift)]),
  ].join('\n');
}

export function doctorExitCode({ ok }: Diagnosis): ExitCode {
  return ok ? exitCodes.done : exitCodes.failed;
}
