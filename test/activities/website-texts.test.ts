// Website texts as a source of the mapping and of columns.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readCsv } from '../../src/base/spreadsheet/read-csv.ts';
import { readXlsx } from '../../src/base/spreadsheet/read-xlsx.ts';
import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { forget } from '../../src/delivery/erasure/forget.ts';
import { defaultContactPolicy } from '../../src/delivery/mapping/contact-policy.ts';
import { toCrmPlan } from '../../src/delivery/mapping/crm-plan.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import { readRefusal } from '../../src/replies/refusal.ts';
import { readRecords } from '../helpers/table-records.ts';
import { crmDelivery, failure, plan } from './activity-harness.ts';
import { createReady, range, reconcile, row } from './order-steps.ts';

const description = { from: 'company.website_markdown', transform: null, policy: 'always' } as const;
const mapping = {
  ...defaultMapping,
  companies: { ...defaultMapping.companies, description },
  companyNotes: { POLICY_ELIGIBLE: 'Site: {company.website_markdown}' },
};

type Answer = (attempt: number) => Response | null;
const markdownOf = (markdown: string) => () => Response.json({ markdown });
const refusal = (status: number, code: string) => Response.json({ error: { code, message: 'no' } }, { status });

/** A collected order of three companies. `answers`: instead of those of the service, by the name in the domain of the company. */
async function createCollected(answers: Readonly<Record<string, Answer>> = {}) {
  const attempts = new Map<string, number>();
  const answerById = new Map<string, Answer>();
  const harness = await createReady({
    serviceFetch: async (request, proceed) => {
      const [, id = ''] = /\/companies\/([^/]+)\/website-markdown$/.exec(new URL(request.url).pathname) ?? [];
      if (id === '') return proceed(request);
      attempts.set(id, (attempts.get(id) ?? 0) + 1);
      return answerById.get(id)?.(attempts.get(id) ?? 0) ?? proceed(request);
    },
  });
  const order = await harness.collectEnrichment([row('Acme'), row('Bolt'), row('Crane')]);
  const slots = await harness.ledger.slots.readParsed(order.orderId, { from: 0, to: 3 });
  const ids = slots.map(({ slot }) => slot.company?.id ?? '');
  for (const [index, name] of ['acme', 'bolt', 'crane'].entries())
    if (answers[name] !== undefined) answerById.set(ids[index] ?? '', answers[name]);
  harness.configureMapping(toCrmPlan(mapping, defaultContactPolicy));
  const spreadsheets = {
    directory: harness.folder,
    kinds: ['csv', 'xlsx'],
    rows: 'slot',
    columns: { Site: 'company.website_markdown' },
  } as const;
  harness.configureRun(plan({ delivery: { ...crmDelivery, spreadsheets } }));
  const { perform } = harness;
  const all = { orderId: order.orderId, from: 0, to: order.total };
  return {
    ...harness,
    order,
    harness,
    fetchTexts: () => perform('fetchWebsites', all),
    /** The number of requests for the text of each company. */
    asked: () => ids.map((id) => attempts.get(id) ?? 0),
    writeFiles: async () => {
      for (const kind of ['csv', 'xlsx'] as const)
        await perform('writeSpreadsheet', { orderId: order.orderId, runName: 'weekly', kind });
    },
    readSites: async (kind: 'csv' | 'xlsx') => {
      const file = path.join(harness.folder, `${order.orderId}.${kind}`);
      const records = await readRecords(kind === 'csv' ? readCsv(file) : readXlsx(file, { sheet: 'Results' }));
      return records.map((record) => record['Site']);
    },
    descriptions: async () => {
      const records = await harness.records('companies');
      return records.map(({ properties }) => properties['description']);
    },
    texts: async () => (await harness.ledger.websites.read(order.orderId, all)).map(({ markdown }) => markdown),
  };
}

const context = {
  readRefusal: (body: string | null) => readRefusal(body, defaultReplyPolicy),
  now: () => new Date(),
  signal: new AbortController().signal,
};

describe('fetchWebsites', () => {
  it('puts the text of the website into the HubSpot property, the note, and the column of both files', async () => {
    const { fetchTexts, texts, order, perform, writeFiles, readSites, descriptions, ...rest } = await createCollected();
    expect(await fetchTexts()).toEqual({ texts: 3, without: 0, failed: 0 });
    const stored = (await texts()).map((text) => text?.trim());
    expect(stored[0]).toMatch(/^# Acme\n/);
    await perform('projectToCrm', range(order));
    expect(await descriptions()).toEqual(stored);
    await perform('createCompanyItems', { orderId: order.orderId, from: 0, to: 3 });
    const notes = await rest.sendToHubSpot<{ results: { properties: { hs_note_body: string } }[] }>(
      'GET',
      '/crm/v3/objects/notes?properties=hs_note_body',
    );
    expect(notes.results.map(({ properties }) => properties.hs_note_body)).toContainEqual(
      expect.stringMatching(/^<p>Site: # Acme<br>/),
    );
    await writeFiles();
    for (const kind of ['csv', 'xlsx'] as const) expect(await readSites(kind)).toEqual(stored);
    const { findings, reconciled } = await reconcile(rest.harness, order);
    expect({ findings, reconciled }).toEqual({ findings: [], reconciled: 3 });
    // Neither the delivery nor its proof fetches a text again.
    expect(rest.asked()).toEqual([1, 1, 1]);
  });

  it('fetches after a cancelled attempt only what the ledger does not have', async () => {
    const { fetchTexts, asked, performCancelled, order, texts } = await createCollected();
    await expect(performCancelled('fetchWebsites', { orderId: order.orderId, from: 0, to: 3 })).rejects.toThrow(
      'CANCELLED',
    );
    expect(await texts()).toHaveLength(1);
    expect(await fetchTexts()).toEqual({ texts: 3, without: 0, failed: 0 });
    expect(asked()).toEqual([1, 1, 1]);
  });

  it('ends the attempt at an outage of the service, and continues there', async () => {
    const { fetchTexts, asked } = await createCollected({
      bolt: (attempt) => (attempt === 1 ? refusal(503, 'SERVICE_UNAVAILABLE') : null),
    });
    expect(await failure(fetchTexts())).toMatchObject({ type: 'ServiceFault', nonRetryable: false });
    expect(asked()).toEqual([1, 1, 0]);
    expect(await fetchTexts()).toEqual({ texts: 3, without: 0, failed: 0 });
    expect(asked()).toEqual([1, 2, 1]);
  });

  it('remembers that the service has no text, and writes the row without it', async () => {
    const { fetchTexts, asked, writeFiles, readSites } = await createCollected({
      bolt: () => refusal(404, 'COMPANY_NOT_FOUND'),
    });
    expect(await fetchTexts()).toEqual({ texts: 2, without: 1, failed: 0 });
    expect(await fetchTexts()).toEqual({ texts: 2, without: 1, failed: 0 });
    expect(asked()).toEqual([1, 1, 1]);
    await writeFiles();
    expect(await readSites('csv')).toEqual([expect.any(String), '', expect.any(String)]);
  });

  it('gives up a text whose request fails ten times, goes on with the other companies, and reports it', async () => {
    const { fetchTexts, asked, order, harness } = await createCollected({ bolt: () => refusal(500, 'INTERNAL_ERROR') });
    for (let attempt = 1; attempt < 10; attempt += 1)
      expect(await failure(fetchTexts())).toMatchObject({ type: 'INTERNAL_ERROR', nonRetryable: false });
    expect(await fetchTexts()).toEqual({ texts: 2, without: 0, failed: 1 });
    expect(await fetchTexts()).toEqual({ texts: 2, without: 0, failed: 1 });
    expect(asked()).toEqual([1, 10, 1]);
    await harness.perform('projectToCrm', range(order));
    expect((await reconcile(harness, order)).findings).toEqual([
      { code: 'website_text_not_fetched', count: 1, positions: [1] },
    ]);
  });

  it('gives up at once an answer that no retry resolves', async () => {
    const { fetchTexts, asked } = await createCollected({ bolt: () => Response.json({ text: 'no markdown' }) });
    expect(await fetchTexts()).toEqual({ texts: 2, without: 0, failed: 1 });
    expect(asked()).toEqual([1, 1, 1]);
  });

  it('asks for no further text when the key lacks the scope', async () => {
    const { fetchTexts, asked } = await createCollected({ acme: () => refusal(403, 'INSUFFICIENT_SCOPE') });
    expect(await fetchTexts()).toEqual({ texts: 0, without: 0, failed: 3 });
    expect(asked()).toEqual([1, 0, 0]);
  });

  it('cuts a long text at the limits of HubSpot and Excel, and removes what a cell cannot hold', async () => {
    const long = `\u0000\u0007${'é😀'.repeat(40_000)}`;
    const { fetchTexts, order, perform, writeFiles, readSites, descriptions, harness } = await createCollected({
      acme: markdownOf(long),
    });
    await fetchTexts();
    await perform('projectToCrm', range(order));
    const [written = ''] = await descriptions();
    expect(written?.length).toBeLessThanOrEqual(65_536);
    expect(written?.length).toBeGreaterThan(65_530);
    expect(written?.isWellFormed()).toBe(true);
    expect(written).not.toContain('\u0000');
    await writeFiles();
    const [cell] = await readSites('xlsx');
    expect(cell).toMatch(/ … \[cut: a cell holds 32,767 characters\]$/);
    expect(String(cell).length).toBeLessThanOrEqual(32_767);
    expect((await reconcile(harness, order)).findings).toEqual([]);
  });

  it('finds a text that was changed in the ledger', async () => {
    const { fetchTexts, order, perform, folder, harness } = await createCollected();
    await fetchTexts();
    await perform('projectToCrm', range(order));
    const database = new DatabaseSync(path.join(folder, 'ledger.db'));
    database.exec(`update websites set markdown = 'other' where position = 1`);
    database.close();
    expect((await reconcile(harness, order)).findings).toEqual([
      { code: 'website_text_changed', count: 1, positions: [1] },
    ]);
  });

  it('is erased from the ledger and the files with a person whom only the text names', async () => {
    const { fetchTexts, writeFiles, ledger, texts, folder, order, readSites } = await createCollected({
      acme: markdownOf('Write to Jane.Doe@elsewhere.example'),
    });
    await fetchTexts();
    await writeFiles();
    expect((await readSites('csv'))[0]).toContain('Jane');
    await forget(ledger, [{ kind: 'email', value: 'jane.doe@elsewhere.example' }], context);
    expect((await texts())[0]).toBeNull();
    for (const kind of ['csv', 'xlsx'] as const) expect((await readSites(kind))[0]).toBe('');
    expect(readFileSync(path.join(folder, `${order.orderId}.csv`), 'utf8')).not.toContain('Jane');
    expect(await fetchTexts()).toEqual({ texts: 2, without: 0, failed: 0 });
  });

  it('is fetched anew for a slot that the service has changed', async () => {
    const { fetchTexts, order, ledger, asked } = await createCollected();
    await fetchTexts();
    const [stored] = await ledger.slots.read(order.orderId, { from: 1, to: 2 });
    if (stored === undefined) throw new RangeError('the slot is collected');
    await ledger.slots.replace(order.orderId, [{ ...stored, hash: 'another' }], new Date());
    expect(await fetchTexts()).toEqual({ texts: 3, without: 0, failed: 0 });
    expect(asked()).toEqual([1, 2, 1]);
  });
});
