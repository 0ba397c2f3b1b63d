/** Converts the file to the configuration that the program uses. */
import { dirname, resolve } from 'node:path';
import type { CrmMapping } from '../mapping/crm-plan.ts';
import type { ContactPolicy } from '../mapping/contact-policy.ts';
import { toCertificates, type CertificatesConfig } from './certificate-settings.ts';
import { toContactPolicy } from './contact-settings.ts';
import type { Environment } from './environment.ts';
import { toExclusion, type ExclusionsConfig } from './exclusion-settings.ts';
import { toHubSpot, type HubSpotConfig } from './hubspot-settings.ts';
import { toLedger, type LedgerConfig } from './ledger-settings.ts';
import { toLimits, type LimitsConfig } from './limit-settings.ts';
import { toMapping } from './mapping-settings.ts';
import { toPolling, type PollingConfig } from './polling-settings.ts';
import type { ConfigFile } from './file-schema.ts';
import { toReplies, toWebhookEndpoint, type RepliesConfig, type WebhookEndpointConfig } from './reply-settings.ts';
import { toRetention, type RetentionConfig } from './retention-settings.ts';
import { toRun, type RunConfig } from './run-settings.ts';
import { toService, type ServiceConfig } from './service-settings.ts';
import { toTemporal, type TemporalConfig } from './temporal-settings.ts';
import { defaultRequestSettings } from '../contract/request-settings.ts';
import { digest } from '../json/canonical-json.ts';
import { toBaseUrl } from './setting-values.ts';
import { getOwnProperty } from '../json/own-property.ts';

/** What the program uses: with defaults, absolute paths, durations in milliseconds, and the values of secrets. */
export interface Config {
  readonly service: ServiceConfig;
  readonly hubspot: HubSpotConfig;
  readonly ledger: LedgerConfig;
  readonly certificates: CertificatesConfig;
  readonly retention: RetentionConfig;
  readonly temporal: TemporalConfig;
  readonly polling: PollingConfig;
  readonly limits: LimitsConfig;
  readonly mapping: CrmMapping;
  readonly contacts: ContactPolicy;
  readonly exclusions: Readonly<Record<string, ExclusionsConfig>>;
  readonly replies: RepliesConfig;
  readonly orderStatus: WebhookEndpointConfig;
  readonly runs: Readonly<Record<string, RunConfig>>;
}

/** `path` is the path of the file: relative paths in it start at its folder. */
export function toConfig(file: ConfigFile, { env, path }: { env: Environment; path: string }): Config {
  const toPath = (relative: string) => resolve(dirname(path), relative);
  return {
    service: toService(file.service, env),
    hubspot: toHubSpot(file.hubspot, env),
    ledger: toLedger(file.ledger, env),
    certificates: toCertificates(file.certificates, env, toPath),
    retention: toRetention(file.retention),
    temporal: toTemporal(file.temporal, env),
    polling: toPolling(file.polling),
    limits: toLimits(file.limits),
    mapping: toMapping(file.mapping),
    contacts: toContactPolicy(file.contacts),
    exclusions: mapValues(file.exclusions, (exclusion) => toExclusion(exclusion, toPath)),
    replies: toReplies(file.replies, env, toPath),
    orderStatus: toWebhookEndpoint(file.order_status, env, toPath),
    runs: mapValues(file.runs, (run, runName) =>
      toRun(run, { runName, digest: runDigest(file, run, env), env, toPath }),
    ),
  };
}

function mapValues<V, W>(record: Record<string, V>, map: (value: V, key: string) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

/**
 * Twelve hex digits over the settings that a run depends on: its own, its exclusions, the service and HubSpot. Paths count
 * as written, secrets by the names of their variables, and addresses by their values: the digest is the same on every machine.
 */
function runDigest(file: ConfigFile, { schedule: _, ...run }: ConfigFile['runs'][string], env: Environment): string {
  return digest({
    run: toDigestedRun(run),
    exclusions: run.exclusions.map((name) => [name, getOwnProperty(file.exclusions, name)]),
    crm: run.crm ? { mapping: file.mapping, contacts: file.contacts } : null,
    service: { ...toDigestedService(file.service), base_url: toBaseUrl(file.service.base_url, env) },
    hubspot: { ...toDigestedHubSpot(file.hubspot), base_url: toBaseUrl(file.hubspot.base_url, env) },
    polling: file.polling,
  }).slice(0, 12);
}

/** Settings that were added later count only if they are set: schedules of earlier releases keep their digest. */
function toDigestedRun(run: Omit<ConfigFile['runs'][string], 'schedule'>) {
  const { columns, ...spreadsheets } = run.spreadsheets;
  const { exclusions, ...others } = run;
  return {
    ...others,
    ...(run.kind === 'enrichment' && exclusions.length === 0 ? {} : { exclusions }),
    spreadsheets: Object.keys(columns).length === 0 ? spreadsheets : run.spreadsheets,
  };
}

/** `allow_http` does not count, since the address shows whether plain http is used. */
function toDigestedHubSpot({ allow_http: _, ...hubspot }: ConfigFile['hubspot']) {
  return hubspot;
}

/** Without settings that change no order. */
function toDigestedService({
  allow_http: _,
  fields,
  requests,
  results_items: items = 'items',
  blacklists_matched: _matched,
  ...service
}: ConfigFile['service']) {
  const { company, prospect, order } = fields;
  const hasFields = [company, prospect, order].some((record) => Object.keys(record).length > 0);
  const hasRequests = digest(requests) !== digest(defaultRequestSettings);
  return { ...service, results_items: items, ...(hasFields ? { fields } : {}), ...(hasRequests ? { requests } : {}) };
}
