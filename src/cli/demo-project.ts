/** The example project of the demo: companies in the sandbox HubSpot, source files, and a configuration. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import { stringify } from 'yaml';
import { makeFolder } from '../base/host/make-folder.ts';
import { createHubSpotClient } from '../hubspot/hubspot-client.ts';
import {
  demoCustomers,
  demoEnrichmentRows,
  demoExclusions,
  demoProfile,
} from '../../sandbox/generated-data/demo-data.ts';
import type { ServedSandbox } from '../../sandbox/serve-sandbox.ts';
import { CommandError } from './terminal.ts';

export interface DemoProject {
  /** Path of its prospect-sync.yaml. */
  readonly config: string;
  /** True: the configuration existed and was not changed. The CSV files are written again with the ids of a new sandbox. */
  readonly isKept: boolean;
  /** The environment variables that its configuration names. */
  readonly env: Readonly<Record<string, string>>;
}

const runNames = { discovery: 'demo-discovery', enrichment: 'demo-enrichment' } as const;

/**
 * Creates companies in the sandbox HubSpot, and writes prospect-sync.yaml, exclusions.csv and companies.csv into `folder`.
 * A sandbox that continues has the companies of an existing project.
 */
export async function createDemoProject(
  folder: string,
  { service, hubspot, isContinued }: ServedSandbox,
  seed: number,
): Promise<DemoProject> {
  const config = join(folder, 'prospect-sync.yaml');
  const env = {
    PROSPECTING_BASE_URL: service.url,
    PROSPECTING_API_KEY: service.apiKey,
    HUBSPOT_BASE_URL: hubspot.url,
    HUBSPOT_TOKEN: hubspot.token,
  };
  if (isContinued && existsSync(config)) return { config, isKept: true, env };
  const crm = createHubSpotClient({ baseUrl: hubspot.url, token: hubspot.token });
  const create = async (companies: readonly Record<string, string>[]) => {
    const results = await crm.objects.create(
      'companies',
      companies.map((properties) => ({ properties })),
    );
    return results.map((result) => {
      if (!result.ok) throw new CommandError(`The sandbox HubSpot rejected a company: ${result.error.message}`);
      return result.id;
    });
  };
  await create(demoCustomers(seed).map((customer) => ({ ...customer })));

  const rows = demoEnrichmentRows(seed);
  const leads = rows.filter((row) => row.external_id !== undefined);
  const ids = await create(
    leads.map(({ company_name, city }) => ({ name: company_name, lifecyclestage: 'lead', ...(city ? { city } : {}) })),
  );
  const recordIds = new Map(leads.map((row, index) => [row, ids[index]]));

  await makeFolder(folder);
  await writeFile(
    join(folder, 'exclusions.csv'),
    Papa.unparse(
      demoExclusions(seed).map((row) => ({ ...emptyRow, ...row })),
      { newline: '\n' },
    ),
  );
  const submitted = rows.map((row) => ({ ...emptyRow, ...row, external_id: recordIds.get(row) ?? '' }));
  await writeFile(join(folder, 'companies.csv'), Papa.unparse(submitted, { newline: '\n' }));
  const text = `# Written by prospect-sync for its sandbox.\n${stringify(demoConfig)}`;
  // The user may have added runs to an existing configuration.
  const isKept = await writeFile(config, text, { flag: 'wx' }).then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return true;
      throw error;
    },
  );
  return {
    config,
    isKept,
    env,
  };
}

export const demoRuns = Object.values(runNames);

const emptyRow = { company_name: '', website_url: '', city: '', country: '', external_id: '' };

const demoConfig = {
  service: { base_url: { env: 'PROSPECTING_BASE_URL' }, api_key: { env: 'PROSPECTING_API_KEY' } },
  hubspot: { base_url: { env: 'HUBSPOT_BASE_URL' }, token: { env: 'HUBSPOT_TOKEN' } },
  polling: { profile: '50ms', order_first: '50ms', order_max: '500ms' },
  exclusions: {
    customers: {
      blacklist: 'CRM exclusions',
      hubspot: { lifecycle_stages: ['customer'] },
      csv: 'exclusions.csv',
      reason: 'Existing customer',
    },
  },
  runs: {
    [runNames.discovery]: {
      kind: 'discovery',
      title: 'Demo: new companies',
      profile: demoProfile,
      briefing_quantity: 300,
      exclusions: ['customers'],
    },
    [runNames.enrichment]: {
      kind: 'enrichment',
      title: 'Demo: companies of the CRM',
      profile: demoProfile,
      companies: { csv: 'companies.csv', external_ids: 'record_id' },
      spreadsheets: { rows: 'prospect' },
    },
  },
};
