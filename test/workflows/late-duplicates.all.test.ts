// The answer to a write is lost, the write is sent again, and its first copy arrives after that: a slow proxy does this to any write.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { repeated } from '../cluster/evidence.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';
import { discoveryPlan, startPipeline, type Pipeline } from '../helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { fileCompanies } from '../helpers/companies-source.ts';

type Fetch = (request: Request) => Promise<Response>;

/** What a request does, without ids. */
function toRoute({ method, url }: Request): string {
  return `${method} ${new URL(url).pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|(?<=\/)\d+(?=\/|$)/g, '{id}')}`;
}

/** Holds the first request of every writing route back, as if lost, until the next one of that route was answered. */
function createSlowProxy() {
  const late = new Map<string, Request>();
  const seen = new Set<string>();
  const delivered: string[] = [];
  const through =
    (fetch: Fetch): Fetch =>
    async (request) => {
      const route = toRoute(request);
      const reads = request.method === 'GET' || /\/(?:search|read)$/.test(route);
      if (reads) return fetch(request);
      if (!seen.has(route)) {
        seen.add(route);
        late.set(route, request.clone());
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
      }
      const answer = await fetch(request);
      const first = late.get(route);
      late.delete(route);
      if (first === undefined) return answer;
      await (await fetch(first)).arrayBuffer();
      delivered.push(route);
      return answer;
    };
  return { through, delivered };
}

let temporal: TemporalTestServer;
let pipeline: Pipeline;
const toService = createSlowProxy();
const toHubSpot = createSlowProxy();
const companies = 12;
beforeAll(async () => {
  temporal = await startTemporal();
  pipeline = await startPipeline(temporal, { throughService: toService.through, throughHubSpot: toHubSpot.through });
});
afterAll(async () => {
  await pipeline?.stop();
  await temporal?.stop();
});

async function runToEnd(runName: string, changes: Partial<RunPlan>) {
  const plan = discoveryPlan(pipeline.folder, { runName, briefingQuantity: companies, ...changes });
  const { handle } = await startRun(pipeline.client, plan, { label: 'today' });
  return handle.result();
}

async function csvFile(name: string, rows: number): Promise<string> {
  const lines = Array.from({ length: rows }, (_, row) => `${name} ${row},https://${name}-${row}.example`);
  const file = path.join(pipeline.folder, `${name}.csv`);
  await writeFile(file, ['company_name,website_url', ...lines].join('\n'));
  return file;
}

async function readKeys(type: 'companies' | 'contacts', key: string) {
  const found: (string | null)[] = [];
  for await (const page of pipeline.clients.hubspot.objects.list(type, { properties: [key] }))
    found.push(...page.map(({ properties }) => properties[key] || null));
  return found;
}

describe('requests whose first copy arrives after the second', () => {
  it('place one order per run, write every record once, and leave a blacklist without copies', async () => {
    const { prospecting } = pipeline.clients;
    const csv = await csvFile('customer', 3);
    const exclusions = [exclusionPlan({ source: exclusionSource({ csv }) })];
    const first = await runToEnd('first', { exclusions });
    expect(first.order).toMatchObject({ reconciled: companies, findings: [], crm: { companies: { failed: 0 } } });
    expect(toService.delivered).toEqual(
      expect.arrayContaining([
        'POST /api/v1/search-profile-creations',
        'POST /api/v1/blacklists',
        'POST /api/v1/blacklists/{id}/entries',
        'POST /api/v1/orders',
      ]),
    );
    expect(toHubSpot.delivered.join('\n')).toMatch(/companies\/batch\/(?:create|upsert)[\s\S]*contacts\/batch/);

    const blacklistId = first.exclusions[0]?.blacklistId;
    const countEntries = async () =>
      (await prospecting.blacklists.list()).find(({ id }) => id === blacklistId)?.entry_count;
    expect(await countEntries()).toBe(3);
    const second = await runToEnd('second', { exclusions });
    expect(second.exclusions).toMatchObject([{ blacklistId, wanted: 3, added: 0 }]);
    expect(await countEntries()).toBe(3);

    const enrichment = { kind: 'enrichment', briefingQuantity: null } as const;
    const source = fileCompanies(await csvFile('lead', 4));
    const third = await runToEnd('third', { ...enrichment, companies: source });
    expect(third.order).toMatchObject({ ordered: 4, slots: 4, findings: [] });

    expect(await prospecting.orders.list()).toHaveLength(3);
    for (const [type, key] of [
      ['companies', 'prospect_sync_company_key'],
      ['contacts', 'prospect_sync_contact_key'],
      ['companies', 'domain'],
      ['contacts', 'email'],
    ] as const) {
      const values = await readKeys(type, key);
      expect({ type, key, empty: values.length === 0, repeated: repeated(values) }).toEqual({
        type,
        key,
        empty: false,
        repeated: [],
      });
    }
  });
});
