/** The configuration that the program uses. */
import { dirname, resolve } from 'node:path';
import type { ContactPolicy, CrmMapping } from '../mapping/crm-plan.ts';
import { toContactPolicy } from './contact-settings.ts';
import type { Environment } from './environment.ts';
import { toExclusion, type ExclusionsConfig } from './exclusion-settings.ts';
import { toHubSpot, type HubSpotConfig } from './hubspot-settings.ts';
import { toLedger, type LedgerConfig } from './ledger-settings.ts';
import { toLimits, type LimitsConfig } from './limit-settings.ts';
import { toMapping } from './mapping-settings.ts';
import { toPolling, type PollingConfig } from './polling-settings.ts';
import type { ConfigFile } from './file-schema.ts';
import { runDigest } from './run-digest.ts';
import { toRun, type RunConfig } from './run-settings.ts';
import { toService, type ServiceConfig } from './service-settings.ts';
import { toTemporal, type TemporalConfig } from './temporal-settings.ts';

/** What the program uses: with defaults, absolute paths, durations in milliseconds, and the values of secrets. */
export interface Config {
  readonly service: ServiceConfig;
  readonly hubspot: HubSpotConfig;
  readonly ledger: LedgerConfig;
  readonly temporal: TemporalConfig;
  readonly polling: PollingConfig;
  readonly limits: LimitsConfig;
  readonly mapping: CrmMapping;
  readonly contacts: ContactPolicy;
  readonly exclusions: Readonly<Record<string, ExclusionsConfig>>;
  readonly runs: Readonly<Record<string, RunConfig>>;
}

/** `path` is the path of the file: relative paths in it start at its folder. */
export function toConfig(file: ConfigFile, { env, path }: { env: Environment; path: string }): Config {
  const toPath = (relative: string) => resolve(dirname(path), relative);
  return {
    service: toService(file.service, env),
    hubspot: toHubSpot(file.hubspot, env),
    ledger: toLedger(file.ledger, env),
    temporal: toTemporal(file.temporal, env),
    polling: toPolling(file.polling),
    limits: toLimits(file.limits),
    mapping: toMapping(file.mapping),
    contacts: toContactPolicy(file.contacts),
    exclusions: mapValues(file.exclusions, (exclusion) => toExclusion(exclusion, toPath)),
    runs: mapValues(file.runs, (run, runName) => toRun(run, { runName, digest: runDigest(file, run, env), toPath })),
  };
}

function mapValues<V, W>(record: Record<string, V>, map: (value: V, key: string) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
