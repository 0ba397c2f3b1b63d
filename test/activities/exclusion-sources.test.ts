import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { toExclusionsLines } from '../../src/cli/print-exclusions.ts';
import { previewExclusion } from '../../src/companies/exclusions/preview-exclusion.ts';
import { toExclusionDocument } from '../../src/proof/report/exclusions-document.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';
import { exclusionPortal } from './exclusion-portal.ts';
import { entriesOf, sync } from './exclusion-steps.ts';
import { createActivityHarness, failure } from './activity-harness.ts';

async function prepare() {
  const harness = await createActivityHarness();
  const portal = exclusionPortal(harness);
  const names = ['A', 'B', 'C', 'D', 'E'];
  const ids = await harness.createRecords(
    'companies',
    names.map((name) => ({ name, domain: `${name.toLowerCase()}.example` })),
  );
  const [a = '', b = '', c = '', d = '', e = ''] = ids;
  /** The names and reasons in the blacklist. */
  const reasons = async (blacklistId: string) =>
    (await entriesOf(harness, blacklistId)).map(({ company_name, reason }) => `${company_name}: ${reason}`);
  return { ...harness, portal, companies: { a, b, c, d, e }, reasons };
}

describe('scanExclusions', () => {
  it('combines its sources: each company once, with all its reasons in a fixed order', async () => {
    const harness = await prepare();
    const { portal, companies, reasons } = harness;
    const { a, b, c, d, e } = companies;
    await portal.flag('no_mail');
    await portal.change(a, { lifecyclestage: 'customer', no_mail: 'true' });
    await portal.change(b, { no_mail: 'true' });
    await portal.change(e, { no_mail: 'false' });
    await portal.deal('contractsent', [a, c]);
    await portal.deal('closedlost', [e]);
    await portal.deal('closedwon', [d], { closedate: '2026-11-01' });
    await portal.deal('closedwon', [e], { closedate: '2026-01-01' });
    const lists = [await portal.list([c, a]), await portal.list([c])];
    const csv = harness.file('more.csv', ['company_name,website_url,reason', 'A,a.example,By hand', 'F,,']);
    const source = exclusionSource({
      lifecycleStages: ['customer'],
      openDeals: true,
      closedWonWithinDays: 90,
      lists,
      doNotContact: 'no_mail',
      csv,
    });
    const { blacklistId, ...synced } = await sync(harness, exclusionPlan({ source }));
    expect(synced).toMatchObject({
      wanted: 5,
      added: 5,
      counts: {
        open_deals: 2,
        closed_won: 1,
        [`lists:${lists[0]}`]: 2,
        [`lists:${lists[1]}`]: 1,
        'lifecycle_stages:customer': 1,
        do_not_contact: 2,
        csv: 2,
      },
      corrections: { duplicates: 1 },
      coverage: { externalId: 4, domain: 4, nameAndCity: 0, nameOnly: 1 },
    });
    expect(await reasons(blacklistId)).toEqual([
      `A: Customer; Open deal; List ${lists[0]}; Do not contact; By hand`,
      'B: Do not contact',
      `C: Open deal; List ${lists[0]}; List ${lists[1]}`,
      'D: Won within 90 days',
      'F: Customer',
    ]);
    // A company of several sources keeps its record id, and no reason of deals and lists that ended.
    expect(await sync(harness, exclusionPlan({ source }))).toMatchObject({ added: 0, removed: 0 });
  });

  it('names the records that it would exclude by a doubtful name alone, in its preview and in a sync', async () => {
    const harness = await prepare();
    const records = [{ name: '*' }, { name: 'Germany' }, { name: 'Jordan', domain: 'jordan.example' }, { name: 'F' }];
    const members = await harness.createRecords('companies', records);
    const list = await harness.portal.list(members);
    const plan = exclusionPlan({ source: exclusionSource({ lists: [list] }) });
    const context = { signal: new AbortController().signal, recordProgress: () => {} };
    const { preview } = await previewExclusion({ ...harness, now: () => new Date() }, plan, context);
    const first = members.slice(0, 2);
    expect(toExclusionsLines(preview).map((line) => line.trim())).toContain(
      `CRM companies without a website whose name looks wrong (broken characters, a number or signs only, added symbols, a register number, a web address, several names or lines, a legal form, a header, a country or a region only, a total): 2 (record ${first.join(', ')})`,
    );
    expect(toExclusionDocument(preview).corrections).toMatchObject({ doubtful_records: { records: 2, first } });
    expect((await sync(harness, plan)).corrections).toMatchObject({ doubtfulRecords: { records: 2, first } });
  });

  it('names each source without a company beside others, in its preview and in a sync', async () => {
    const harness = await prepare();
    const { portal, companies } = harness;
    await portal.change(companies.a, { lifecyclestage: 'customer' });
    const lists = [await portal.list([]), await portal.list([companies.b])];
    const source = exclusionSource({ lifecycleStages: ['customer', 'opportunity'], openDeals: true, lists });
    const context = { signal: new AbortController().signal, recordProgress: () => {} };
    const plan = exclusionPlan({ source, fullScanEveryMs: 3_600_000 });
    const { preview } = await previewExclusion({ ...harness, now: () => new Date() }, plan, context);
    expect(toExclusionsLines(preview).map((line) => line.trim())).toContain(
      `sources without a company: open_deals, list ${lists[0]}, lifecycle stage opportunity. Check that they are the right ones`,
    );
    const empty = ['open_deals', `lists:${lists[0]}`, 'lifecycle_stages:opportunity'];
    expect(toExclusionDocument(preview)).toMatchObject({ empty_sources: empty });
    expect(await sync(harness, plan)).toMatchObject({ kind: 'full', emptySources: empty });
    const changes = await sync(harness, plan);
    expect(changes.kind).toBe('delta');
    expect(changes).not.toHaveProperty('emptySources');
  });

  it('excludes the additional domains of a company, each with an entry, and none that a user has removed', async () => {
    const harness = await prepare();
    const { portal, companies } = harness;
    await portal.change(companies.a, { lifecyclestage: 'customer', hs_additional_domains: 'acme.de;gmail.com' });
    const plan = exclusionPlan({ source: exclusionSource({ lifecycleStages: ['customer'] }) });
    const { blacklistId, ...synced } = await sync(harness, plan);
    expect(synced).toMatchObject({ wanted: 2, added: 2, counts: { 'lifecycle_stages:customer': 1 } });
    const websites = async () => (await entriesOf(harness, blacklistId)).map((entry) => entry.website_url);
    expect(await websites()).toEqual(['https://a.example', 'https://acme.de']);
    await portal.change(companies.a, { hs_additional_domains: '' });
    await sync(harness, plan);
    expect(await websites()).toEqual(['https://a.example']);
  });

  it('reads the companies of 1,000 deals in one call, and company records 100 at a time', async () => {
    const harness = await prepare();
    const { portal, companies } = harness;
    for (let deal = 0; deal < 5; deal += 1) await portal.deal('contractsent', [companies.a, companies.b]);
    const before = portal.asked().length;
    await sync(harness, exclusionPlan({ source: exclusionSource({ openDeals: true }) }));
    expect(portal.asked().slice(before)).toEqual([
      expect.stringMatching(/^POST .*deals\/search$/),
      expect.stringMatching(/^POST .*associations.*deals\/companies\/batch\/read$/),
      expect.stringMatching(/^POST .*companies\/batch\/read$/),
    ]);
  });

  it('leaves out archived companies', async () => {
    const harness = await prepare();
    const { portal, companies, reasons } = harness;
    const list = await portal.list([companies.a, companies.b]);
    await portal.archive(companies.b);
    const { blacklistId } = await sync(harness, exclusionPlan({ source: exclusionSource({ lists: [list] }) }));
    expect(await reasons(blacklistId)).toEqual([`A: List ${list}`]);
  });

  it('rejects a missing list, a missing property, and a list of other objects than companies', async () => {
    const harness = await prepare();
    const contacts = await harness.portal.list([], '0-1');
    const refused = async (source: Parameters<typeof exclusionSource>[0]) =>
      failure(sync(harness, exclusionPlan({ source: exclusionSource(source) })));
    expect(await refused({ lists: ['987654'] })).toMatchObject({ type: 'ListRefused', nonRetryable: true });
    expect((await refused({ lists: [contacts] })).message).toContain(
      `list ${contacts} is a list of contacts, and a list of companies is needed`,
    );
    expect(await refused({ doNotContact: 'no_such_thing' })).toMatchObject({
      type: 'PropertyRefused',
      nonRetryable: true,
      message: expect.stringContaining('no_such_thing'),
    });
    expect(harness.asked()).toEqual([]);
  });

  it('leaves out expired rows, and names invalid dates', async () => {
    const harness = await prepare();
    const head = 'company_name,expires_at';
    const csv = harness.file('exclusions.csv', [head, 'Past,2026-11-19', 'Today,2026-11-20', 'Ever,']);
    const exclusion = exclusionPlan({ source: exclusionSource({ csv }) });
    const { blacklistId, ...synced } = await sync(harness, exclusion);
    expect(synced).toMatchObject({ wanted: 2, corrections: { expired: 1 } });
    harness.pass(24 * 3_600);
    expect(await sync(harness, exclusion)).toMatchObject({ added: 0, removed: 1 });
    expect((await entriesOf(harness, blacklistId)).map(({ company_name }) => company_name)).toEqual(['Ever']);
    harness.file('exclusions.csv', [head, 'Geheim,31.12.2026']);
    const { message } = await failure(sync(harness, exclusion));
    expect(message).toContain('row 2: expires_at: must be a date such as 2027-03-31');
  });

  it('rejects a column name that is almost a known one, and ignores other columns', async () => {
    const harness = await prepare();
    const inFile = (...lines: string[]) =>
      exclusionPlan({ source: exclusionSource({ csv: harness.file('exclusions.csv', lines) }) });
    const misspelt = inFile('company_name,website_url,expires', 'Acme,acme.example,2020-01-01');
    const { message, type } = await failure(sync(harness, misspelt));
    expect(type).toBe('FileRefused');
    expect(message).toContain('The column "expires" is not read, and may be expires_at.');
    const more = inFile(
      'company_name,website_url,expires_at,expires,Account owner',
      'Acme,acme.example,2099-01-01,x,Me',
    );
    expect(await sync(harness, more)).toMatchObject({ wanted: 1 });
  });

  it('reads Excel files by the same rules as CSV files', async () => {
    const harness = await prepare();
    const write = async (rows: string[][]) => {
      const workbook = new ExcelJS.Workbook();
      const sheet = workbook.addWorksheet('Exclusions');
      for (const row of rows) sheet.addRow(row);
      const path = join(harness.folder, 'exclusions.xlsx');
      await workbook.xlsx.writeFile(path);
      return exclusionPlan({ source: exclusionSource({ xlsx: path }) });
    };
    const head = ['Company name', 'Website URL', 'Reason', 'Expires at'];
    const exclusion = await write([head, ['Acme', 'acme.example', '', ''], ['Past', '', 'Rival', '2020-01-01']]);
    const { blacklistId, ...synced } = await sync(harness, exclusion);
    expect(synced).toMatchObject({ wanted: 1, counts: { xlsx: 2 }, corrections: { expired: 1, completedUrls: 1 } });
    expect(await entriesOf(harness, blacklistId)).toMatchObject([
      { company_name: 'Acme', website_url: 'https://acme.example', reason: 'Customer' },
    ]);
    const refused = async (rows: string[][]) => failure(sync(harness, await write(rows)));
    expect((await refused([['Firma'], ['Geheim']])).message).toContain(
      'it has no column company_name. The column "Firma" is not read, and may be company_name.',
    );
    expect((await refused([head])).message).toContain('has no row below its header');
    expect(await refused([head, ['', 'x.example', '', '']])).toMatchObject({ type: 'FileRefused' });
  });

  it('rejects a file without a header, and does not quote its content', async () => {
    const harness = await prepare();
    const refused = async (...lines: string[]) => {
      const csv = harness.file('no-header.csv', lines);
      return failure(sync(harness, exclusionPlan({ source: exclusionSource({ csv }) })));
    };
    const row = 'Bert Geheim,bert@geheim.example,Graz';
    const { message } = await refused('Anna Geheim,anna@geheim.example,Wien', row);
    expect(message).toContain('none of its 3 cells are known names');
    expect(message).not.toMatch(/geheim|wien/i);
    const half = await refused('Geheim GmbH,City,country', row);
    expect(half.message).toContain('"City", "country" of its 3 cells are known names');
    expect(half.message).not.toMatch(/geheim/i);
    expect(await refused('constructor,toString', 'a,b')).toMatchObject({
      message: expect.stringContaining('none of its 2 cells are known names'),
    });
  });

  it('corrects entries that would match too much or be rejected, and counts the corrections', async () => {
    const harness = await prepare();
    const csv = harness.file('exclusions.csv', [
      'company_name,website_url,city,external_id',
      'Acme,acme.example,,',
      'ACME,https://www.acme.example/de,Graz,',
      'Acme,acme.example,Bern,',
      'Page,https://www.facebook.com/page,,',
      'Mail,info@mail.example,,',
      'Ids,,,1',
      'I\0ds,,,2',
    ]);
    const { blacklistId, ...synced } = await sync(harness, exclusionPlan({ source: exclusionSource({ csv }) }));
    expect(synced).toMatchObject({
      wanted: 6,
      corrections: {
        completedUrls: 3,
        sharedDomains: 1,
        duplicates: 1,
        expired: 0,
        replaced: 1,
        doubtfulNames: { rows: 1, first: [8] },
        emailWebsites: { rows: 1, first: [6] },
      },
      coverage: { externalId: 2, domain: 3, nameAndCity: 2, nameOnly: 1 },
    });
    const entries = await entriesOf(harness, blacklistId);
    expect(entries.map(({ company_name, city, website_url }) => [company_name, city, website_url])).toEqual([
      ['Acme', expect.anything(), 'https://acme.example'],
      ['Acme', expect.anything(), 'https://acme.example'],
      ['Ids', null, null],
      ['I\uFFFDds', null, null],
      ['Mail', null, 'https://mail.example'],
      ['Page', null, null],
    ]);
  });
});

describe('scanExclusions as a delta scan', () => {
  const hour = 3_600;

  it('only adds, recognises existing entries with any reason, and leaves removals to the next full scan', async () => {
    const harness = await prepare();
    const { portal, companies, reasons, pass } = harness;
    const { a, b, c, d } = companies;
    for (const id of [a, b]) await portal.change(id, { lifecyclestage: 'customer' });
    const deal = await portal.deal('contractsent', [c]);
    const source = exclusionSource({ lifecycleStages: ['customer'], openDeals: true });
    const exclusion = exclusionPlan({ source, fullScanEveryMs: 24 * hour * 1_000 });
    const { blacklistId, kind } = await sync(harness, exclusion);
    expect(kind).toBe('full');

    pass(hour);
    await portal.moveDeal(deal, 'closedlost');
    await portal.archive(b);
    await portal.change(d, { lifecyclestage: 'customer' });
    await portal.deal('contractsent', [a]);
    expect(await sync(harness, exclusion)).toMatchObject({
      kind: 'delta',
      isEnough: true,
      wanted: 2,
      added: 1,
      removed: 0,
    });
    expect(await reasons(blacklistId)).toEqual(['A: Customer', 'B: Customer', 'C: Open deal', 'D: Customer']);

    pass(23 * hour);
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'full', added: 1, removed: 3 });
    expect(await reasons(blacklistId)).toEqual(['A: Customer; Open deal', 'D: Customer']);
  });

  it('adds nothing for a company that a full scan merged from record and row, and adds an entry with more data', async () => {
    const harness = await prepare();
    const { portal, companies, pass } = harness;
    await portal.change(companies.a, { lifecyclestage: 'customer', city: 'Graz' });
    const write = (...rows: string[]) =>
      harness.file('more.csv', [
        'company_name,website_url,city,country',
        'A,https://a.example/about,,Austria',
        ...rows,
      ]);
    const exclusion = exclusionPlan({
      source: exclusionSource({ lifecycleStages: ['customer'], csv: write() }),
      fullScanEveryMs: 24 * hour * 1_000,
      deltaOverlapMs: 0,
    });
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'full', added: 1 });
    pass(hour);
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'delta', wanted: 1, added: 0 });
    write('a,https://a.example,GRAZ,', 'A,https://a.example,Bern,');
    // The row without a city joins the first of the two others, so only the one of Bern is new.
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'delta', wanted: 2, added: 1 });
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'delta', added: 0 });
    pass(24 * hour);
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'full', added: 0, removed: 0 });
  });

  it('starts delta_overlap before the last scan', async () => {
    const harness = await prepare();
    const { portal, companies, pass } = harness;
    await portal.change(companies.a, { lifecyclestage: 'customer' });
    pass(hour);
    const exclusion = exclusionPlan({
      source: exclusionSource({ lifecycleStages: ['customer'] }),
      fullScanEveryMs: 24 * hour * 1_000,
    });
    await sync(harness, exclusion);
    await portal.change(companies.b, { lifecyclestage: 'customer' });
    pass(300);
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'delta', wanted: 1, added: 1 });
    pass(300);
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'delta', wanted: 1, added: 0 });
    pass(700);
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'delta', wanted: 1, added: 0 });
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'delta', wanted: 0, added: 0 });
  });

  it('becomes a full scan after a change of settings, for another blacklist, or on request', async () => {
    const harness = await prepare();
    const { portal, companies, service } = harness;
    await portal.change(companies.a, { lifecyclestage: 'customer' });
    const exclusion = exclusionPlan({
      source: exclusionSource({ lifecycleStages: ['customer'] }),
      fullScanEveryMs: 24 * hour * 1_000,
    });
    await sync(harness, exclusion);
    expect(await sync(harness, exclusion, { full: true })).toMatchObject({ kind: 'full' });
    const widened = { ...exclusion, source: { ...exclusion.source, lifecycleStages: ['customer', 'lead'] } };
    expect(await sync(harness, widened)).toMatchObject({ kind: 'full' });
    expect(await sync(harness, { ...widened, blacklist: 'Another' })).toMatchObject({ kind: 'full' });
    await sync(harness, exclusion, { full: true });
    // Only the service knows that the blacklist is deleted.
    service.reset();
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'delta', isEnough: false });
  });

  it('reads the same changes again when the sync fails before it has added everything', async () => {
    const harness = await prepare();
    const { portal, companies, service, pass } = harness;
    await portal.change(companies.a, { lifecyclestage: 'customer' });
    const exclusion = exclusionPlan({
      source: exclusionSource({ lifecycleStages: ['customer'] }),
      fullScanEveryMs: 24 * hour * 1_000,
    });
    await sync(harness, exclusion);
    await portal.change(companies.b, { lifecyclestage: 'customer' });
    pass(hour);
    service.faults.add({ method: 'POST', path: /\/entries$/, status: 503, times: 1 });
    await failure(sync(harness, exclusion));
    expect(await sync(harness, exclusion)).toMatchObject({ kind: 'delta', added: 1 });
  });
});
