import { defaultRequestSettings } from '../contract/request-settings.ts';
import { digest } from '../json/canonical-json.ts';
import { toBaseUrl } from './address-setting.ts';
import type { ConfigFile } from './file-schema.ts';
import type { Environment } from './environment.ts';
import { ownValue } from '../json/own-value.ts';

/**
 * Twelve hex digits over the settings that a run depends on: its own, its exclusions, the service and HubSpot. Paths count
 * as written, secrets by the names of their variables, and addresses by their values: the digest is the same on every machine.
 */
export function runDigest(
  file: ConfigFile,
  { schedule: _, ...run }: ConfigFile['runs'][string],
  env: Environment,
): string {
  const names = run.kind === 'discovery' ? run.exclusions : [];
  return digest({
    run: toDigestedRun(run),
    exclusions: names.map((name) => [name, ownValue(file.exclusions, name)]),
    crm: run.crm ? { mapping: file.mapping, contacts: file.contacts } : null,
    service: { ...toDigestedService(file.service), base_url: toBaseUrl(file.service.base_url, env) },
    hubspot: { ...toDigestedHubSpot(file.hubspot), base_url: toBaseUrl(file.hubspot.base_url, env) },
    polling: file.polling,
  }).slice(0, 12);
}

/** Settings that were added later count only if they are set: schedules of earlier releases keep their digest. */
function toDigestedRun(run: Omit<ConfigFile['runs'][string], 'schedule'>) {
  const { columns, ...spreadsheets } = run.spreadsheets;
  return { ...run, spreadsheets: Object.keys(columns).length === 0 ? spreadsheets : run.spreadsheets };
}

/** `allow_http` does not count, since the address shows whether plain http is used. */
function toDigestedHubSpot({ allow_http: _, ...hubspot }: ConfigFile['hubspot']) {
  return hubspot;
}

function toDigestedService({
  allow_http: _,
  fields,
  requests,
  results_items: items = 'items',
  ...service
}: ConfigFile['service']) {
  const { company, prospect, order } = fields;
  const hasFields = [company, prospect, order].some((record) => Object.keys(record).length > 0);
  const hasRequests = digest(requests) !== digest(defaultRequestSettings);
  return { ...service, results_items: items, ...(hasFields ? { fields } : {}), ...(hasRequests ? { requests } : {}) };
}
