import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { CompanyRow } from '../../src/service/contract/index.ts';
import type { SpreadsheetPlan } from '../../src/config/run-plan.ts';
import { readCsv } from '../../src/base/spreadsheet/read-csv.ts';
import { readRecords } from '../helpers/table-records.ts';
import {
  createActivityHarness,
  failure,
  plan,
  type Collected,
  type ActivityHarness,
  type ActivityHarnessOptions,
} from './activity-harness.ts';
import {
  changeAnswers,
  changeResults,
  createProjected as createProjectedRows,
  createReady,
  projectOrder,
  range,
  reconcile,
  row,
} from './order-steps.ts';
import { itOfAll } from '../helpers/sample.ts';

const mixed = [
  row('Acme'),
  row('Moved', { website_url: 'https://a.website-moved.example' }),
  row('Empty', { website_url: 'https://b.website-empty.example' }),
  row('Acme'),
  row('Lost', { website_url: 'https://c.unresolved-identity.example' }),
];

type Slots = { items: Record<string, unknown>[] };

const notDuplicate = { duplicate_of_input_position: null };

const createProjected = (rows: CompanyRow[] = mixed, options: ActivityHarnessOptions = {}) =>
  createProjectedRows(rows, options);

describe('openOrder, reconcileRange and concludeReconciliation', () => {
  it('report no findings right after the order was written', async () => {
    const harness = await createProjected();
    const { order, perform, ledger } = harness;
    expect(await perform('openOrder', order)).toMatchObject({ total: 5, crm: true, externalIdsAreRecordIds: true });
    expect(await reconcile(harness, order)).toMatchObject({ reconciled: 5, findings: [] });
    expect(await ledger.certificates.latest(order.orderId)).toMatchObject({
      reconciled: 5,
      total: 5,
      findingsJson: '[]',
    });
  });

  itOfAll(
    'report no findings for 250 delivered companies, and a finding for an order that delivered none',
    async () => {
      const harness = await createReady();
      const found = await projectOrder(harness, harness.collectDiscovery(250));
      expect(await reconcile(harness, found)).toMatchObject({ reconciled: 250, findings: [] });
      const empty = await harness.collectDiscovery(5, 'outcome:EMPTY');
      const nothing = { code: 'nothing_delivered', count: 5, positions: [] };
      expect(await reconcile(harness, empty)).toMatchObject({ reconciled: 0, findings: [nothing] });
    },
  );

  it('miss every company when the run writes to HubSpot and the ledger has no outcome', async () => {
    const harness = await createActivityHarness();
    const order = await harness.collectEnrichment(mixed);
    expect(await harness.perform('openOrder', order)).toMatchObject({ crm: true });
    const missing = { code: 'outcome_missing', count: 5, positions: [0, 1, 2, 3, 4] };
    expect(await reconcile(harness, order)).toMatchObject({ reconciled: 0, findings: [missing] });
  });

  it('end the run when the order was never collected', async () => {
    const { perform } = await createActivityHarness();
    expect(await failure(perform('openOrder', { orderId: '11111111-2222-4333-8444-555555555555' }))).toMatchObject({
      type: 'OrderNotCollected',
      nonRetryable: true,
    });
  });

  it('accept unknown reason codes of enriched slots that the summary does not list', async () => {
    const harness = await createProjected(mixed, {
      async serviceFetch(request, proceed) {
        const response = await proceed(request);
        const text = await response.text();
        return new Response(text.replaceAll('POLICY_ELIGIBLE', 'ELIGIBLE_BY_NEW_RULE') || null, {
          status: response.status,
        });
      },
    });
    expect(await reconcile(harness, harness.order)).toMatchObject({ reconciled: 5, findings: [] });
  });
});

describe('reconcileRange', () => {
  const all = ({ orderId, total }: Collected) => ({ orderId, from: 0, to: total, crm: true });

  /** Changes each page of results after the first collection. */
  async function createChanged(change: (page: Slots) => void) {
    let isLater = false;
    const harness = await createProjected(
      mixed,
      changeResults<Slots>((page) => {
        if (isLater) change(page);
      }),
    );
    isLater = true;
    return harness;
  }

  function reword(slot: Record<string, unknown>): void {
    const reasons = slot['reasons'] as object[];
    Object.assign(slot, { reasons: reasons.map((reason) => ({ ...reason, message: 'Reworded' })), colour: 'red' });
  }

  it('finds changed content behind other wording', async () => {
    const harness = await createChanged(({ items }) => {
      items.forEach(reword);
      Object.assign(items[0]?.['company'] as object, { name: 'Geheim' });
      Object.assign(items[1] ?? {}, { status: 'BLOCKED' });
    });
    expect(await harness.perform('reconcileRange', all(harness.order))).toMatchObject({
      reconciled: 3,
      findings: [{ code: 'slot_differs', count: 2, positions: [0, 1] }],
    });
  });

  it('finds slots that are no longer published', async () => {
    let gone = false;
    const harness = await createActivityHarness(
      changeResults<Slots>((page, offset) => {
        if (gone) page.items = offset === 0 ? page.items.slice(0, 3) : [];
      }),
    );
    const order = await harness.collectEnrichment(mixed);
    gone = true;
    expect(await harness.perform('reconcileRange', { ...all(order), crm: false })).toMatchObject({
      reconciled: 3,
      findings: [
        { code: 'slot_no_longer_published', count: 2, positions: [3, 4] },
        { code: 'results_end_differs', count: 1, positions: [0] },
      ],
    });
  });

  it.each([
    ['prospect_sync_contact_key', 'other', 'crm_contact_key_differs'],
    ['prospect_sync_order_id', 'unknown', 'crm_contact_order_differs'],
  ])('finds a contact whose %s was changed', async (property, value, code) => {
    const harness = await createProjected();
    const [contact] = await harness.records('contacts');
    await harness.hubspot.objects.update('contacts', [{ id: contact?.id ?? '', properties: { [property]: value } }]);
    expect(await harness.perform('reconcileRange', all(harness.order))).toMatchObject({
      reconciled: 4,
      findings: [{ code, count: 1, positions: [0] }],
    });
  });

  it('accepts that a later order in the ledger has written the record', async () => {
    const harness = await createProjected();
    const later = await projectOrder(harness, harness.collectEnrichment([row('Acme', { city: 'Bern' })]));
    const [company] = await harness.records('companies');
    expect(company?.properties['prospect_sync_order_id']).toBe(later.orderId);
    expect(await reconcile(harness, harness.order)).toMatchObject({ reconciled: 5, findings: [] });
  });

  it('accepts that a later order has written the record under another key', async () => {
    const harness = await createProjected();
    const [company] = await harness.records('companies');
    const id = company?.id ?? '';
    const later = await projectOrder(harness, harness.collectEnrichment([row('Renamed', { external_id: id })]));
    expect((await harness.records('companies'))[0]?.properties).toMatchObject({
      prospect_sync_order_id: later.orderId,
      prospect_sync_company_key: 'renamed.example',
    });
    expect(await reconcile(harness, harness.order)).toMatchObject({ reconciled: 5, findings: [] });
  });

  it.each([
    ['companies', 'resolve'],
    ['companies', 'gone'],
    ['contacts', 'resolve'],
    ['contacts', 'gone'],
  ] as const)('finds %s that were merged into another record (%s)', async (type, mergedIds) => {
    const harness = await createProjected(mixed, { hubspot: { assumed: { mergedIds } } });
    const { hubspot, order, perform } = harness;
    const key = type === 'companies' ? 'prospect_sync_company_key' : 'prospect_sync_contact_key';
    const [merged] = await harness.records(type);
    const [twin = ''] = await harness.createRecords(
      type,
      type === 'companies' ? [{ name: 'Twin' }] : [{ email: 'twin@acme.example' }],
    );
    await harness.merge(type, merged?.id ?? '', twin);
    const id = (await harness.records(type)).find(({ properties }) => properties[key] === merged?.properties[key])?.id;
    expect(id).not.toBe(merged?.id);
    expect(await perform('reconcileRange', all(order))).toMatchObject({ reconciled: 5, findings: [] });
    const status = type === 'companies' ? 'prospect_sync_status' : 'prospect_sync_order_id';
    await hubspot.objects.update(type, [{ id: id ?? '', properties: { [status]: 'PARTIAL' } }]);
    expect((await perform('reconcileRange', all(order))).readBack).toMatchObject({ merged: 1, edited: 1, wrong: 0 });
  });

  it('finds a company that was quarantined', async () => {
    const harness = await createReady();
    await harness.createRecords('companies', [
      { name: 'One', domain: 'acme.example' },
      { name: 'Two', domain: 'acme.example' },
    ]);
    const order = await projectOrder(harness, harness.collectEnrichment(mixed));
    expect(await reconcile(harness, order)).toMatchObject({
      reconciled: 4,
      findings: [{ code: 'crm_company_quarantined', count: 1, positions: [0] }],
    });
  });

  it('finds a contact that was quarantined', async () => {
    const harness = await createProjected(
      [...mixed, row('Fine')],
      changeResults<{ items: { company: { prospects: { email: string }[] } | null }[] }>(({ items }) => {
        Object.assign(items[0]?.company?.prospects[0] ?? {}, { email: 'anna@geheim.invalid' });
      }),
    );
    expect(await reconcile(harness, harness.order)).toMatchObject({
      reconciled: 5,
      findings: [{ code: 'crm_contact_quarantined', count: 1, positions: [0] }],
    });
  });

  it('finds a removed link, and accepts additional links', async () => {
    const harness = await createProjected([...mixed, row('Other')]);
    const { order, perform, hubspot } = harness;
    const [contacts, companies] = [await harness.records('contacts'), await harness.records('companies')];
    const idOf = (domain: string) => companies.find(({ properties }) => properties['domain'] === domain)?.id ?? '';
    const [acme, other] = [idOf('acme.example'), idOf('other.example')];
    const linked = await hubspot.associations.read(
      'contacts',
      'companies',
      contacts.map(({ id }) => id),
    );
    const of = (company: string) => contacts.filter(({ id }) => linked.get(id)?.some((link) => link.id === company));
    const [moved] = of(acme);
    const [shared] = of(other);
    const links = [
      { fromId: moved?.id ?? '', toId: other },
      { fromId: shared?.id ?? '', toId: acme },
    ];
    await hubspot.associations.associate('contacts', 'companies', links);
    expect(await perform('reconcileRange', all(order))).toMatchObject({ reconciled: 6, findings: [] });
    await harness.unlink(moved?.id ?? '', acme);
    expect(await perform('reconcileRange', all(order))).toMatchObject({
      reconciled: 5,
      findings: [{ code: 'crm_link_missing', count: 1, positions: [0] }],
    });
    await harness.perform('projectToCrm', range(order));
    expect((await perform('reconcileRange', all(order))).findings).toHaveLength(1);
    await harness.perform('projectToCrm', range(order, { projectionId: 'second' }));
    expect(await perform('reconcileRange', all(order))).toMatchObject({ reconciled: 6, findings: [] });
    const { orderId } = order;
    expect(await perform('tallyCrm', { orderId, projectionId: 'second' })).toMatchObject({ restoredLinks: 1 });
    await harness.perform('projectToCrm', range(order, { projectionId: 'third' }));
    expect(await perform('tallyCrm', { orderId, projectionId: 'third' })).toMatchObject({ restoredLinks: 0 });
  });

  it('counts records that ingest --force creates again, since HubSpot no longer has them', async () => {
    const harness = await createProjected();
    const { order, perform } = harness;
    const { orderId } = order;
    const [contact] = await harness.records('contacts');
    await harness.sendToHubSpot('DELETE', `/crm/v3/objects/contacts/${contact?.id}`);
    await perform('projectToCrm', range(order, { projectionId: 'second', force: true }));
    expect(await perform('tallyCrm', { orderId, projectionId: 'second' })).toMatchObject({ recreated: 1 });
    await perform('projectToCrm', range(order, { projectionId: 'third' }));
    expect(await perform('tallyCrm', { orderId, projectionId: 'third' })).toMatchObject({ recreated: 0 });
  });

  it('finds the link of a contact whose company belongs to another row, also after that company was merged', async () => {
    let first: { company: { prospects: object[] } } | undefined;
    const harness = await createProjected(
      [row('Acme'), row('Acme', { city: 'Basel' })],
      changeResults<{ items: { input_position: number }[] }>((page) => {
        first ??= page.items[0] as typeof first;
        const prospects = [{ ...first?.company.prospects[0], email: 'second@acme.example' }];
        for (const item of page.items.filter(({ input_position: position }) => position === 1))
          Object.assign(item, { ...first, input_position: 1, company: { ...first?.company, prospects } }, notDuplicate);
      }),
    );
    const { order, perform } = harness;
    const { orderId } = order;
    expect(await perform('reconcileRange', all(order))).toMatchObject({ reconciled: 2, findings: [] });
    const [company] = await harness.records('companies');
    const [twin = ''] = await harness.createRecords('companies', [{ name: 'Twin' }]);
    await harness.merge('companies', company?.id ?? '', twin);
    const [merged] = await harness.records('companies');
    expect(merged?.id).not.toBe(company?.id);
    const second = { orderId, from: 1, to: 2, crm: true };
    expect(await perform('reconcileRange', second)).toMatchObject({ reconciled: 1, findings: [] });
    const person = (await harness.records('contacts')).find(
      ({ properties }) => properties['email'] === 'second@acme.example',
    );
    await harness.unlink(person?.id ?? '', merged?.id ?? '');
    expect(await perform('reconcileRange', second)).toMatchObject({
      reconciled: 0,
      findings: [{ code: 'crm_link_missing', count: 1, positions: [1] }],
    });
  });

  it('reads links in batches', async () => {
    const harness = await createReady();
    const order = await projectOrder(harness, harness.collectDiscovery(250));
    const linksRead = () =>
      harness.portals
        .journal(harness.portalId)
        .entries()
        .filter(({ path }) => path.endsWith('/associations/contacts/companies/batch/read')).length;
    const before = linksRead();
    expect(await harness.perform('reconcileRange', all(order))).toMatchObject({ reconciled: 250, findings: [] });
    const people = (await harness.records('contacts')).length;
    expect(linksRead() - before).toBe(Math.ceil(people / 1_000));
  });

  it('resumes at the position of the last heartbeat with its findings', async () => {
    const { perform, order } = await createProjected();
    const findings = [{ code: 'crm_company_missing', count: 1, positions: [2] }];
    const attempt = (heartbeatDetails: object) =>
      perform('reconcileRange', all(order), { attempt: 2, heartbeatDetails });
    expect(await attempt({ next: 3, proof: { reconciled: 2, findings } })).toMatchObject({ reconciled: 4, findings });
    // Details that cannot be read start from the beginning.
    expect(await attempt({ next: 3 })).toMatchObject({ reconciled: 5, findings: [] });
  });
});

describe('concludeReconciliation', () => {
  async function writeSpreadsheets(
    { perform, configureRun }: ActivityHarness,
    { orderId }: Collected,
    spreadsheets: SpreadsheetPlan,
  ) {
    const { runName } = configureRun(plan({ delivery: { ...plan().delivery, spreadsheets } }));
    const files = [];
    for (const kind of spreadsheets.kinds) files.push(await perform('writeSpreadsheet', { orderId, runName, kind }));
    return files;
  }

  it('accepts a file that has the same rows as other text, and finds changed and missing ones', async () => {
    const harness = await createProjected();
    const { order, folder: directory } = harness;
    const files = await writeSpreadsheets(harness, order, { directory, kinds: ['csv', 'xlsx'], rows: 'slot' });
    expect(files.map((file) => file?.rows)).toEqual([5, 5]);
    const [file] = await harness.ledger.files.list(order.orderId);
    if (file === undefined) throw new Error('no file was kept');
    const unquoted = readFileSync(file.path, 'utf8').replaceAll('"', '');
    writeFileSync(file.path, unquoted);
    await harness.ledger.files.save({ ...file, sha256: createHash('sha256').update(unquoted).digest('hex') });
    expect((await reconcile(harness, order)).findings).toEqual([]);
    writeFileSync(files[0]?.path ?? '', 'changed');
    rmSync(files[1]?.path ?? '');
    expect((await reconcile(harness, order)).findings).toEqual([
      { code: 'csv_file_changed', count: 1, positions: [] },
      { code: 'xlsx_file_missing', count: 1, positions: [] },
    ]);
  });

  it('finds files that no longer match the ledger, and none after they were rewritten', async () => {
    const harness = await createProjected();
    const { perform, order, folder: directory, hubspot } = harness;
    const { orderId } = order;
    await writeSpreadsheets(harness, order, {
      directory,
      kinds: ['csv', 'xlsx'],
      rows: 'prospect',
      columns: { Size: 'company.name' },
    });
    expect((await reconcile(harness, order)).findings).toEqual([]);
    const [company] = await harness.records('companies');
    await hubspot.objects.archive('companies', [company?.id ?? '']);
    await harness.perform('projectToCrm', range(order, { projectionId: 'second', force: true }));
    const outdated = [
      { code: 'csv_file_outdated', count: 1, positions: [] },
      { code: 'xlsx_file_outdated', count: 1, positions: [] },
    ];
    expect((await reconcile(harness, order)).findings).toEqual(outdated);
    harness.pass(1);
    const { files } = await perform('rewriteSpreadsheets', { orderId });
    expect(files).toMatchObject([
      { kind: 'csv', rows: 7 },
      { kind: 'xlsx', rows: 7 },
    ]);
    expect((await reconcile(harness, order)).findings).toEqual([]);
    const [again] = await harness.records('companies');
    const records = await readRecords(readCsv(files[0]?.path ?? ''));
    const cells = records.map((record) => record['HubSpot Company Id']);
    expect(cells).toContain(again?.id);
    expect(cells).not.toContain(company?.id);
    // The digests of bytes and of content differ independently.
    writeFileSync(files[0]?.path ?? '', 'changed');
    await perform('projectToCrm', range(await harness.collectOrder(orderId), { projectionId: 'third' }));
    expect((await reconcile(harness, order)).findings).toEqual([{ code: 'csv_file_changed', count: 1, positions: [] }]);
  });

  interface Order {
    result_summary: { fully_enriched_count: number; reasons: Record<string, unknown>[] };
    available_briefing_quantity: number;
    order_type?: string;
  }

  /** Changes the answers about an order after it was collected. */
  async function createChanged(change: (order: Order) => void) {
    let isLater = false;
    const harness = await createProjected(
      mixed,
      changeAnswers<Order>(/orders\/[^/]+$/, (order) => {
        if (isLater) change(order);
      }),
    );
    isLater = true;
    return harness;
  }

  it('finds sums that do not add up, and a changed summary', async () => {
    const harness = await createChanged((order) => {
      order.result_summary.fully_enriched_count += 2;
      order.available_briefing_quantity = 6;
    });
    const { findings, reconciled } = await reconcile(harness, harness.order);
    expect(reconciled).toBe(5);
    expect(findings.map(({ code, count }) => [code, count])).toEqual([
      ['slots_differ_from_available_quantity', 1],
      ['enriched_count_differs', 2],
      ['summary_changed_since_collection', 1],
    ]);
    const certificate = await harness.ledger.certificates.latest(harness.order.orderId);
    expect(JSON.parse(certificate?.findingsJson ?? '')).toEqual(findings);
  });

  it('accepts a summary with other wording', async () => {
    const harness = await createChanged(({ result_summary: summary }) => {
      expect(summary.reasons).not.toEqual([]);
      for (const reason of summary.reasons)
        Object.assign(reason, { message: 'Reworded', label: 'Other', colour: 'red' });
    });
    expect(await reconcile(harness, harness.order)).toMatchObject({ reconciled: 5, findings: [] });
  });

  it('checks the sums of an enrichment order whose answer no longer contains order_type', async () => {
    const harness = await createChanged((order) => {
      delete order.order_type;
      for (const reason of order.result_summary.reasons) reason['count'] = 7;
    });
    const { findings } = await reconcile(harness, harness.order);
    expect(findings.map(({ code }) => code)).toContainEqual(expect.stringMatching(/^reason_count_differs:/));
  });
});
