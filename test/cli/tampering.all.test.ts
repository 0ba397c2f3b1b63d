// Whatever is changed behind the back of prospect-sync (in the published results, in the ledger, in files or in HubSpot), `reconcile` finds and
// names it.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';

const resolvedRows = (kind: string, count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${kind} ${index} GmbH,https://${kind.toLowerCase()}-${index}.example,Ulm,Germany,crm-${index}`,
  );
/** Rows 0 to 19 are resolved, then follow a duplicate of row 0, a company without people, and one that cannot be found. */
const rows = [
  ...resolvedRows('Maker', 20),
  'Maker 0 GmbH,https://maker-0.example,Ulm,Germany,crm-20',
  'Empty GmbH,https://b.website-empty.example,Ulm,Germany,crm-21',
  'Lost GmbH,https://c.unresolved-identity.example,Ulm,Germany,crm-22',
];
const [duplicate, partial, unresolved] = [20, 21, 22] as const;

const config = `
service: {base_url: {env: PROSPECTING_BASE_URL}, api_key: {env: PROSPECTING_API_KEY}}
hubspot: {base_url: {env: HUBSPOT_BASE_URL}, token: {env: HUBSPOT_TOKEN}}
polling: {profile: 50ms, order_first: 50ms, order_max: 500ms, output_first: 50ms, output_max: 500ms}
runs:
  makers:
    kind: enrichment
    profile: &profile {profile_name: a, ideal_customer_profile: b, target_countries: [DE]}
    companies: {csv: makers.csv, external_ids: other}
    service_outputs: [{type: csv, language: en}, {type: xlsx, language: en}]
  dealers:
    kind: enrichment
    profile: *profile
    companies: {csv: dealers.csv, external_ids: other}
`;

interface Finding {
  readonly code: string;
  readonly count: number;
  readonly positions: readonly number[];
}
interface OrderDocument {
  readonly order_id: string;
  readonly files: { readonly path: string; readonly kind: string }[];
  readonly service_outputs: { readonly path: string | null; readonly destination: string }[];
  readonly findings: Finding[];
  readonly read_back: unknown;
}

let project: ExampleProject;
let order: OrderDocument;
let ledger = '';
let backup = '';

async function readOrder(...command: string[]): Promise<{ code: number | null; order: OrderDocument }> {
  const { code, stdout, stderr } = await project.command(...command, '--config', 'makers.yaml', '--json');
  const document = JSON.parse(stdout) as { orders?: OrderDocument[] };
  const [first] = document.orders ?? [];
  if (first === undefined) throw new Error(`no order: ${stderr}`);
  return { code, order: first };
}

beforeAll(async () => {
  project = await startExampleProject();
  writeFileSync(path.join(project.folder, 'makers.yaml'), config);
  order = await runToEnd('makers', rows);
  ledger = path.join(project.folder, '.prospect-sync');
  backup = path.join(project.folder, 'backup');
  cpSync(ledger, path.join(backup, 'ledger'), { recursive: true });
  for (const [index, file] of filePaths().entries()) cpSync(file, path.join(backup, String(index)));
});
afterAll(() => project?.stop());

/** Nothing is found while nothing was changed. */
async function runToEnd(name: string, companies: readonly string[]): Promise<OrderDocument> {
  const header = 'company_name,website_url,city,country,external_id';
  writeFileSync(path.join(project.folder, `${name}.csv`), [header, ...companies].join('\n'));
  const { code, order: placed } = await readOrder('run', name, '--yes');
  if (code !== 0) throw new Error(`the run ended with ${JSON.stringify(placed.findings)}`);
  return placed;
}

afterEach(async () => {
  rmSync(ledger, { recursive: true });
  cpSync(path.join(backup, 'ledger'), ledger, { recursive: true });
  for (const [index, file] of filePaths().entries()) cpSync(path.join(backup, String(index)), file);
  await control('DELETE');
});

const filePaths = () => [
  ...order.files.map((file) => file.path),
  ...order.service_outputs.flatMap((output) => output.path ?? []),
];

async function control(method: 'POST' | 'DELETE', changes?: readonly object[]): Promise<void> {
  const url = `${project.control.url}/orders/${order.order_id}/tampering`;
  const body = changes === undefined ? {} : { body: JSON.stringify({ changes }) };
  const response = await fetch(url, { method, headers: { 'content-type': 'application/json' }, ...body });
  if (!response.ok) throw new Error(await response.text());
}

/** The findings as `code position`, or `code` when they concern the whole order. */
async function reconcile(): Promise<string[]> {
  const { code, order: found } = await readOrder('reconcile', order.order_id);
  const findings = found.findings.flatMap(({ code: name, positions }) =>
    positions.length === 0 ? [name] : positions.map((position) => `${name} ${position}`),
  );
  expect(code).toBe(findings.length === 0 ? 0 : 3);
  return findings;
}

const set = (position: number, place: string, value?: unknown) => ({
  kind: 'set_value',
  position,
  path: place,
  ...(value === undefined ? {} : { value }),
});

const setCount = (field: string, value: number) => ({ kind: 'set_count', field, value });
const setOrder = (field: string, value: unknown) => ({ kind: 'set_order_field', field, value });

/** Each change, and what is found. Those of one group are made together; a finding lists at most ten positions. */
type Tampering<Change> = readonly [what: string, change: Change, ...found: string[]];

/** What `reconcile` should have found, and has not. */
function listMissed(found: readonly string[], table: readonly Tampering<unknown>[]): string[] {
  return table.flatMap(([what, , ...expected]) =>
    expected.flatMap((finding) => (found.includes(finding) ? [] : [`${what}: ${finding}`])),
  );
}

const publishedSlots: Record<string, readonly Tampering<object>[]> = {
  'values and people': [
    [
      'the contents of two rows are exchanged',
      { kind: 'swap_contents', position: 0, with: 1 },
      'slot_differs 0',
      'slot_differs 1',
    ],
    ['the name of a company changes', set(2, 'company.name', 'Other AG'), 'slot_differs 2'],
    ['the domain of a company changes', set(3, 'company.domain', 'other.example'), 'slot_differs 3'],
    ['a company loses a field', set(4, 'company.city'), 'slot_differs 4'],
    ['a company disappears', set(5, 'company', null), 'slot_differs 5'],
    ['an external id changes', set(6, 'external_id', 'crm-7'), 'slot_differs 6'],
    ['an external id disappears', set(7, 'external_id'), 'slot_differs 7'],
    ['all people of a company disappear', { kind: 'withdraw_people', position: 8 }, 'prospects_withdrawn 8'],
    ['an email address changes', set(9, 'company.prospects.email', 'x@other.example'), 'slot_differs 9'],
  ],
  'statuses, codes, references and places': [
    ['a status changes', set(10, 'status', 'BLOCKED'), 'slot_differs 10'],
    ['reason codes change', set(11, 'reason_codes', ['NO_EMAIL_FOUND']), 'slot_differs 11'],
    ['the time of the delivery changes', set(12, 'delivered_at', '2020-01-01T00:00:00.000000Z'), 'slot_differs 12'],
    ['the source id changes', set(13, 'company.source_id', 'crm-9'), 'slot_differs 13'],
    [
      'a duplicate refers to another row',
      set(duplicate, 'duplicate_of_input_position', 5),
      `slot_differs ${duplicate}`,
    ],
    [
      'a row without people gets some',
      set(partial, 'company.prospects', [{ email: 'a@b.example' }]),
      `slot_differs ${partial}`,
    ],
    ['an unknown row gets a company', set(unresolved, 'status', 'ENRICHED'), `slot_differs ${unresolved}`],
    ['two rows change places', { kind: 'swap_slots', position: 14, with: 15 }, 'slot_differs 14', 'slot_differs 15'],
  ],
  'sums and order fields': [
    ['the summary counts more requested rows', setCount('requested_count', 99), 'requested_count_differs'],
    ['the summary counts fewer enriched rows', setCount('fully_enriched_count', 3), 'enriched_count_differs'],
    ['the summary counts more annotated rows', setCount('annotated_count', 9), 'annotated_count_differs'],
    ['the order names another kind', setOrder('order_type', 'DISCOVERY'), 'order_kind_differs'],
    ['the order names another quantity', setOrder('briefing_quantity', 5), 'ordered_quantity_differs'],
    [
      'the order announces another number of companies',
      setOrder('available_briefing_quantity', 5),
      'slots_differ_from_available_quantity',
    ],
    ['the results are no longer published', setOrder('results_published', false), 'results_not_published'],
    ['the order is no longer complete', setOrder('status', 'FAILED'), 'order_not_completed'],
  ],
  'a missing row, a missing summary and another type': [
    ['a row disappears', { kind: 'drop_slot', position: 22 }, 'slot_no_longer_published 22', 'results_total_differs 0'],
    [
      'the order has no summary',
      setOrder('result_summary', null),
      'summary_missing',
      'summary_changed_since_collection',
    ],
    [
      'a number is sent as a text',
      { kind: 'retype_field', path: 'company.employee_count', type: 'string' },
      'slot_differs 0',
    ],
  ],
  'a repeated row and a renamed field': [
    ['a row is repeated', { kind: 'repeat_slot', position: 22 }, 'results_total_differs 0'],
    ['a field has another name', { kind: 'rename_field', path: 'company.name', name: 'legal_name' }, 'slot_differs 0'],
  ],
};

describe('reconcile finds changes of published', () => {
  it.each(Object.keys(publishedSlots))('%s', async (group) => {
    const table = publishedSlots[group] ?? [];
    await control(
      'POST',
      table.map(([, change]) => change),
    );
    expect(listMissed(await reconcile(), table)).toEqual([]);
  });
});

const update = (table: string, position: number, set: string) =>
  `update ${table} set ${set} where position = ${position}`;

/** Statements on the ledger of SQLite, and what is found. */
const ledgerChanges: Record<string, readonly Tampering<string>[]> = {
  'slots, submitted rows and outcomes': [
    ['a slot is deleted', 'delete from slots where position = 1', 'slot_not_in_ledger 1'],
    ['a slot is changed', update('slots', 2, `json = replace(json, 'Maker 2', 'Maker Z')`), 'ledger_slot_changed 2'],
    ['the status of a slot is changed', update('slots', 3, `status = 'PARTIAL'`), 'ledger_slot_changed 3'],
    ['the digest of a slot is changed', update('slots', 4, `hash = 'abc'`), 'ledger_slot_changed 4'],
    [
      'both digests are changed',
      update('slot_digests', 10, `digest = 'abc', reread_digest = 'abc'`),
      'ledger_slot_changed 10',
    ],
    ['an external id is changed', update('slots', 5, `external_id = 'crm-1'`), 'ledger_slot_changed 5'],
    [
      'a submitted row is changed',
      update('draft_rows', 6, `json = replace(json, '"crm-6"', '"crm-1"')`),
      'external_id_differs 6',
    ],
    [
      'another company was submitted',
      update('draft_rows', 7, `json = replace(replace(json, 'Maker 7 GmbH', 'Bakery'), 'maker-7', 'bakery')`),
      'company_differs_from_row 7',
    ],
    ['a company has no outcome', `delete from outcomes where position = 8 and item = 'company'`, 'outcome_missing 8'],
    ['a person has no outcome', `delete from outcomes where position = 9 and item <> 'company'`, 'outcome_missing 9'],
  ],
  'deliveries and quantities': [
    ['the files are deleted', 'delete from files', 'csv_file_not_written', 'xlsx_file_not_written'],
    ['an output is deleted', `delete from outputs where type = 'csv'`, 'service_output_not_requested'],
    [
      'an output has another digest',
      `update outputs set result_sha256 = 'abc' where type = 'xlsx'`,
      'service_output_changed',
    ],
    [
      'the ordered quantity is changed',
      'update order_requests set quantity = 7',
      'submitted_rows_differ',
      'requested_count_differs',
    ],
    ['all outcomes are deleted', 'delete from outcomes', 'outcome_missing 0'],
  ],
};

describe('reconcile finds changes, in the ledger, of', () => {
  it.each(Object.keys(ledgerChanges))('%s', async (group) => {
    const table = ledgerChanges[group] ?? [];
    const database = new DatabaseSync(path.join(ledger, 'ledger.db'));
    for (const [what, sql] of table) {
      if (database.prepare(sql).run().changes === 0) throw new Error(`${what}: no row was changed`);
    }
    database.close();
    expect(listMissed(await reconcile(), table)).toEqual([]);
  });
});

describe('reconcile finds files that', () => {
  const service = (type: string) =>
    order.service_outputs.find(({ destination }) => destination.startsWith(type))?.path ?? '';
  const own = (kind: string) => order.files.find((file) => file.kind === kind)?.path ?? '';

  it('are deleted', async () => {
    for (const file of [own('csv'), own('xlsx'), service('csv'), service('xlsx')]) rmSync(file);
    expect(await reconcile()).toEqual([
      'csv_file_missing',
      'xlsx_file_missing',
      'service_csv_file_missing',
      'service_xlsx_file_missing',
    ]);
  });

  it('are edited', async () => {
    for (const file of [own('csv'), own('xlsx'), service('csv'), service('xlsx')])
      writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from('\n')]));
    expect(await reconcile()).toEqual([
      'csv_file_changed',
      'xlsx_file_changed',
      'service_csv_file_changed',
      'service_xlsx_file_changed',
    ]);
  });
});

type ObjectType = 'companies' | 'contacts';
type Properties = Readonly<Record<string, string>>;

/** Calls the sandbox HubSpot with the key of prospect-sync. */
async function callHubSpot(method: string, place: string, body?: object): Promise<{ id?: string; results?: Found[] }> {
  const response = await fetch(`${project.hubspot.url}/crm/${place}`, {
    method,
    headers: { authorization: `Bearer ${project.hubspot.token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.status === 204 ? {} : ((await response.json()) as { id?: string; results?: Found[] });
}
interface Found {
  readonly id: string;
  readonly toObjectId: string | number;
  readonly properties: Readonly<Record<string, string | null>>;
}

async function editAsUser(type: ObjectType, id: string, properties: Properties): Promise<void> {
  const url = `${project.control.url}/portals/${project.hubspot.portalId}/records/${type}/${id}`;
  const response = await fetch(url, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ properties }),
  });
  if (!response.ok) throw new Error(await response.text());
}
const writeAsApp = (type: ObjectType, id: string, properties: Properties) =>
  callHubSpot('PATCH', `v3/objects/${type}/${id}`, { properties });
const archive = (type: ObjectType, id: string) => callHubSpot('DELETE', `v3/objects/${type}/${id}`);
const linkOf = ({ company, contact }: Written, to = company) =>
  `v4/objects/contacts/${contact}/associations`.concat(
    to === company ? `/companies/${to}` : `/default/companies/${to}`,
  );

/** The records of one row. */
interface Written {
  readonly company: string;
  readonly contact: string;
}

async function readWrittenRows(): Promise<Written[]> {
  const values = Array.from({ length: hubSpotChanges.length }, (_, row) => `dealer-${row}.example`);
  const filters = [{ propertyName: 'domain', operator: 'IN', values }];
  const search = { filterGroups: [{ filters }], properties: ['domain'], limit: 100 };
  const { results = [] } = await callHubSpot('POST', 'v3/objects/companies/search', search);
  return Promise.all(
    values.map(async (domain) => {
      const company = results.find(({ properties }) => properties['domain'] === domain)?.id ?? '';
      const linked = await callHubSpot('GET', `v4/objects/companies/${company}/associations/contacts`);
      return { company, contact: String(linked.results?.[0]?.toObjectId) };
    }),
  );
}

type Act = (row: Written, other: Written) => Promise<unknown>;

/** Changes of row 0, 1, 2 and so on; `other` is the row after it. What users edit is no finding, except in properties of prospect-sync. */
const hubSpotChanges: readonly Tampering<Act>[] = [
  ['a user renames a company', ({ company }) => editAsUser('companies', company, { name: 'Other' })],
  ['a user clears a value', ({ company }) => editAsUser('companies', company, { website: '' })],
  [
    'a user overwrites the order of prospect-sync',
    ({ company }) => editAsUser('companies', company, { prospect_sync_order_id: 'another' }),
    'crm_company_order_differs 2',
  ],
  ['a user edits a contact', ({ contact }) => editAsUser('contacts', contact, { lastname: 'Other' })],
  ['a company is deleted', ({ company }) => archive('companies', company), 'crm_company_archived 4'],
  ['a contact is deleted', ({ contact }) => archive('contacts', contact), 'crm_contact_archived 5'],
  [
    'a company is merged into another record',
    async ({ company }) => {
      const { id: primaryObjectId } = await callHubSpot('POST', 'v3/objects/companies', {
        properties: { name: 'Kept' },
      });
      await callHubSpot('POST', 'v3/objects/companies/merge', { primaryObjectId, objectIdToMerge: company });
    },
  ],
  ['an association is removed', (row) => callHubSpot('DELETE', linkOf(row)), 'crm_link_missing 7'],
  [
    'a contact is moved to another company',
    async (row, other) => {
      await callHubSpot('PUT', linkOf(row, other.company));
      await callHubSpot('DELETE', linkOf(row));
    },
    'crm_link_missing 8',
  ],
  [
    'the key of a company is wiped',
    ({ company }) => writeAsApp('companies', company, { prospect_sync_company_key: '' }),
    'crm_company_key_differs 9',
  ],
  [
    'a company names another order',
    ({ company }) => writeAsApp('companies', company, { prospect_sync_order_id: 'another' }),
    'crm_company_order_differs 10',
  ],
  [
    'a company has another status',
    ({ company }) => writeAsApp('companies', company, { prospect_sync_status: 'PARTIAL' }),
    'crm_company_status_differs 11',
  ],
  [
    'a value of a company is overwritten with our key',
    ({ company }) => writeAsApp('companies', company, { name: 'Wrong' }),
    'crm_company_property_wrong 12',
  ],
  [
    'a value of a contact is overwritten with our key',
    ({ contact }) => writeAsApp('contacts', contact, { lastname: 'Wrong' }),
    'crm_contact_property_wrong 13',
  ],
  [
    'a user overwrites the key and the status of a company',
    ({ company }) =>
      editAsUser('companies', company, { prospect_sync_company_key: 'x.example', prospect_sync_status: 'PARTIAL' }),
    'crm_company_key_differs 14',
    'crm_company_status_differs 14',
  ],
  [
    'a user overwrites the key and the run of a contact',
    ({ contact }) => editAsUser('contacts', contact, { prospect_sync_contact_key: 'x', prospect_sync_run: 'another' }),
    'crm_contact_key_differs 15',
    'crm_contact_property_wrong 15',
  ],
];

// Guarantee: A green run is proved
it('reconcile finds changes in HubSpot, reports edits of users without a finding, and repairs wrong values', async () => {
  // HubSpot keeps changes, so these are made to the records of another order.
  const dealers = await runToEnd('dealers', resolvedRows('Dealer', 20));
  const written = await readWrittenRows();
  for (const [index, [, act]] of hubSpotChanges.entries()) {
    const [row, other] = [written[index], written[index + 1] ?? written[0]];
    if (row === undefined || other === undefined) throw new Error(`no records of row ${index}`);
    await act(row, other);
  }
  const { code, order: found } = await readOrder('reconcile', dealers.order_id);
  const findings = found.findings.flatMap((finding) => finding.positions.map((place) => `${finding.code} ${place}`));
  expect(code).toBe(3);
  expect(findings.toSorted()).toEqual(hubSpotChanges.flatMap(([, , ...expected]) => expected).toSorted());
  expect(found.read_back).toEqual({
    records: 57,
    equal: 43,
    edited: 4,
    missing: 0,
    merged: 1,
    archived: 2,
    wrong: 8,
    unknown: 0,
    properties: {
      // The second name is the one that the merge chose.
      edited: { name: 2, website: 1, lastname: 1 },
      wrong: {
        prospect_sync_company_key: 2,
        prospect_sync_contact_key: 1,
        prospect_sync_order_id: 2,
        prospect_sync_run: 1,
        prospect_sync_status: 2,
        name: 1,
        lastname: 1,
      },
    },
    items: {},
    sampled: null,
  });

  // A repair writes wrong values again, also into a property that was archived; edited values, deleted records and associations stay as they are.
  await callHubSpot('DELETE', 'v3/properties/companies/prospect_sync_status');
  const { order: repaired } = await readOrder('reconcile', dealers.order_id, '--repair');
  expect(repaired.findings.map(({ code: name }) => name)).toEqual([
    'crm_company_archived',
    'crm_contact_archived',
    'crm_link_missing',
  ]);
  expect(repaired.read_back).toMatchObject({ equal: 51, edited: 4, wrong: 0, archived: 2 });
  const { order: sampled } = await readOrder('reconcile', dealers.order_id, '--sample', '5');
  expect(sampled.read_back).toMatchObject({ sampled: 5 });
});
