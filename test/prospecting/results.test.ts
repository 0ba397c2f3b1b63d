import { createStubService, rejection, slot, someId, summary } from './stub-service.ts';

const slots = [slot(0), slot(1)];
const page = (fields: Record<string, unknown>) => ({ summary, total: 2, has_more: false, ...fields });

async function readPage(fields: Record<string, unknown>, resultsItems?: string) {
  const { client } = createStubService(() => Response.json(page(fields)), resultsItems ? { resultsItems } : {});
  return client.results.page(someId, 0);
}

describe('page', () => {
  it('asks for 100 slots from an offset', async () => {
    const { client, calls } = createStubService(() => Response.json(page({ items: slots })));
    expect(await client.results.page(someId, 300)).toEqual({ summary, total: 2, hasMore: false, slots });
    expect(calls).toMatchObject([
      { method: 'GET', path: `/api/v1/orders/${someId}/results`, query: { limit: '100', offset: '300' } },
    ]);
  });

  it.each([
    ['under its default name', { items: slots, notes: [{ a: 1 }] }, undefined],
    ['under the configured name', { rows: slots, items: [{ a: 1 }] }, 'rows'],
    ['as the only array of objects', { briefings: slots, tags: ['a'], limit: 100 }, undefined],
    ['as the only array of objects when the setting is wrong', { items: slots }, 'rows'],
  ])('finds the slots %s', async (_, fields, setting) => {
    expect((await readPage(fields, setting)).slots).toEqual(slots);
  });

  it('finds no slots on the page of a zero-result set', async () => {
    expect(await readPage({ items: [], total: 0 })).toMatchObject({ slots: [], total: 0 });
    expect(await readPage({ briefings: [], total: 0 })).toMatchObject({ slots: [], total: 0 });
  });

  it('names the arrays it cannot choose between, and the setting', async () => {
    const { message, facts } = await rejection(readPage({ rows: slots, briefings: slots, tags: ['Geheim'] }));
    expect(facts.kind).toBe('contract');
    expect(message).toBe(
      `GET /api/v1/orders/${someId}/results was answered against the contract: the page has no array of slots named ` +
        'items; several arrays could be it: rows, briefings; set service.results_items',
    );
  });

  it('names the keys of a page without any array', async () => {
    const { message } = await rejection(readPage({ items: { Geheim: 1 } }));
    expect(message).toContain('its keys are summary, total, has_more, items; set service.results_items');
  });

  it('keeps fields, statuses and reason codes of a later version', async () => {
    const later = slot(0, { status: 'POSTPONED', reason_codes: ['MOON_PHASE'], colour: { warm: true } });
    expect((await readPage({ items: [later], version: 2 })).slots).toEqual([later]);
  });

  it('reads null where it may stand for nothing, and companies and people of whom only the known is there', async () => {
    const nothing = { external_id: null, duplicate_of_input_position: null };
    const reasons = [{ code: 'UNRESOLVED_IDENTITY', message: 'not found', detail: null }];
    const items = [
      slot(0, { ...nothing, reasons }),
      slot(1, { status: 'ENRICHED', company: { id: someId } }),
      slot(2, { status: 'ENRICHED', company: { id: someId, name: null, domain: null, prospects: null } }),
      slot(3, { status: 'ENRICHED', company: { id: someId, prospects: [{}, { id: null, email: null }] } }),
    ];
    expect((await readPage({ items, total: 4 })).slots).toEqual(items);
  });

  it('does not do without the id of a company, by which it is known', async () => {
    const { message } = await rejection(readPage({ items: [slot(0, { company: { name: 'Geheim' } })] }));
    expect(message).toContain('[0].company.id');
    expect(message).not.toContain('Geheim');
  });

  it('names field and place of what breaks the contract, and no value', async () => {
    const broken = slot(1, { input_position: 'Geheim', reason_codes: 'Geheim' });
    const { message } = await rejection(readPage({ items: [slots[0], broken] }));
    expect(message).toContain('[1].input_position: must be');
    expect(message).not.toContain('Geheim');
    const { message: aboutPage } = await rejection(readPage({ items: slots, total: 'Geheim' }));
    expect(aboutPage).toContain('total: must be');
    expect(aboutPage).not.toContain('Geheim');
  });
});
