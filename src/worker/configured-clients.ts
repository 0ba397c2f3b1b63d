/** Creates the clients and the ledger that a configuration describes. */
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import type { Config } from '../config/config.ts';
import type { HubSpotConfig } from '../config/hubspot-settings.ts';
import { toWorkerConfiguration } from '../config/run-plan.ts';
import { createPublicFetch } from '../base/http/public-fetch.ts';
import { createHubSpotClient, type HubSpotClient } from '../hubspot/hubspot-client.ts';
import { describePostgres } from '../ledger/postgres.ts';
import { openLedger, type Ledger } from '../ledger/ledger.ts';
import { ledgerFile } from '../ledger/sqlite.ts';
import { createProspectingClient, type ProspectingClient } from '../service/client/prospecting-client.ts';
import type { Log } from '../base/logs.ts';
import { watchFetch, type CallWatcher, type System } from './telemetry/calls.ts';
import { toFailure } from './to-failure.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '../ledger/ledger-error.ts';
import { withoutFullStop } from '../base/text/normalize-text.ts';

/** The clients of the service and of HubSpot. */
export interface SystemClients {
  readonly prospecting: ProspectingClient;
  readonly hubspot: HubSpotClient;
}

/** `watchers` are notified of each call. */
export function createSystems(config: Config, watchers: readonly CallWatcher[] = []): SystemClients {
  return {
    prospecting: createConfiguredProspecting(config, watchers),
    hubspot: createConfiguredHubSpot(config.hubspot, watchers),
  };
}

export function createConfiguredHubSpot(
  { token, portal, timeoutMilliseconds, ...hubspot }: HubSpotConfig,
  watchers: readonly CallWatcher[] = [],
): HubSpotClient {
  return createHubSpotClient({
    ...hubspot,
    token: token.reveal(),
    portal: { id: portal.id ?? undefined, type: portal.type ?? undefined },
    timeoutSeconds: timeoutMilliseconds / 1_000,
    ...toWatchedFetch('hubspot', watchers),
  });
}

export function createConfiguredProspecting(
  { service }: Config,
  watchers: readonly CallWatcher[] = [],
): ProspectingClient {
  return createProspectingClient({
    baseUrl: service.baseUrl,
    apiKey: () => service.apiKey.reveal(),
    timeoutMs: service.timeoutMilliseconds,
    resultsItems: service.resultsItems,
    requests: service.requests,
    orderIdPath: service.fields.order.order_id,
    ...toWatchedFetch('service', watchers),
    fetchFile: watchFetch('service', createPublicFetch(), watchers),
  });
}

function toWatchedFetch(system: System, watchers: readonly CallWatcher[]) {
  return watchers.length === 0 ? {} : { fetch: watchFetch(system, fetch, watchers) };
}

/**
 * The clients, of which that of HubSpot refuses every other portal than that of the ledger: the ledger's record ids mean nothing there.
 * `systems` stay as they are while nothing was written to HubSpot, or where the configuration names a portal.
 */
export async function bindToPortal(
  config: Config,
  ledger: Pick<Ledger, 'portal'>,
  systems: SystemClients,
  watchers: readonly CallWatcher[] = [],
): Promise<SystemClients> {
  const { portal } = config.hubspot;
  const bound = portal.id === null ? await ledger.portal.get() : null;
  if (bound === null) return systems;
  return {
    ...systems,
    hubspot: createConfiguredHubSpot({ ...config.hubspot, portal: { ...portal, id: bound } }, watchers),
  };
}

/** Dependencies of the activities of a worker. */
export function createDependencies(
  config: Config,
  ledger: Ledger,
  systems = createSystems(config),
): ActivityDependencies {
  return {
    ...systems,
    ledger,
    now: () => new Date(),
    configuration: toWorkerConfiguration(config),
    fields: config.service.fields,
    toFailure,
  };
}

/** Waits for a PostgreSQL that refuses connections. @throws {LedgerError} */
export async function openConfiguredLedger({ ledger, file }: Config, dataDir: string, log: Log): Promise<Ledger> {
  const projectFolder = await findProjectFolder(file);
  if (ledger.databaseUrl === null) return openLedger({ dataDir, projectFolder });
  const databaseUrl = ledger.databaseUrl.reveal();
  return awaitDatabase(() => openLedger({ databaseUrl, projectFolder }), { log });
}

/** null for a link to a configuration in another folder, whose ledger it shares: its files are not in the folder of that configuration. */
async function findProjectFolder(file: string): Promise<string | null> {
  const folder = dirname(file);
  return realpath(file)
    .then(async (real) => (dirname(real) === (await realpath(folder)) ? folder : null))
    .catch(() => null);
}

/**
 * The path of the file, or the database as PostgreSQL names it, without credentials. Nothing is opened or changed, but a
 * configured PostgreSQL has accepted the connection; waits for one that refuses it.
 * @throws {LedgerError}
 */
export async function describeConfiguredLedger({ ledger }: Config, dataDir: string, log: Log): Promise<string> {
  if (ledger.databaseUrl === null) return ledgerFile(dataDir);
  const databaseUrl = ledger.databaseUrl.reveal();
  return awaitDatabase(() => describePostgres({ databaseUrl }), { log });
}

interface DatabaseWait {
  readonly log: Log;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

const waitSeconds = 60;
/** Shorter waits are not worth a line. */
const silentSeconds = 3;

/** Nothing listens on the port or socket (ENOENT), or the server starts, stops (57), or has no connection left (53). */
const refusals = /^(?:ECONNREFUSED|ENOENT|57P0[1-3]|53[023]00)$/;

/** Repeats `connect` each second for up to a minute while PostgreSQL refuses connections. Ctrl-C ends the process. @throws {LedgerError} */
export async function awaitDatabase<T>(connect: () => Promise<T>, { log, pause = sleep }: DatabaseWait): Promise<T> {
  for (let waited = 0; ; waited += 1) {
    try {
      return await connect();
    } catch (error) {
      if (!(error instanceof LedgerError) || error.reason !== 'unreachable' || !refusals.test(error.code ?? ''))
        throw error;
      const message = withoutFullStop(error.message);
      if (waited === waitSeconds)
        throw new LedgerError('unreachable', `${message}. Waited ${waitSeconds} s for it`, error.code);
      if (waited === silentSeconds) log(`Waiting for the ledger for up to ${waitSeconds} s: ${message}.`, 'warn');
    }
    await pause(1_000);
  }
}
