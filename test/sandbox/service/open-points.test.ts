import { createTestService, profileInput } from './service-harness.ts';
import { publish } from './published-order.ts';

const csv = { output_type: 'csv' };
const sheet = { output_type: 'google_sheets', spreadsheet_id: 'sheet-1' };
const row = { company_name: 'Acme', website_url: 'https://acme.test' };

describe('points that the specification leaves open', () => {
  it.each([
    ['absent', undefined],
    ['null', null],
  ])('shows facts of an output that is not COMPLETED as %s (A41, A49, A50)', async (choice, value) => {
    const { create, read, list, advance } = await publish({ assume: { output_nulls: choice } });
    const { body } = await create(csv);
    const unknown = { result_count: value, result_sha256: value, location: value };
    expect(body).toEqual({ ...body, ...unknown });
    expect((await list()).outputs[0]).toEqual({ ...(await list()).outputs[0], ...unknown });
    const { body: sheets } = await create(sheet);
    expect(sheets).toEqual({ ...sheets, location: value });
    await advance(1);
    const file = await read(body.output_id);
    expect(file).toMatchObject({ result_count: expect.any(Number), result_sha256: expect.any(String) });
    expect('location' in file).toBe(value === null);
    expect((await read(sheets.output_id)).location).toMatch(/sheet-1$/);
  });

  it.each([
    ['plain', []],
    ['annotated', ['Result Status', 'Result Reasons']],
  ])(
    'writes %s files of a discovery order, and Result columns of an enrichment order always (A87)',
    async (choice, columns) => {
      const { service, organizationId, ask, advance, createProfile, finishOrder } = createTestService({
        assume: { discovery_files: choice },
      });
      const profile_id = await createProfile();
      const headerOf = async (order: object, spreadsheetId: string) => {
        const id = await finishOrder({ profile_id, ...order });
        await ask('POST', `/orders/${id}/outputs`, { ...sheet, spreadsheet_id: spreadsheetId });
        await advance(1);
        const header = service.readSheet(organizationId, { spreadsheetId, limit: 1, offset: 0 })?.header ?? [];
        return header.filter((name) => name.startsWith('Result '));
      };
      expect(await headerOf({ order_type: 'DISCOVERY', briefing_quantity: 2 }, 'a')).toEqual(columns);
      expect(await headerOf({ order_type: 'ENRICHMENT', companies: [row] }, 'b')).toEqual([
        'Result Status',
        'Result Reasons',
      ]);
    },
  );

  it.each(['deliveries', 'results'])('applies the delivery policy to %s (A78)', async (choice) => {
    const { ask, createProfile, finishOrder, readSlots } = createTestService({ assume: { delivery_policy: choice } });
    const profile_id = await createProfile();
    const id = await finishOrder({ order_type: 'DISCOVERY', profile_id, briefing_quantity: 40 });
    const published = await readSlots(id);
    expect(await readSlots(id)).toEqual(published);
    const { companies } = (await ask('GET', `/deliveries/${profile_id}/companies?limit=100`)).body;
    const peopleOf = (list: { prospects: { id: string }[] }[]) => list.map(({ prospects }) => prospects);
    const shown = peopleOf(published.map(({ company }) => company));
    const delivered = peopleOf(companies);
    expect(delivered.some((people) => people.length > 0)).toBe(true);
    const isSame = shown.every((people, place) => {
      const wanted = delivered[place] ?? [];
      return wanted.length === 0 ? people.length === 1 : JSON.stringify(people) === JSON.stringify(wanted);
    });
    expect(isSame).toBe(choice === 'results');
    for (const { email_client_deliverable, qualification_score } of peopleOf(companies).flat() as never[])
      expect([email_client_deliverable, qualification_score >= 70]).toEqual([true, true]);
  });

  it.each([
    ['first', 'RECEIVED', 'PENDING'],
    ['current', 'COMPLETED', 'SUCCEEDED'],
  ])('answers a repeated creation with its %s state (A86)', async (choice, order, profile) => {
    const { ask, advance } = createTestService({ assume: { replayed_creation: choice } });
    const createProfile = () => ask('POST', '/search-profile-creations', profileInput(), { idempotencyKey: 'p' });
    const created = await createProfile();
    await advance(2);
    const again = await createProfile();
    expect([again.status, again.body.status, again.body.message]).toEqual([202, profile, created.body.message]);
    const { profile_id } = (await ask('GET', `/search-profile-creations/${created.body.profile_creation_id}`)).body;
    const body = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 2 };
    const place = () => ask('POST', '/orders', body, { idempotencyKey: 'o' });
    const placed = await place();
    await advance(4);
    const replayed = await place();
    expect([replayed.status, replayed.body.order_id, replayed.body.status]).toEqual([201, placed.body.order_id, order]);
    const other = await ask('POST', '/orders', { ...body, briefing_quantity: 3 }, { idempotencyKey: 'o' });
    expect(other.body.code).toBe('IDEMPOTENCY_KEY_CONFLICT');
  });

  it.each([
    ['null_description', 'accept', 'A81', '/blacklists', { name: 'A', description: null }],
    ['entry_id', 'ignore', 'A82', 'entries', { entries: [{ company_name: 'Acme', id: 'mine', created_at: 'now' }] }],
    ['empty_blacklists', 'accept', 'A83', '/orders', { order_type: 'ENRICHMENT', companies: [row], blacklist_ids: [] }],
  ])('refuses by default what %s=%s allows (%s)', async (option, choice, _, place, sent) => {
    for (const [assume, status] of [
      [{}, 422],
      [{ [option]: choice }, 201],
    ] as const) {
      const { ask, createBlacklist, createProfile } = createTestService({ assume });
      const path = place === 'entries' ? `/blacklists/${await createBlacklist()}/entries` : place;
      const body = place === '/orders' ? { ...sent, profile_id: await createProfile() } : sent;
      const answer = await ask('POST', path, body);
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain('"mine"');
    }
  });

  it('accepts offsets up to 2^53 - 1, and names the maximum in the refusal of a larger one (A85)', async () => {
    const { ask, createBlacklist } = createTestService();
    const path = `/blacklists/${await createBlacklist([row])}/entries?offset=`;
    expect((await ask('GET', `${path}9007199254740991`)).body).toMatchObject({ entries: [], total: 1 });
    expect((await ask('GET', '/orders?offset=9007199254740991')).body).toMatchObject({ orders: [], total: 0 });
    for (const offset of ['9007199254740992', '99999999999999999999']) {
      const { status, text } = await ask('GET', `${path}${offset}`);
      expect([status, text]).toEqual([422, expect.stringContaining('at most 9,007,199,254,740,991')]);
    }
  });

  it('keeps updated_at when a PATCH changes nothing (A35)', async () => {
    const { ask, pass } = createTestService();
    const { body: created } = await ask('POST', '/blacklists', { name: 'A', description: 'B' });
    pass(1);
    for (const change of [{}, { name: 'A' }, { name: 'A', description: 'B' }])
      expect((await ask('PATCH', `/blacklists/${created.id}`, change)).body).toEqual(created);
    const cleared = (await ask('PATCH', `/blacklists/${created.id}`, { description: null })).body;
    expect(cleared.updated_at > created.updated_at).toBe(true);
  });
});
