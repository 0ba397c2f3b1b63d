/** Converts the file to the configuration that the program uses. */
import type { Environment } from '../base/host/environment-variables.ts';
import { dirname, resolve } from 'node:path';
import type { CrmMapping } from '../delivery/mapping/crm-plan.ts';
import type { ContactPolicy } from '../delivery/mapping/contact-policy.ts';
import { toCertificates, type CertificatesConfig } from './certificate-settings.ts';
import { toContactPolicy } from './contact-settings.ts';

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
import { digest } from '../base/json/canonical-json.ts';
import { toBaseUrl } from './setting-values.ts';
import { getOwnProperty } from '../base/json/own-property.ts';

/** The resolved configuration: with defaults, absolute paths, durations in milliseconds, and the values of secrets. */
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
 * `allow_http` does not count, since the address shows whether plain http is used, and neither do settings that change no order.
 */
function runDigest(file: ConfigFile, { schedule: _, ...run }: ConfigFile['runs'][string], env: Environment): string {
  const { allow_http: _plain, blacklists_matched: _matched, ...service } = file.service;
  const { allow_http: _plainToo, ...hubspot } = file.hubspot;
  return digest({
    run,
    exclusions: run.exclusions.map((name) => [name, getOwnProperty(file.exclusions, name)]),
    crm: run.crm ? { mapping: file.mapping, contacts: file.contacts } : null,
    service: { ...service, base_url: toBaseUrl(file.service.base_url, env) },
    hubspot: { ...hubspot, base_url: toBaseUrl(file.hubspot.base_url, env) },
    polling: file.polling,
  }).slice(0, 12);
}
