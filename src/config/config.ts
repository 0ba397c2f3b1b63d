/** Converts the file to the configuration that the program uses. */
import type { Environment } from '../base/host/environment-variables.ts';
import { dirname, resolve } from 'node:path';
import { toCertificates } from './certificate-settings.ts';
import { toConsole } from './console-settings.ts';
import { contactsSchema } from './contact-settings.ts';
import type { CutText } from './cut-texts.ts';
import { toExclusion } from './exclusion-settings.ts';
import type { ConfigFile } from './file-schema.ts';
import { toHubSpot } from './hubspot-settings.ts';
import { toLedger } from './ledger-settings.ts';
import { mappingSchema } from './mapping-settings.ts';
import { childOf } from './partial-validation.ts';
import { pollingSchema } from './polling-settings.ts';
import { toReplies, toWebhookEndpoint } from './reply-settings.ts';
import { toRun } from './run-settings.ts';
import { toService } from './service-settings.ts';
import { toTemporal } from './temporal-settings.ts';
import { digest } from '../base/json/canonical-json.ts';
import { toBaseUrl } from './setting-values.ts';
import { getOwnProperty } from '../base/json/own-property.ts';

/** The resolved configuration: with defaults, absolute paths, durations in milliseconds, and the values of secrets. */
export type Config = Readonly<ReturnType<typeof toConfig>>;

interface ConfigSource {
  readonly env: Environment;
  /** Path of the file: relative paths in it start at its folder. */
  readonly path: string;
  /** The valid content of the file, as it was before the schemas converted it. */
  readonly written: unknown;
  readonly cutTexts: readonly CutText[];
}

export function toConfig(file: ConfigFile, { env, path, written, cutTexts }: ConfigSource) {
  const toPath = (relative: string) => resolve(dirname(path), relative);
  const { retention, polling, limits, mapping, contacts } = file;
  return {
    /** Absolute path of the file. */
    file: resolve(path),
    service: toService(file.service, env),
    hubspot: toHubSpot(file.hubspot, env),
    ledger: toLedger(file.ledger, env),
    certificates: toCertificates(file.certificates, env, toPath),
    retention,
    temporal: toTemporal(file.temporal, env),
    polling,
    limits,
    mapping,
    contacts,
    cutTexts,
    exclusions: mapValues(file.exclusions, (exclusion) => toExclusion(exclusion, toPath)),
    replies: toReplies(file.replies, env, toPath),
    orderStatus: toWebhookEndpoint(file.order_status, env, toPath),
    console: toConsole(file.console, env),
    runs: mapValues(file.runs, (run, runName) =>
      toRun(run, {
        runName,
        digest: runDigest(file, run, { env, written }),
        namesExclusions: childOf(childOf(childOf(written, 'runs'), runName), 'exclusions') !== undefined,
        env,
        toPath,
      }),
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
function runDigest(
  file: ConfigFile,
  { schedule: _, ...run }: ConfigFile['runs'][string],
  { env, written }: Pick<ConfigSource, 'env' | 'written'>,
): string {
  const { allow_http: _plain, blacklists_matched: _matched, ...service } = file.service;
  const { allow_http: _plainToo, ...hubspot } = file.hubspot;
  return digest({
    run,
    exclusions: run.exclusions.map((name) => [name, getOwnProperty(file.exclusions, name)]),
    crm: run.crm
      ? {
          mapping: mappingSchema.in.parse(childOf(written, 'mapping')),
          contacts: contactsSchema.in.parse(childOf(written, 'contacts')),
        }
      : null,
    service: { ...service, base_url: toBaseUrl(file.service.base_url, env) },
    hubspot: { ...hubspot, base_url: toBaseUrl(file.hubspot.base_url, env) },
    polling: pollingSchema.in.parse(childOf(written, 'polling')),
  }).slice(0, 12);
}
