import { toMarkedDescription } from '../../src/config/blacklist-settings.ts';
import type { Entry } from '../../src/service/contract/index.ts';
import { withoutExcluded } from '../../src/companies/sources/enrichment-companies.ts';
import type { ExclusionPlan, RunPlan } from '../../src/config/run-plan.ts';
import { findExcludedRows } from '../../src/companies/exclusions/exclude-rows.ts';
import { toSourceText } from '../../src/proof/report/source-text.ts';
import { toExclusionsLines } from '../../src/cli/print-exclusions.ts';
import { previewExclusion } from '../../src/companies/exclusions/preview-exclusion.ts';
import { toExclusionDocument } from '../../src/proof/report/exclusions-document.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';
import { begin, entriesOf, remove, sync, syncId } from './exclusion-steps.ts';
import {
  createActivityHarness,
  failure,
  type ActivityHarness,
  type ActivityHarnessOptions,
} from './activity-harness.ts';
import { itOfAll } from '../helpers/sample.ts';

async function createWithCsv(rows: readonly string[], options: ActivityHarnessOptions = {}) {
  const harness = await createActivityHarness(options);
  const header = 'company_name,website_url,city,external_id';
  const write = (lines: readonly string[]) => harness.file('exclusions.csv', [header, ...lines]);
  const csv = write(rows);
  return { ...harness, write, exclusion: exclusionPlan({ source: exclusionSource({ csv }) }) };
}

async function namesOf(harness: ActivityHarness, blacklistId: string): Promise<string[]> {
  return (await entriesOf(harness, blacklistId)).map(({ company_name }) => company_name).sort();
}

const names = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `Company ${from + index},,,`);
/** Keeps the first request to add entries, and answers 504. */
const holdFirst =
  (late: Request[]): NonNullable<ActivityHarnessOptions['serviceFetch']> =>
  async (request, proceed) => {
    const isFirst = late.length === 0 && request.method === 'POST' && request.url.endsWith('/entries');
    if (!isFirst) return proceed(request);
    late.push(request.clone());
    return new Response(null, { status: 504 });
  };

const entriesRequests = (harness: ActivityHarness) =>
  harness.asked().filter((request) => /^(POST|DELETE) .*\/entries/.test(request));

describe('exclusion sync', () => {
  it('sends only differences, and nothing when nothing has changed', async () => {
    const harness = await createWithCsv(['Acme,acme.example,Berlin,c-1', 'Other,,,', ...names(300)]);
    const first = await sync(harness, harness.exclusion);
    expect(first).toMatchObject({ wanted: 302, unusable: 0, present: 0, added: 302, removed: 0 });
    expect(await entriesOf(harness, first.blacklistId)).toContainEqual(
      expect.objectContaining({
        company_name: 'Acme',
        website_url: 'https://acme.example',
        city: 'Berlin',
        country: null,
        external_id: 'c-1',
        reason: 'Customer',
      }),
    );
    const before = entriesRequests(harness);
    expect(before).toEqual([`POST /api/v1/blacklists/${first.blacklistId}/entries`]);
    const second = await sync(harness, harness.exclusion);
    expect(second).toMatchObject({ blacklistId: first.blacklistId, present: 302, added: 0, removed: 0 });
    expect(entriesRequests(harness)).toEqual(before);
  });

  // Guarantee: Exclusions stay in force during a sync
  it('replaces changed entries: adds before it removes', async () => {
    const harness = await createWithCsv(['Acme,acme.example,Berlin,', 'Gone,,,', 'Stays,,,']);
    const { blacklistId } = await sync(harness, harness.exclusion);
    harness.write(['Acme,acme.example,Hamburg,', 'Stays,,,', 'New,,,']);
    expect(await sync(harness, harness.exclusion)).toMatchObject({ added: 2, removed: 2 });
    expect(await namesOf(harness, blacklistId)).toEqual(['Acme', 'New', 'Stays']);
    expect(await entriesOf(harness, blacklistId)).toContainEqual(
      expect.objectContaining({ company_name: 'Acme', city: 'Hamburg' }),
    );
    expect(
      entriesRequests(harness)
        .slice(1)
        .map((request) => request.split(' ')[0]),
    ).toEqual(['POST', 'DELETE']);
  });

  itOfAll('adds in batches of 10,000 and removes in batches of 1,000', async () => {
    const harness = await createWithCsv(names(10_001));
    const { blacklistId, added } = await sync(harness, harness.exclusion);
    expect(added).toBe(10_001);
    harness.write(names(8_900));
    expect(await sync(harness, harness.exclusion)).toMatchObject({ added: 0, removed: 1_101 });
    const path = `/api/v1/blacklists/${blacklistId}/entries`;
    expect(entriesRequests(harness)).toEqual([`POST ${path}`, `POST ${path}`, `DELETE ${path}`, `DELETE ${path}`]);
    expect(await namesOf(harness, blacklistId)).toHaveLength(8_900);
  });

  it('counts equal rows once', async () => {
    const harness = await createWithCsv(['Acme,www.acme.example,,', 'Acme,www.acme.example,,']);
    expect(await sync(harness, harness.exclusion)).toMatchObject({ wanted: 1, added: 1 });
  });

  it('excludes customers of the CRM, and counts the unusable ones', async () => {
    const harness = await createActivityHarness();
    const customer = { lifecyclestage: 'customer' };
    const [first] = await harness.createRecords('companies', [
      { ...customer, name: 'First', domain: 'first.example', city: 'Graz' },
      { ...customer, domain: 'second.example' },
      { lifecyclestage: 'lead', name: 'Lead' },
      { ...customer, name: 'x'.repeat(501) },
      { ...customer, name: '  ', domain: 'third' },
    ]);
    const customers = exclusionSource({ lifecycleStages: ['customer'] });
    const { blacklistId, ...counts } = await sync(harness, exclusionPlan({ source: customers }));
    expect(counts).toMatchObject({ wanted: 2, unusable: 2 });
    const entries = await entriesOf(harness, blacklistId);
    expect(entries.toSorted((a, b) => (a.company_name < b.company_name ? -1 : 1))).toEqual([
      expect.objectContaining({ company_name: 'First', website_url: 'https://first.example', external_id: first }),
      expect.objectContaining({ company_name: 'second.example', website_url: 'https://second.example' }),
    ]);
  });
});

describe('the suppressed companies of an exclusion', () => {
  it.each([
    ['HubSpot, by a primary or an additional domain, where the exclusion reads it', true],
    ['the ledger only, where the exclusion does not read HubSpot', false],
  ])('have the names and cities that are known to %s', async (_, openDeals) => {
    const harness = await createActivityHarness();
    const ids = await harness.createRecords('companies', [
      { name: 'Acme', domain: 'acme.example', city: 'Graz' },
      { name: 'Beta', domain: 'beta.example', hs_additional_domains: 'beta-old.example', city: 'Linz' },
      { name: 'x'.repeat(501), domain: 'long.example' },
      { name: 'Other', domain: 'other.example' },
    ]);
    const suppression = { at: '2026-11-20T12:00:00Z', by: 'Olga', reason: 'asked' };
    const named = { 'acme.example': '', 'beta-old.example': '', 'gamma.example': 'Gamma', 'long.example': '' };
    const change = ([value, name]: [string, string]) =>
      ({ ...suppression, identifier: { kind: 'domain', value }, name }) as const;
    for (const entry of Object.entries(named)) await harness.ledger.suppressions.add(change(entry));
    const exclusion = exclusionPlan({ source: exclusionSource({ openDeals }) });
    const { blacklistId, counts } = await sync(harness, exclusion);
    expect(counts).toMatchObject({ suppressed: 4 });
    const read = async () =>
      (await entriesOf(harness, blacklistId)).map((entry) =>
        [entry.company_name, entry.website_url, entry.city, entry.external_id].filter((text) => text !== null),
      );
    expect(await read()).toEqual([
      ...(openDeals
        ? [
            ['Acme', 'https://acme.example', 'Graz', ids[0]],
            ['Beta', 'https://beta-old.example', 'Linz', ids[1]],
            ['Gamma', 'https://gamma.example'],
          ]
        : [
            ['Gamma', 'https://gamma.example'],
            ['acme.example', 'https://acme.example'],
            ['beta-old.example', 'https://beta-old.example'],
          ]),
      ['long.example', 'https://long.example'],
    ]);
    await harness.ledger.suppressions.remove(change(['gamma.example', '']));
    await sync(harness, exclusion);
    expect((await read()).flat()).not.toContain('Gamma');
  });
});

describe('readExclusions', () => {
  it('uploads nothing with the key of another organization, and continues when it knows an order of the ledger', async () => {
    const harness = await createWithCsv(['Acme,acme.example,,']);
    const order = { runName: null, kind: 'discovery', status: 'COMPLETED', profileId: null, requestedCount: 1 };
    const orderId = '0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11';
    await harness.ledger.orders.save({ ...order, orderId, externalIdsAreRecordIds: false });
    expect(await failure(sync(harness, harness.exclusion))).toMatchObject({
      type: 'OtherOrganization',
      nonRetryable: true,
      message: `the API key belongs to another organization than the ledger: the service at http://service.test does not have the newest orders of the ledger (${orderId}). Correct \`service.api_key\` or \`service.base_url\`. For another organization, use another ledger: \`--data-dir\` or \`ledger\`.`,
    });
    expect(harness.asked()).toEqual([`GET /api/v1/orders/${orderId}`]);
    await harness.collectDiscovery(1);
    expect(await sync(harness, harness.exclusion)).toMatchObject({ added: 1 });
  });

  it('names the invalid rows of a file, and sends nothing', async () => {
    const harness = await createWithCsv(['Fine,,,', ',www.geheim.example,,', `Geheim,,${'y'.repeat(256)},`]);
    const { type, message, nonRetryable } = await failure(sync(harness, harness.exclusion));
    expect({ type, nonRetryable }).toEqual({ type: 'FileRefused', nonRetryable: true });
    expect(message).toContain('row 3: company_name: at least 1 character, found an empty text');
    expect(message).toContain('row 4: city: at most 255 characters, found 256 characters');
    expect(message).not.toMatch(/geheim/i);
    expect(harness.asked()).toEqual([]);
  });

  it('names ten invalid rows at most', async () => {
    const harness = await createWithCsv(Array.from({ length: 40 }, () => ',www.x.example,,'));
    const { message } = await failure(sync(harness, harness.exclusion));
    expect(message.match(/row \d+:/g)).toHaveLength(10);
  });

  it.each([
    ['custommer', 'customer'],
    ['CUSTOMER', 'customer'],
    ['Sales Qualified Lead', 'salesqualifiedlead'],
  ])('fails when one of several lifecycle stages is %s, and names what was meant', async (stage, meant) => {
    const harness = await createWithCsv(['From file,,,']);
    await harness.createRecords('companies', [
      { lifecyclestage: 'opportunity', name: 'Found' },
      { lifecyclestage: 'customer', name: 'Missed' },
    ]);
    const source = exclusionSource({ lifecycleStages: ['opportunity', stage] });
    const refused = await failure(sync(harness, exclusionPlan({ source })));
    expect(refused).toMatchObject({ type: 'StageUnknown', nonRetryable: true });
    expect(refused.message).toContain(
      `HubSpot has no lifecycle stage "${stage}": nothing was changed or ordered. Did you mean ${meant}?`,
    );
    expect(entriesRequests(harness)).toEqual([]);
  });

  it('fails when a source is empty, and removes nothing', async () => {
    const harness = await createWithCsv(['From file,,,']);
    const { csv } = harness.exclusion.source;
    await harness.createRecords('companies', [{ lifecyclestage: 'customer', name: 'From CRM' }]);
    const both = exclusionSource({ lifecycleStages: ['customer'], csv });
    const { blacklistId } = await sync(harness, exclusionPlan({ source: both }));
    const before = entriesRequests(harness);

    const empty = exclusionPlan({ source: exclusionSource({ lifecycleStages: ['evangelist'], csv }) });
    const ofCrm = await failure(sync(harness, empty));
    expect(ofCrm).toMatchObject({ type: 'SourceEmpty', nonRetryable: true });
    expect(ofCrm.message).toContain('no CRM company has the lifecycle stage evangelist');
    harness.write([]);
    const ofFile = await failure(sync(harness, exclusionPlan({ source: both })));
    expect(ofFile).toMatchObject({ type: 'SourceEmpty', nonRetryable: true });
    expect(ofFile.message).toContain(`${csv} has no row below its header`);

    expect(entriesRequests(harness)).toEqual(before);
    expect(await namesOf(harness, blacklistId)).toEqual(['From CRM', 'From file']);
  });

  it('does not treat a source of unusable companies as empty', async () => {
    const harness = await createActivityHarness();
    await harness.createRecords('companies', [{ lifecyclestage: 'customer', name: ' ' }]);
    const exclusion = exclusionPlan({ source: exclusionSource({ lifecycleStages: ['customer'] }) });
    const step = { syncId, exclusion: harness.configureExclusion(exclusion) };
    expect(await harness.perform('readExclusions', { ...step, full: false })).toMatchObject({
      wanted: 0,
      unusable: 1,
    });
  });

  it('fails when the file does not exist', async () => {
    const harness = await createActivityHarness();
    const exclusion = exclusionPlan({ source: exclusionSource({ csv: '/nowhere/exclusions.csv' }) });
    const { nonRetryable, message } = await failure(sync(harness, exclusion));
    expect(nonRetryable).toBe(true);
    expect(message).toContain('/nowhere/exclusions.csv');
  });
});

describe('openBlacklist', () => {
  const empty = exclusionPlan();

  it('finds the blacklist whose creation timed out', async () => {
    const harness = await createWithCsv(['Acme,,,']);
    const { service, perform, prospecting } = harness;
    const exclusion = harness.configureExclusion(harness.exclusion);
    service.faults.add({ method: 'POST', path: '/api/v1/blacklists', commit: true, reset: true, times: 1 });
    await perform('readExclusions', { syncId, exclusion, full: false });
    const lost = await failure(perform('openBlacklist', { syncId, exclusion, kind: 'full' }));
    expect(lost.nonRetryable).toBe(false);
    await perform('openBlacklist', { syncId, exclusion, kind: 'full' }, { attempt: 2 });
    expect(await prospecting.blacklists.list()).toHaveLength(1);
  });

  it('keeps its blacklist when a lost creation request is carried out late', async () => {
    const late: Request[] = [];
    const harness = await createWithCsv(['Acme,,,'], {
      async serviceFetch(request, proceed) {
        const isFirst = late.length === 0 && request.method === 'POST' && request.url.endsWith('/blacklists');
        if (!isFirst) return proceed(request);
        late.push(request.clone());
        throw new TypeError('fetch failed');
      },
    });
    const { service, perform, exclusion, prospecting, write, ledger, pass } = harness;
    const step = { syncId, exclusion: harness.configureExclusion(exclusion) };
    await perform('readExclusions', { ...step, full: false });
    await failure(perform('openBlacklist', { ...step, kind: 'full' }));
    const { blacklistId } = await perform('openBlacklist', { ...step, kind: 'full' }, { attempt: 2 });
    pass(40);
    for (const request of late) await service.fetch(request);
    expect(await prospecting.blacklists.list()).toHaveLength(2);
    expect(await sync(harness, exclusion)).toMatchObject({ blacklistId, added: 1 });
    write(['Acme,,,', 'New,,,']);
    expect(await sync(harness, exclusion)).toMatchObject({ blacklistId, added: 1 });
    // Without the ledger, every sync uses the oldest blacklist.
    await ledger.blacklists.forget(blacklistId);
    expect(await sync(harness, exclusion)).toMatchObject({ blacklistId, added: 0 });
  });

  // Guarantee: Other people's blacklists are not touched
  it('rejects a blacklist that prospect-sync did not create, unless adopt is set', async () => {
    const harness = await createWithCsv(['Acme,,,']);
    const { prospecting, exclusion } = harness;
    const foreign = await prospecting.blacklists.create({ name: 'CRM exclusions', description: 'By hand' });
    await prospecting.blacklists.addEntries(foreign.id, [{ company_name: 'Precious' }]);
    const { type, nonRetryable, message } = await failure(sync(harness, exclusion));
    expect({ type, nonRetryable }).toEqual({ type: 'BlacklistNotOwned', nonRetryable: true });
    expect(message).toContain(foreign.id);
    expect(await namesOf(harness, foreign.id)).toEqual(['Precious']);

    const adopted = await sync(harness, { ...exclusion, adopt: true });
    expect(adopted).toMatchObject({ blacklistId: foreign.id, added: 1, removed: 1 });
    // After the adoption the ledger contains its id.
    expect(await sync(harness, exclusion)).toMatchObject({ blacklistId: foreign.id, added: 0 });
  });

  it('uses the oldest of its own blacklists of that name, never a foreign one', async () => {
    const harness = await createWithCsv(['Acme,,,']);
    const { prospecting, exclusion, pass, ledger } = harness;
    await prospecting.blacklists.create({ name: 'CRM exclusions', description: 'By hand' });
    pass(1);
    const { id: ours } = await prospecting.blacklists.create({
      name: 'CRM exclusions',
      description: 'Kept by prospect-sync; entries made by hand are removed.',
    });
    pass(1);
    await prospecting.blacklists.create({
      name: 'CRM exclusions',
      description: 'Kept by prospect-sync; entries made by hand are removed.',
    });
    expect((await sync(harness, exclusion)).blacklistId).toBe(ours);
    await ledger.blacklists.save({ name: 'CRM exclusions', blacklistId: '00000000-0000-4000-8000-000000000000' });
    expect((await sync(harness, exclusion)).blacklistId).toBe(ours);
  });

  // Guarantee: Other people's blacklists are not touched
  it('prefers the blacklist that it created to an older one of another installation, which it refuses without its own', async () => {
    const harness = await createWithCsv(['Acme,,,']);
    const { prospecting, exclusion, pass, ledger } = harness;
    const create = async (installation: string) => {
      const description = toMarkedDescription(null, installation);
      pass(1);
      return (await prospecting.blacklists.create({ name: 'CRM exclusions', description })).id;
    };
    const elsewhere = await create('f'.repeat(64));
    const own = await create(ledger.installation);
    expect((await sync(harness, exclusion)).blacklistId).toBe(own);
    await prospecting.blacklists.remove(own);
    await ledger.blacklists.forget(own);
    const before = await prospecting.blacklists.list();
    const refused = await failure(sync(harness, exclusion));
    expect(refused).toMatchObject({ type: 'BlacklistElsewhere', nonRetryable: true });
    expect(refused.message).toContain(
      `exclusions.customers: blacklist ${elsewhere} "CRM exclusions" belongs to another installation (ffffffffffff). Set another name in`,
    );
    await expect(failure(sync(harness, { ...exclusion, adopt: true }))).resolves.toMatchObject({
      type: 'BlacklistElsewhere',
    });
    expect(await prospecting.blacklists.list()).toEqual(before);
  });

  it('refuses the blacklist that another installation took over from it, and leaves it there when it uses another name', async () => {
    const harness = await createWithCsv(['Acme,,,']);
    const { prospecting, exclusion } = harness;
    const { blacklistId } = await sync(harness, exclusion);
    const description = toMarkedDescription(null, 'f'.repeat(64));
    await prospecting.blacklists.update(blacklistId, { description });
    await expect(failure(sync(harness, exclusion))).resolves.toMatchObject({ type: 'BlacklistElsewhere' });
    const renamed = await sync(harness, { ...exclusion, blacklist: 'Customers' });
    expect(renamed).toMatchObject({ added: 1, removed: 0 });
    expect(renamed.blacklistId).not.toBe(blacklistId);
    expect((await prospecting.blacklists.list()).find(({ id }) => id === blacklistId)).toMatchObject({
      name: 'CRM exclusions',
      description,
      entry_count: 1,
    });
  });

  it('adds its ownership mark to the longest description that has room for it, and cuts nothing', async () => {
    const harness = await createWithCsv(['Acme,,,']);
    const { prospecting, exclusion } = harness;
    await sync(harness, { ...exclusion, description: 'd'.repeat(1_916) });
    const [created] = await prospecting.blacklists.list();
    expect(created?.description).toMatch(
      /^d{1916}\nKept by prospect-sync; entries made by hand are removed\. Installation [0-9a-f]{12}\.$/,
    );
  });

  it('keeps its blacklist after that was renamed, and its preview shows the old and the new name', async () => {
    const harness = await createWithCsv(['Acme,,,']);
    const { prospecting, exclusion } = harness;
    const { blacklistId } = await sync(harness, exclusion);
    await prospecting.blacklists.update(blacklistId, { name: 'Renamed', description: '' });
    const context = { signal: new AbortController().signal, recordProgress: () => {} };
    const { preview } = await previewExclusion({ ...harness, now: () => new Date() }, exclusion, context);
    expect(toExclusionsLines(preview).map((line) => line.trim())).toContain(
      'the blacklist is named "Renamed": the next sync renames it to "CRM exclusions"',
    );
    const report = await sync(harness, exclusion);
    expect(report).toMatchObject({ blacklistId, added: 0, removed: 0 });
    expect(report.renamed).toEqual({ from: 'Renamed', to: 'CRM exclusions' });
    const { rename: _rename, ...figures } = preview;
    expect(
      toExclusionsLines({ ...figures, ...(report.renamed && { renamed: report.renamed }) }).map((line) => line.trim()),
    ).toContain('the blacklist was named "Renamed": the sync renamed it to "CRM exclusions"');
    expect(
      (await previewExclusion({ ...harness, now: () => new Date() }, exclusion, context)).preview.rename,
    ).toBeUndefined();
  });

  it('knows in its preview which rows of an enrichment its entries match after the sync', async () => {
    const harness = await createWithCsv(['Acme,,,', 'Beta,,,']);
    const { ledger, exclusion } = harness;
    await sync(harness, exclusion);
    harness.write(['Acme,,,', 'Gamma,,,']);
    const context = { signal: new AbortController().signal, recordProgress: () => {} };
    const rows = ['Acme', 'Beta', 'Gamma', 'Delta'].map((name, position) => {
      return { position, company: { company_name: name }, sourceRow: position + 2, ownJson: null };
    });
    const leftBy = async (plan: ExclusionPlan) => {
      const { entries } = await previewExclusion({ ...harness, now: () => new Date() }, plan, context);
      const found = await findExcludedRows(ledger, rows, [{ name: plan.name, entries: entries() }], context);
      const report = { kind: 'csv', rows: 4, blank: 0, unusable: 0, ordered: 4, columns: null } as const;
      const draft = { rows, source: { report, headers: [] }, excluded: [], rejected: [], noted: {} };
      const empty = { companies: null, delivery: {} as RunPlan['delivery'] };
      const run = { runName: 'leads', exclusions: [plan], maxBriefings: null, ...empty };
      const { source } = withoutExcluded(draft, found, run);
      return toSourceText(source.report)[0];
    };
    expect(await leftBy(exclusion)).toBe('4 rows, 2 excluded by customers, 2 ordered');
    // An entry whose removal waits for approval stays.
    const careful = { ...exclusion, removals: { maxPercent: 0, maxEntries: 0 } };
    expect(await leftBy(careful)).toBe('4 rows, 3 excluded by customers, 1 ordered');
  });

  it('shows in its preview which columns of a file are not read, in the words of an enrichment', async () => {
    const harness = await createActivityHarness();
    const csv = harness.file('list.csv', ['company_name,Notiz,website_url', 'Acme,,acme.example']);
    const exclusion = exclusionPlan({ source: exclusionSource({ csv }) });
    const context = { signal: new AbortController().signal, recordProgress: () => {} };
    const { preview } = await previewExclusion({ ...harness, now: () => new Date() }, exclusion, context);
    const lines = toExclusionsLines(preview).map((line) => line.trim());
    expect(lines).toEqual(
      expect.arrayContaining(['csv: columns read: company_name, website_url', 'csv: columns not read: Notiz']),
    );
    const columns = {
      columns_used: { company_name: 'company_name', website_url: 'website_url' },
      columns_ignored: ['Notiz'],
    };
    expect(toExclusionDocument(preview)).toMatchObject({ files: [{ kind: 'csv', ...columns }] });
  });

  it('names in its preview and in a sync the rows of 20 different names with one website', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `Company ${index},agency.de,City ${index},`);
    const harness = await createWithCsv(['Acme,acme.example,,', ...lines]);
    const context = { signal: new AbortController().signal, recordProgress: () => {} };
    const { preview } = await previewExclusion({ ...harness, now: () => new Date() }, harness.exclusion, context);
    expect(toExclusionsLines(preview).map((line) => line.trim())).toContain(
      'rows of several different names with one website: 20 (row 3, 4, 5, 6, 7 and 15 more). It may be a directory, a link of a mail filter, or filled in for all of them: replace it by their own websites, or leave the cells empty',
    );
    const { corrections } = await sync(harness, harness.exclusion);
    expect(corrections).toMatchObject({ crowdedWebsites: { rows: 20, first: [3, 4, 5, 6, 7] } });
  });

  it('names in its preview and in a sync the rows that would exclude by a doubtful name alone', async () => {
    const lines = ['Acme,acme.example,,', '*,,,', 'Germany,,,', 'Jordan,jordan.example,,', 'Deutschland,gmail.com,,'];
    const harness = await createWithCsv(lines);
    const context = { signal: new AbortController().signal, recordProgress: () => {} };
    const { preview } = await previewExclusion({ ...harness, now: () => new Date() }, harness.exclusion, context);
    expect(toExclusionsLines(preview).join('\n')).toMatch(/rows whose name looks wrong \(.*\): 3 \(row 3, 4, 6\)/);
    const { corrections } = await sync(harness, harness.exclusion);
    expect(corrections).toMatchObject({ doubtfulNames: { rows: 3, first: [3, 4, 6] } });
  });

  it('creates a new blacklist after its own was deleted, and its preview says so', async () => {
    const harness = await createWithCsv(['Acme,,,']);
    const { service, exclusion } = harness;
    const { blacklistId } = await sync(harness, exclusion);
    service.reset();
    const context = { signal: new AbortController().signal, recordProgress: () => {} };
    const { preview } = await previewExclusion({ ...harness, now: () => new Date() }, exclusion, context);
    expect(toExclusionsLines(preview).map((line) => line.trim())).toContain(
      `blacklist ${blacklistId} was deleted in the service, and excludes nothing any more: the next sync creates a new one with all entries`,
    );
    expect(toExclusionDocument(preview)).toMatchObject({ blacklist_id: null, deleted_blacklist_id: blacklistId });
    const again = await sync(harness, exclusion);
    expect(again.added).toBe(1);
    expect(await namesOf(harness, again.blacklistId)).toEqual(['Acme']);
    expect(blacklistId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('never empties a blacklist when the sources are empty', async () => {
    const harness = await createWithCsv(['Acme,,,']);
    const { blacklistId } = await sync(harness, harness.exclusion);
    const { type, nonRetryable, message } = await failure(sync(harness, empty));
    expect({ type, nonRetryable }).toEqual({ type: 'ExclusionsEmpty', nonRetryable: true });
    expect(message).toContain('its blacklist has 1 entries: nothing was removed');
    expect(await namesOf(harness, blacklistId)).toEqual(['Acme']);
  });

  it('accepts empty sources for an empty blacklist', async () => {
    expect(await sync(await createActivityHarness(), empty)).toMatchObject({ wanted: 0, added: 0, removed: 0 });
  });
});

describe('addExclusions', () => {
  it('adds no entry twice after a lost answer', async () => {
    const harness = await createWithCsv(names(450));
    const { service, perform, exclusion } = harness;
    service.faults.add({ method: 'POST', path: /\/entries$/, commit: true, reset: true, times: 1 });
    const step = await begin(harness, exclusion);
    const { blacklistId } = step;
    const lost = await failure(perform('addExclusions', step));
    expect(lost).toMatchObject({ nonRetryable: false, type: 'ServiceUnreachable' });
    expect(await perform('addExclusions', step, { attempt: 2 })).toEqual({ added: 0 });
    expect(await namesOf(harness, blacklistId)).toHaveLength(450);
    expect(entriesRequests(harness)).toHaveLength(1);
  });

  it('waits before it repeats a request that was not answered in time, and reads what that request has added', async () => {
    const late: Request[] = [];
    const harness = await createWithCsv(names(450), { serviceFetch: holdFirst(late) });
    const { service, perform } = harness;
    const step = await begin(harness, harness.exclusion);
    expect((await failure(perform('addExclusions', step))).nextRetryDelay).toBe(60_000);
    for (const request of late) await service.fetch(request);
    expect(await perform('addExclusions', step, { attempt: 2 })).toEqual({ added: 0 });
    expect(await namesOf(harness, step.blacklistId)).toHaveLength(450);
  });

  it('adds entries twice when a request is carried out after its retry, and the next sync removes the copies', async () => {
    const late: Request[] = [];
    const harness = await createWithCsv(names(450), { serviceFetch: holdFirst(late) });
    const { service, perform } = harness;
    const exclusion = { ...harness.exclusion, removals: { maxPercent: 0, maxEntries: 0 } };
    const step = await begin(harness, exclusion);
    await failure(perform('addExclusions', step));
    await perform('addExclusions', step, { attempt: 2 });
    expect(await remove(harness, { ...step, added: 450 })).toMatchObject({ removed: 0 });
    for (const request of late) await service.fetch(request);
    expect(await namesOf(harness, step.blacklistId)).toHaveLength(900);
    // Removing copies excludes no fewer companies, so it requires no approval.
    expect(await sync(harness, exclusion)).toMatchObject({ present: 900, added: 0, removed: 450, pending: null });
    expect(new Set(await namesOf(harness, step.blacklistId)).size).toBe(450);
    expect(await namesOf(harness, step.blacklistId)).toHaveLength(450);
  });

  // A delta scan removes no entries.
  it('removes copies that arrive after the sync before the order is placed', async () => {
    const late: Request[] = [];
    const harness = await createWithCsv(names(1_200), { serviceFetch: holdFirst(late) });
    const { service, perform } = harness;
    const step = await begin(harness, harness.exclusion);
    const { blacklistId } = step;
    await failure(perform('addExclusions', step));
    await perform('addExclusions', step, { attempt: 2 });
    for (const request of late) await service.fetch(request);
    expect(await namesOf(harness, blacklistId)).toHaveLength(2_400);
    const freeze = { runKey: 'run/a#1', blacklistIds: [blacklistId] };
    const [first] = await perform('freezeBlacklists', freeze);
    expect(new Set(await namesOf(harness, blacklistId)).size).toBe(1_200);
    expect(await namesOf(harness, blacklistId)).toHaveLength(1_200);
    expect(await perform('freezeBlacklists', freeze)).toEqual([first]);
  });

  it('adds all entries when the first request never arrived', async () => {
    const harness = await createWithCsv(names(3));
    const { service, perform, exclusion } = harness;
    const step = await begin(harness, exclusion);
    service.faults.add({ method: 'POST', path: /\/entries$/, status: 503, times: 1 });
    expect((await failure(perform('addExclusions', step))).nonRetryable).toBe(false);
    expect(await perform('addExclusions', step, { attempt: 2 })).toEqual({ added: 3 });
  });

  it.each<[string, (entries: Entry[]) => unknown[]]>([
    ['changed', (entries) => entries.map((entry) => ({ ...entry, company_name: entry.company_name.toUpperCase() }))],
    ['with one of them changed', ([first, ...others]) => [{ ...first, city: 'Elsewhere' }, ...others]],
    ['but not all', (entries) => entries.slice(1)],
    ['and one of them once more', ([first, ...others]) => [first, first, ...others]],
    ['with one of them in place of another', ([first, ...others]) => [first, first, ...others.slice(1)]],
  ])('takes back what it added when the service stores entries %s', async (_, store) => {
    let isNormal = true;
    const harness = await createWithCsv(['Before,,,', 'Gone,,,'], {
      async serviceFetch(request, proceed) {
        const isAdding = request.method === 'POST' && request.url.endsWith('/entries');
        if (isNormal || !isAdding) return proceed(request);
        const { entries } = (await request.clone().json()) as { entries: Entry[] };
        const body = JSON.stringify({ entries: store(entries) });
        return proceed(new Request(request, { method: 'POST', body }));
      },
    });
    const { exclusion, write } = harness;
    const { blacklistId } = await sync(harness, exclusion);
    const before = await entriesOf(harness, blacklistId);
    isNormal = false;
    write(['Before,,,', 'Geheim,,,', ...names(2_500)]);
    const { type, nonRetryable, message } = await failure(sync(harness, exclusion));
    expect({ type, nonRetryable }).toEqual({ type: 'EntriesChanged', nonRetryable: true });
    expect(message).not.toMatch(/geheim/i);
    expect(await entriesOf(harness, blacklistId)).toEqual(before);
  });
});

/** A blacklist in which one entry stays and another one is removed. */
async function prepare() {
  const harness = await createWithCsv(['Stays,,,', 'Gone,,,']);
  const { exclusion, write } = harness;
  await sync(harness, exclusion);
  write(['Stays,,,']);
  return { ...harness, step: await begin(harness, exclusion) };
}

describe('removeExclusions', () => {
  it('completes the removals after a lost answer', async () => {
    const harness = await prepare();
    const { service, step } = harness;
    service.faults.add({ method: 'DELETE', path: /\/entries$/, commit: true, reset: true, times: 1 });
    expect((await failure(remove(harness, step))).nonRetryable).toBe(false);
    await remove(harness, step, 2);
    expect(await namesOf(harness, step.blacklistId)).toEqual(['Stays']);
  });

  it('removes nothing when an attempt is still running after the sync has ended', async () => {
    const harness = await prepare();
    const { perform, step, ledger } = harness;
    expect(await remove(harness, step)).toMatchObject({ removed: 1 });
    await perform('closeExclusions', { syncId });
    // The wanted entries are deleted by now, and the existing ones are read again.
    const superfluous = { ...step, released: 1, approved: null, pending: null };
    expect(await perform('removeExclusions', superfluous, { attempt: 2 })).toEqual({ removed: 0, pending: null });
    const none = { ...superfluous, released: 0 };
    expect(await perform('removeExclusions', none, { attempt: 2 })).toEqual({ removed: 0, pending: null });
    expect(await ledger.exclusionRemovals.listPending()).toEqual([]);
    expect(await namesOf(harness, step.blacklistId)).toEqual(['Stays']);
  });

  it('keeps one copy when two runs added the same entries at the same time', async () => {
    const harness = await createWithCsv([...names(250), 'Acme,,,']);
    const { perform, exclusion } = harness;
    const steps = [];
    for (const one of ['run/a', 'run/b']) {
      const step = await begin(harness, exclusion, one);
      expect(step.before).toBe(0);
      steps.push(step);
    }
    const counts = [];
    for (const step of steps) counts.push({ ...step, ...(await perform('addExclusions', step)) });
    expect(counts.map(({ added }) => added)).toEqual([251, 251]);
    const blacklistId = steps[0]?.blacklistId ?? '';
    expect(await namesOf(harness, blacklistId)).toHaveLength(502);
    const removed = [];
    for (const step of counts) removed.push((await remove(harness, step)).removed);
    expect(removed).toEqual([251, 0]);
    const left = await namesOf(harness, blacklistId);
    expect(left).toHaveLength(251);
    expect(new Set(left).size).toBe(251);
  });

  it('starts from the beginning when the same sync runs again', async () => {
    const harness = await prepare();
    const { step, write, exclusion } = harness;
    await remove(harness, step);
    write(['Another,,,']);
    expect(await sync(harness, exclusion)).toMatchObject({ added: 1, removed: 1 });
    expect(await namesOf(harness, step.blacklistId)).toEqual(['Another']);
  });
});

describe('closeExclusions', () => {
  it('deletes the staged companies from the ledger', async () => {
    const harness = await prepare();
    const { perform, step, ledger } = harness;
    await remove(harness, step);
    await perform('closeExclusions', { syncId });
    expect(await ledger.exclusions.countWanted(syncId)).toBe(0);
    expect(await ledger.exclusions.countExisting(syncId)).toBe(0);
  });
});
