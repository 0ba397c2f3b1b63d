// Characters that a database cannot store, in answers of the service, records of HubSpot and files of users.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { digest } from '../../src/base/json/canonical-json.ts';
import { longestText } from '../../src/base/text/bound-text.ts';
import { createActivityHarness, failure, plan, type ActivityHarness, type Collected } from './activity-harness.ts';
import { changeResults } from './order-steps.ts';
import { fileCompanies } from '../helpers/companies-source.ts';

type Json = Record<string, unknown>;

/** Results whose second slot contains such characters. */
async function createWithInvalidCharacters() {
  const harness = await createActivityHarness(
    changeResults<{ items: Json[] }>(({ items }) => {
      items[1] = spoil(items[1] ?? {});
    }),
  );
  return { ...harness, order: await harness.collectDiscovery(3) };
}

function spoil(slot: Json): Json {
  return { ...slot, company: { ...(slot['company'] as Json), name: 'A\0\uD800', 'o\0ther': ['\0', '\uDC00'] } };
}

/** Collects the slots again, and reconciles them. */
async function readAgain(perform: ActivityHarness['perform'], { orderId, total }: Collected) {
  const range = { orderId, from: 0, to: total };
  return {
    ...(await perform('collectResults', range)),
    ...(await perform('reconcileRange', { ...range, crm: false })),
  };
}
const findings = [{ code: 'characters_replaced', count: 1, positions: [1] }];
const replaced = { collected: 3, reconciled: 3, findings };

describe('slots with NUL and lone surrogates', () => {
  it('are stored with U+FFFD, equal the slots that are read again, and are a finding', async () => {
    const { perform, ledger, order } = await createWithInvalidCharacters();
    const { orderId, total } = order;
    const [, slot] = await ledger.slots.read(orderId, { from: 0, to: total });
    const stored = JSON.parse(slot?.json ?? '') as { company: Json };
    expect(stored.company).toMatchObject({ name: 'A\uFFFD\uFFFD', 'o\uFFFDther': ['\uFFFD', '\uFFFD'] });
    expect(slot?.hash).toBe(digest(stored));
    expect(await readAgain(perform, order)).toMatchObject(replaced);
  });
});

describe('getOrder and readSlots', () => {
  it.each(['orders', 'results'])('rejects an answer that is nested too deeply (%s)', async (kind) => {
    const deep = `{"status":"COMPLETED","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { perform, ledger } = await createActivityHarness({
      serviceFetch: () => Promise.resolve(new Response(deep, { headers: { 'content-type': 'application/json' } })),
    });
    const orderId = '8a5f0c9e-0000-4000-8000-000000000001';
    const facts = {
      runName: null,
      kind: 'discovery',
      status: 'COMPLETED',
      profileId: null,
      requestedCount: 1,
    } as const;
    await ledger.orders.save({ orderId, ...facts, externalIdsAreRecordIds: false });
    await ledger.orders.publish(orderId, { total: 1, summaryJson: 'null' });
    const outcome =
      kind === 'results'
        ? perform('collectResults', { orderId, from: 0, to: 1 })
        : perform('awaitPublication', { orderId, runName: 'weekly' });
    expect(await failure(outcome)).toMatchObject({ type: 'ServiceContract' });
  });
});

describe('draftOrder with NUL and very long cells', () => {
  async function createDraft(content: string) {
    const harness = await createActivityHarness();
    const csv = join(harness.folder, 'companies.csv');
    writeFileSync(csv, content);
    const companies = fileCompanies(csv);
    const run = harness.configureRun(plan({ kind: 'enrichment', briefingQuantity: null, companies }));
    return { ...harness, draft: () => harness.perform('draftOrder', { run, runKey: 'run' }) };
  }

  it('replaces invalid characters with U+FFFD, and counts them in its report', async () => {
    const { draft, ledger } = await createDraft(
      `company_name,No\0te\nA\0cme\0,${'x'.repeat(longestText + 9)}\nBeta,\0\n`,
    );
    const { source } = await draft();
    expect(source).toMatchObject({ rows: 2, ordered: 2, replaced: 3, columns: { ignored: ['No\uFFFDte'] } });
    expect(await ledger.drafts.read('run')).toEqual([{ company_name: 'A\uFFFDcme\uFFFD' }, { company_name: 'Beta' }]);
    const origins = await ledger.drafts.origins('run', { from: 0, to: 2 });
    expect(origins.get(0)?.ownCells).toEqual(['A\uFFFDcme\uFFFD', 'x'.repeat(longestText)]);
    // The report is stored with the draft, so a second call returns the same one.
    expect((await draft()).source).toEqual(source);
  });

  it('reports few and short column names, however many columns the file has', async () => {
    const headers = Array.from({ length: 400 }, (_, index) => `${index} ${'h'.repeat(200)}`);
    const { draft } = await createDraft(`company_name,${headers.join(',')}\nAcme\n`);
    const { columns } = (await draft()).source;
    expect(columns?.ignored).toHaveLength(100);
    expect(columns?.ignored[0]).toBe(`0 ${'h'.repeat(57)}…`);
  });
});

describe('objects.list with NUL and a very long value', () => {
  it('replaces invalid characters with U+FFFD, and shortens the value', async () => {
    const properties = { name: 'A\0\uD800', description: 'x'.repeat(longestText + 9), city: null };
    const client = createHubSpotClient({
      baseUrl: 'https://hubspot.example',
      token: 'token',
      fetch: () => Promise.resolve(Response.json({ results: [{ id: '1', properties }] })),
    });
    const [page] = await Array.fromAsync(client.objects.list('companies', { properties: ['name'] }));
    expect(page?.[0]?.properties).toEqual({ name: 'A\uFFFD\uFFFD', description: 'x'.repeat(longestText), city: null });
  });
});
