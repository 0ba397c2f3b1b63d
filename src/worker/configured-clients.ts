/** Creates the clients and the ledger that a configuration describes. */
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
import { awaitDatabase } from './await-database.ts';
import { watchFetch, type CallWatcher, type System } from './telemetry/calls.ts';
import { toFailure } from './to-failure.ts';

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
export async function openConfiguredLedger({ ledger }: Config, dataDir: string, log: Log): Promise<Ledger> {
  if (ledger.databaseUrl === null) return openLedger({ dataDir });
  const databaseUrl = ledger.databaseUrl.reveal();
  return awaitDatabase(() => openLedger({ databaseUrl }), { log });
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
