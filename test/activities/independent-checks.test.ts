// What a reconciliation finds when the service, the ledger or the files are wrong in a way that their own numbers confirm.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { PlannedDelivery } from '../../src/ledger/order-store.ts';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { crmPlan } from '../helpers/worker-configuration.ts';
import { createActivityHarness, failure, plan, type ActivityHarness } from './activity-harness.ts';
import { outcomeLines, range, reconcile } from './order-steps.ts';
import { fileCompanies } from '../helpers/companies-source.ts';

const rows = [
  'company_name,website_url,city,country,external_id',
  'Nordwind Solar GmbH,https://nordwind-solar.example,Hamburg,Germany,7',
  'Kieler Werft AG,https://www.kieler-werft.example,Kiel,Germany,8',
  'Moved,https://x.website-moved.example,Ulm,Germany,9',
  'Again,https://nordwind-solar.example,Hamburg,Germany,10',
  'Lost,https://c.unresolved-identity.example,Ulm,Germany,11',
];

interface Item {
  input_position: number;
  external_id?: string | undefined;
  status: string;
  reason_codes: string[];
  reasons: { message: string }[];
  duplicate_of_input_position?: number | null;
  company: Record<string, unknown> | null;
}
interface Page {
  items: Item[];
  total: number;
  has_more: boolean;
  summary: { requested_count: number; fully_enriched_count: number; annotated_count: number; reasons: unknown[] };
}
type OrderAnswer = Record<string, unknown> & { result_summary: Page['summary'] | null };

/** Changes answers once `start` was called. */
function createChanges() {
  let changePage: (page: Page) => void = () => undefined;
  let changeOrder: (order: OrderAnswer) => void = () => undefined;
  return {
    onPage: (change: typeof changePage) => (changePage = change),
    onOrder: (change: typeof changeOrder) => (changeOrder = change),
    serviceFetch: async (request: Request, proceed: (request: Request) => Promise<Response>): Promise<Response> => {
      const { pathname } = new URL(request.url);
      const response = await proceed(request);
      if (!response.ok || request.method !== 'GET') return response;
      const isPage = pathname.endsWith('/results');
      if (!isPage && !/\/orders\/[^/]+$/.test(pathname)) return response;
      const answer: unknown = await response.json();
      if (isPage) changePage(answer as Page);
      else changeOrder(answer as OrderAnswer);
      return Response.json(answer, { status: response.status });
    },
  };
}
type Changes = ReturnType<typeof createChanges>;

/** A run that is placed by this ledger, up to the place where its results are collected. */
async function placeRun(changes: Changes, planned: Partial<RunPlan> & { externalIdsAreRecordIds?: boolean } = {}) {
  const { externalIdsAreRecordIds = false, ...further } = planned;
  const harness = await createActivityHarness({ serviceFetch: changes.serviceFetch });
  await harness.prepareCrm();
  const delivery = {
    crm: crmPlan,
    lists: null,
    spreadsheets: null,
    serviceOutputs: null,
    evidenceDirectory: harness.folder,
    externalIdsAreRecordIds,
  };
  const lines = externalIdsAreRecordIds ? await nameRecords(harness) : rows;
  const companies = fileCompanies(harness.file('companies.csv', lines));
  const enrichment = { kind: 'enrichment', briefingQuantity: null, companies } as const;
  const run = plan({ runName: 'known', delivery, features: ['COMPANY_DATA', 'CONTACTS'], ...enrichment, ...further });
  const started = harness.configureRun(run);
  await harness.storeProfile(run);
  const runKey = 'run/known#1';
  if (run.kind === 'enrichment') await harness.perform('draftOrder', { run: started, runKey });
  const { orderId } = await harness.perform('placeOrder', { run: started, runKey });
  harness.pass(10);
  return { ...harness, orderId, run };
}

/** The rows with the ids of HubSpot companies, which are created. */
async function nameRecords({ createRecords }: ActivityHarness): Promise<string[]> {
  const [header = '', ...lines] = rows;
  const ids = await createRecords(
    'companies',
    lines.map((_, index) => ({ name: `Submitted ${index}` })),
  );
  return [header, ...lines.map((line, index) => line.replace(/\d+$/, ids[index] ?? ''))];
}

/** Collects the results, and writes them to HubSpot as the workflow does. */
async function deliver({ perform, orderId, run }: Awaited<ReturnType<typeof placeRun>>, projectionId = 'first') {
  const { total } = await perform('awaitPublication', { orderId, runName: run.runName });
  await perform('collectResults', { orderId, from: 0, to: total });
  await perform('summarizeSlots', { orderId });
  await perform('projectToCrm', range({ orderId, total }, { projectionId }));
  return { orderId, total };
}

function itemAt(items: readonly Item[], position: number): Item {
  const item = items[position];
  if (item === undefined) throw new RangeError(`no item at ${position}`);
  return item;
}

const codesOf = async (harness: ActivityHarness, orderId: string) => {
  // Whatever is stored later has a later time.
  harness.pass(1);
  const { reconciled, findings } = await reconcile(harness, { orderId, total: 0 });
  return { reconciled, found: findings.map(({ code, count }) => `${code} ${count}`) };
};

/** Finds the codes when the answers change before the results are collected, or between the two readings. */
async function findWith(
  when: 'from the first reading' | 'in the second reading',
  change: (changes: Changes) => void,
  planned: Partial<RunPlan> = {},
) {
  const changes = createChanges();
  const placed = await placeRun(changes, planned);
  if (when === 'from the first reading') change(changes);
  const { orderId } = await deliver(placed);
  if (when === 'in the second reading') change(changes);
  return codesOf(placed, orderId);
}

describe('an unchanged order', () => {
  it.each(['enrichment', 'discovery'] as const)('has no finding (%s)', async (kind) => {
    const discovery = { kind, briefingQuantity: 30, companies: null };
    const { found } = await findWith('in the second reading', () => undefined, kind === 'discovery' ? discovery : {});
    expect(found).toEqual([]);
  });
});

describe('a service that is wrong in the results and in its own numbers', () => {
  it('has published fewer rows than were submitted', async () => {
    const { found } = await findWith('from the first reading', ({ onPage, onOrder }) => {
      const summary = { requested_count: 1, fully_enriched_count: 1, annotated_count: 0, reasons: [] };
      onPage((page) => Object.assign(page, { items: page.items.slice(0, 1), total: 1, has_more: false, summary }));
      onOrder((order) => {
        Object.assign(order, { briefing_quantity: 1, available_briefing_quantity: 1, result_summary: summary });
      });
    });
    expect(found).toEqual(
      expect.arrayContaining(['submitted_rows_differ 4', 'requested_count_differs 4', 'ordered_quantity_differs 4']),
    );
  });

  it('has found fewer companies than a discovery ordered', async () => {
    const discovery = { kind: 'discovery', briefingQuantity: 5, companies: null } as const;
    const shorten: Parameters<typeof findWith>[1] = ({ onPage, onOrder }) => {
      const summary = { requested_count: 3, fully_enriched_count: 3, annotated_count: 0, reasons: [] };
      onPage((page) => Object.assign(page, { items: page.items.slice(0, 3), total: 3, has_more: false, summary }));
      onOrder((order) => {
        Object.assign(order, { briefing_quantity: 3, available_briefing_quantity: 3, result_summary: summary });
      });
    };
    const { found } = await findWith('from the first reading', shorten, discovery);
    expect(found).toEqual([
      'ordered_quantity_differs 2',
      'requested_count_differs 2',
      'fewer_delivered_than_ordered 2',
    ]);
  });

  it('delivers a company twice in a discovery', async () => {
    const discovery = { kind: 'discovery', briefingQuantity: 30, companies: null } as const;
    const repeat = ({ onPage }: Changes) =>
      onPage(({ items }) => {
        for (const position of [7, 8]) items[position] = { ...itemAt(items, 3), input_position: position };
      });
    expect((await findWith('from the first reading', repeat, discovery)).found).toContain('company_delivered_twice 2');
  });

  it('says that a row repeats another one, whose company is another', async () => {
    const { found } = await findWith('from the first reading', ({ onPage }) =>
      onPage(({ items }) => {
        const duplicate = itemAt(items, 3);
        expect(duplicate.status).toBe('DUPLICATE');
        duplicate.duplicate_of_input_position = 1;
      }),
    );
    expect(found).toEqual(['duplicate_reference_wrong 1']);
  });

  it('says that it had delivered before the order was placed', async () => {
    const { found } = await findWith('from the first reading', ({ onPage }) =>
      onPage(({ items }) => {
        for (const item of items) Object.assign(item, { delivered_at: '2001-01-01T00:00:00.000000Z' });
      }),
    );
    expect(found).toContain('delivered_before_order 5');
  });

  it.each([
    ['order_id', '00000000-0000-4000-8000-000000000000'],
    ['profile_id', '00000000-0000-4000-8000-000000000000'],
    ['features', ['COMPANY_DATA']],
    ['title', 'Another'],
  ])('has another %s in the order than was sent', async (field, value) => {
    const { found } = await findWith('from the first reading', ({ onOrder }) =>
      onOrder((order) => (order[field] = value)),
    );
    expect(found).toContain(`order_field_differs:${field} 1`);
  });

  it('says another kind of order, or none', async () => {
    const kinds = async (word: string | undefined) =>
      (await findWith('from the first reading', ({ onOrder }) => onOrder((order) => (order['order_type'] = word))))
        .found;
    expect(await kinds('DISCOVERY')).toEqual(['order_kind_differs 1']);
    expect(await kinds(undefined)).toEqual([]);
  });
});

// Guarantee: A green run is proved
describe('rows that come back in each other’s place', () => {
  const swap = ({ onPage }: Changes) =>
    onPage(({ items }) => {
      const [first, second] = [items[0], items[1]];
      if (first === undefined || second === undefined) return;
      [items[0], items[1]] = [
        { ...second, input_position: 0 },
        { ...first, input_position: 1 },
      ];
    });

  it('are found, with and without their external ids', async () => {
    const { found } = await findWith('from the first reading', swap);
    expect(found).toEqual(expect.arrayContaining(['external_id_differs 2']));
    const keepIds = (changes: Changes) =>
      changes.onPage(({ items }) => {
        const [first, second] = [items[0], items[1]];
        if (first && second) [first.company, second.company] = [second.company, first.company];
        for (const item of items) if (item.company) delete item.company['source_id'];
      });
    const companies = await findWith('from the first reading', keepIds);
    expect(companies.found).toEqual(expect.arrayContaining(['company_differs_from_row 2']));
  });

  it('do not overwrite the records that their external ids name', async () => {
    const changes = createChanges();
    const placed = await placeRun(changes, { externalIdsAreRecordIds: true });
    swap(changes);
    const order = await deliver(placed);
    const lines = await outcomeLines(placed, order);
    expect(lines.filter((line) => /^[01] /.test(line) && !line.includes('external_id_differs'))).toEqual([]);
    expect(lines.filter((line) => /^[01] company/.test(line))).toEqual([
      '0 company quarantined external_id_differs',
      '1 company quarantined external_id_differs',
    ]);
  });
});

describe('a second reading', () => {
  it.each<[string, string, (item: Item) => unknown]>([
    ['has lost all company fields but the id', 'slot_differs', (item) => (item.company &&= { id: item.company['id'] })],
    ['has lost its reference to the earlier row', 'slot_differs', (item) => delete item.duplicate_of_input_position],
  ])('that %s is a finding', async (_, code, change) => {
    const { found } = await findWith('in the second reading', ({ onPage }) =>
      onPage(({ items }) => items.forEach((item) => change(item))),
    );
    expect(found.map((text) => text.split(' ')[0])).toEqual([code]);
  });

  it('with new fields and other wordings is none', async () => {
    const { found } = await findWith('in the second reading', ({ onPage }) =>
      onPage(({ items }) => {
        for (const item of items) {
          Object.assign(item, {
            priority: 3,
            reasons: item.reasons.map((reason) => ({ ...reason, message: 'Other' })),
          });
          if (item.company) item.company['turnover'] = 12;
        }
      }),
    );
    expect(found).toEqual([]);
  });

  it('with another total or another end is a finding', async () => {
    const total = await findWith('in the second reading', ({ onPage }) => onPage((page) => void (page.total = 6)));
    expect(total.found).toEqual(['results_total_differs 1']);
    const more = await findWith('in the second reading', ({ onPage }) => onPage((page) => void (page.has_more = true)));
    expect(more.found).toEqual(['results_end_differs 1']);
    const beyond = await findWith('in the second reading', ({ onPage }) =>
      onPage(({ items }) => void items.push({ ...itemAt(items, 0), input_position: items.length })),
    );
    expect(beyond.found).toEqual(['slots_beyond_total 1']);
    const summary = await findWith('in the second reading', ({ onPage }) =>
      onPage((page) => void (page.summary.requested_count += 1)),
    );
    expect(summary.found).toEqual(['page_summary_differs 1']);
    const gone = await findWith('in the second reading', ({ onOrder }) =>
      onOrder((order) => (order['profile_id'] = null)),
    );
    expect(gone.found).toEqual(['order_field_differs:profile_id 1']);
    const available = await findWith('in the second reading', ({ onOrder }) =>
      onOrder((order) => (order['available_briefing_quantity'] = 4)),
    );
    expect(available.found).toEqual(['slots_differ_from_available_quantity 1']);
  });
});

describe('people', () => {
  const withoutPeople = ({ onPage }: Changes) =>
    onPage(({ items }) => {
      for (const { company } of items.slice(0, 1)) if (company) company['prospects'] = [];
    });

  it('that are missing from more companies than the run allows are a finding', async () => {
    const found = async (maxWithoutPeoplePercent?: number) =>
      (
        await findWith(
          'from the first reading',
          withoutPeople,
          maxWithoutPeoplePercent === undefined ? {} : { maxWithoutPeoplePercent },
        )
      ).found;
    expect(await found()).toEqual(['people_missing 1']);
    expect(await found(50)).toEqual([]);
    expect(await found(49)).toEqual(['people_missing 1']);
  });

  it('that the service has withdrawn are a finding until the user accepts the change', async () => {
    const changes = createChanges();
    const placed = await placeRun(changes);
    const order = await deliver(placed);
    withoutPeople(changes);
    expect((await codesOf(placed, order.orderId)).found).toEqual(['prospects_withdrawn 1']);

    // Another ingest keeps the collected version.
    await deliver(placed, 'second');
    expect((await codesOf(placed, order.orderId)).found).toEqual(['prospects_withdrawn 1']);

    const accept = { orderId: order.orderId, from: 0, to: order.total, acceptChanges: true };
    await placed.perform('collectResults', accept);
    await placed.perform('collectResults', accept);
    await placed.perform('summarizeSlots', order);
    await placed.perform('projectToCrm', range(order, { projectionId: 'third' }));
    expect((await codesOf(placed, order.orderId)).found).toEqual(['people_missing 1']);
    const database = new DatabaseSync(join(placed.folder, 'ledger.db'));
    expect(database.prepare('select position from replaced_slots').all()).toEqual([{ position: 0 }]);
    database.close();
  });
});

describe('a slot that the service has changed otherwise', () => {
  const rename = ({ onPage }: Changes) =>
    onPage(({ items }) => {
      for (const { company } of items.slice(1, 2)) if (company) company['city'] = 'Rostock';
    });

  it('stops an ingest, and replaces the collected one when the user accepts it', async () => {
    const changes = createChanges();
    const placed = await placeRun(changes);
    const order = await deliver(placed);
    await codesOf(placed, order.orderId);
    rename(changes);
    const all = { orderId: order.orderId, from: 0, to: order.total };
    expect(await failure(placed.perform('collectResults', all))).toMatchObject({ type: 'ResultsChanged' });
    expect((await codesOf(placed, order.orderId)).found).toEqual(['slot_differs 1']);
    await placed.perform('collectResults', { ...all, acceptChanges: true });
    await placed.perform('projectToCrm', range(order, { projectionId: 'second' }));
    expect(await codesOf(placed, order.orderId)).toMatchObject({ reconciled: 5, found: [] });
    const [{ slot } = {}] = await placed.ledger.slots.readParsed(order.orderId, { from: 1, to: 2 });
    expect(slot?.company?.city).toBe('Rostock');
  });
});

describe('a ledger that has lost something', () => {
  const planned: PlannedDelivery = { crm: true, spreadsheets: ['csv', 'xlsx'], serviceOutputs: ['csv en'] };

  it('still knows what was to be delivered where', async () => {
    const changes = createChanges();
    const placed = await placeRun(changes);
    const { orderId } = await deliver(placed);
    const database = new DatabaseSync(join(placed.folder, 'ledger.db'));
    database.exec('delete from outcomes');
    database.close();
    await placed.ledger.orders.saveDelivery(orderId, planned);
    expect((await codesOf(placed, orderId)).found).toEqual([
      'outcome_missing 5',
      'csv_file_not_written 1',
      'xlsx_file_not_written 1',
      'service_output_not_requested 1',
    ]);
  });
});

describe('the specification’s rules about slots', () => {
  const duplicateOf = (position: number, earlier: number | null) => (items: Item[]) =>
    Object.assign(itemAt(items, position), { duplicate_of_input_position: earlier });

  it.each<[string, (items: Item[]) => unknown]>([
    ['unresolved_slot_with_company', (items) => (itemAt(items, 4).company = { name: 'Lost' })],
    ['slot_without_company', (items) => (itemAt(items, 2).company = null)],
    [
      'partial_slot_with_people',
      (items) => Object.assign(itemAt(items, 2).company ?? {}, { prospects: itemAt(items, 0).company?.['prospects'] }),
    ],
    ['reason_of_another_status', (items) => (itemAt(items, 0).reason_codes = ['NO_EMAIL_FOUND'])],
    ['duplicate_reference_wrong', duplicateOf(3, 4)],
    ['duplicate_reference_wrong', duplicateOf(3, null)],
    ['duplicate_reference_wrong', duplicateOf(0, 0)],
  ])('are checked for every order: %s', async (code, change) => {
    const { found } = await findWith('from the first reading', ({ onPage }) => onPage(({ items }) => change(items)));
    expect(found).toContain(`${code} 1`);
  });

  it('are checked for a discovery', async () => {
    const discovery = { kind: 'discovery', briefingQuantity: 5, companies: null } as const;
    const change = ({ onPage }: Changes) =>
      onPage(({ items }) =>
        Object.assign(itemAt(items, 1), { status: 'BLOCKED', reason_codes: ['BLOCKED_FOR_REVIEW'] }),
      );
    const { found } = await findWith('from the first reading', change, discovery);
    expect(found).toContain('discovery_slot_not_enriched 1');
  });
});

describe('files', () => {
  const spreadsheets = (directory: string) => ({ directory, kinds: ['csv', 'xlsx'] as const, rows: 'slot' as const });

  it('whose rows are not those of the ledger are found, also when their digest was changed with them', async () => {
    const changes = createChanges();
    const placed = await placeRun(changes);
    const delivery = { ...placed.run.delivery, spreadsheets: spreadsheets(placed.folder) };
    placed.configureRun({ ...placed.run, delivery });
    const { orderId } = await deliver(placed);
    for (const kind of ['csv', 'xlsx'] as const)
      await placed.perform('writeSpreadsheet', { orderId, runName: 'known', kind });
    expect((await codesOf(placed, orderId)).found).toEqual([]);

    for (const file of await placed.ledger.files.list(orderId)) {
      const { path, kind } = file;
      const before = readFileSync(path);
      if (kind !== 'csv') continue;
      const text = before.toString().replace('"Job Title"', '"Job Tutle"').replace('"City"', '"Town"');
      writeFileSync(path, text);
      await placed.ledger.files.save({ ...file, sha256: createHash('sha256').update(text).digest('hex') });
      expect((await codesOf(placed, orderId)).found).toContain('csv_rows_differ 1');
      writeFileSync(path, before);
      await placed.ledger.files.save(file);
    }
    const [csv] = await placed.ledger.files.list(orderId);
    const text = readFileSync(csv?.path ?? '', 'utf8').replace('Kieler Werft AG', 'Kieler Wert AG');
    writeFileSync(csv?.path ?? '', text);
    expect((await codesOf(placed, orderId)).found).toEqual(['csv_file_changed 1']);
    if (csv === undefined) throw new Error('the ledger has no CSV file');
    await placed.ledger.files.save({ ...csv, sha256: createHash('sha256').update(text).digest('hex') });
    const found = ['csv_rows_differ 1', 'ledger_changed:outcomes.files 1'];
    expect((await codesOf(placed, orderId)).found).toEqual(found);
  });
});
