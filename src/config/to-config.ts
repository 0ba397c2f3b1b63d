import { dirname, resolve } from 'node:path';
import { toContactPolicy } from './contact-settings.ts';
import { toSecret, type Environment } from './environment.ts';
import { toExclusions } from './exclusion-settings.ts';
import type { ConfigFile } from './file-schema.ts';
import { toHubSpot } from './hubspot-settings.ts';
import { toMapping } from './mapping-settings.ts';
import { toServiceOutputs } from './service-output-settings.ts';
import { runDigest } from './run-digest.ts';
import { toSchedule } from './schedule-settings.ts';
import { toService } from './service-settings.ts';
import { toTemporal } from './temporal-settings.ts';
import type { CompaniesSource, Config, RunConfig } from './config.ts';

type FileRun = ConfigFile['runs'][string];
type ToPath = (path: string) => string;

/** Turns a file whose references have been checked into what the program runs on. */
export function toConfig(file: ConfigFile, source: { env: Environment; file: string }): Config {
  const toPath = (path: string) => resolve(dirname(source.file), path);
  return {
    service: toService(file.service, source.env),
    hubspot: toHubSpot(file.hubspot, source.env),
    ledger: { databaseUrl: file.ledger.database_url ? toSecret(file.ledger.database_url, source.env) : null },
    temporal: toTemporal(file.temporal, source.env),
    polling: {
      profileMilliseconds: file.polling.profile,
      orderFirstMilliseconds: file.polling.order_first,
      orderMaxMilliseconds: file.polling.order_max,
      outputFirstMilliseconds: file.polling.output_first,
      outputMaxMilliseconds: file.polling.output_max,
      outputGiveUpMilliseconds: file.polling.output_give_up,
    },
    limits: { maxBriefingsPerRun: file.limits.max_briefings_per_run },
    mapping: toMapping(file.mapping),
    contacts: toContactPolicy(file.contacts),
    exclusions: mapValues(file.exclusions, (exclusions) => toExclusions(exclusions, toPath)),
    runs: mapValues(file.runs, (run, name) => toRun(file, run, name, { toPath, env: source.env })),
  };
}

function toRun(
  file: ConfigFile,
  run: FileRun,
  name: string,
  { toPath, env }: { toPath: ToPath; env: Environment },
): RunConfig {
  const common = {
    title: run.title ?? name,
    profile: run.profile,
    features: run.features,
    webhookUrl: run.webhook_url ?? null,
    spreadsheets: { ...run.spreadsheets, directory: toPath(run.spreadsheets.directory) },
    serviceOutputs: toServiceOutputs(run.service_outputs, run.profile.output_language ?? 'en'),
    crm: run.crm,
    minDeliveredPercent: run.expect?.min_delivered ?? null,
    schedule: run.schedule === undefined ? null : toSchedule(run.schedule),
    digest: runDigest(file, run, env),
  };
  return run.kind === 'discovery'
    ? { kind: run.kind, ...common, briefingQuantity: run.briefing_quantity, exclusions: run.exclusions }
    : { kind: run.kind, ...common, companies: toCompanies(run.companies, toPath) };
}

function toCompanies(
  companies: Extract<FileRun, { kind: 'enrichment' }>['companies'],
  toPath: ToPath,
): CompaniesSource {
  const { csv, xlsx, sheet = null, header_row: headerRow = null, columns = null } = companies;
  const file = { externalIds: companies.external_ids ?? 'other', sheet, headerRow, columns } as const;
  if (csv !== undefined) return { from: 'csv', path: toPath(csv), ...file };
  if (xlsx !== undefined) return { from: 'xlsx', path: toPath(xlsx), ...file };
  return { from: 'hubspot', lifecycleStages: companies.hubspot?.lifecycle_stages ?? [] };
}

function mapValues<V, W>(record: Record<string, V>, map: (value: V, key: string) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
