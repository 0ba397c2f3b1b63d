import { createStubService, rejection, slot, someId, summary } from './stub-service.ts';

const slots = [slot(0), slot(1)];
const page = (fields: Record<string, unknown>) => ({ summary, total: 2, has_more: false, ...fields });

async function readPage(answer: unknown, resultsItems?: string) {
  const { client } = createStubService(() => Response.json(answer), resultsItems ? { resultsItems } : {});
  return client.results.page(someId, 0);
}

describe('results.page', () => {
  it('requests 100 slots from an offset', async () => {
    const { client, calls } = createStubService(() => Response.json(page({ items: slots })));
    const { slots: found, total, hasMore, itemsAt, summary: read } = await client.results.page(someId, 300);
    expect({ found, total, hasMore, itemsAt }).toEqual({ found: slots, total: 2, hasMore: false, itemsAt: 'items' });
    expect(read).toEqual(summary);
    expect(calls).toMatchObject([
      { method: 'GET', path: `/api/v1/orders/${someId}/results`, query: { limit: '100', offset: '300' } },
    ]);
  });

  it.each([
    ['under its default name', page({ items: slots, notes: [{ a: 1 }] }), undefined],
    ['under the configured name', page({ rows: slots, items: [{ a: 1 }] }), 'rows'],
    ['under any name', page({ briefings: slots, tags: ['a'], limit: 100 }), undefined],
    ['when the setting is wrong', page({ items: slots }), 'rows'],
    ['beside an empty list', page({ warnings: [], briefings: slots, links: [] }), undefined],
    ['beside records that are no slots', page({ companies: [{ id: 1 }], briefings: slots }), undefined],
    ['in a wrapper', { data: page({ items: slots }) }, undefined],
    [
      'with its paging in a record of its own',
      { summary, paging: { total: 2, has_more: false }, items: slots },
      undefined,
    ],
  ])('finds the slots %s', async (_, answer, setting) => {
    expect(await readPage(answer, setting)).toMatchObject({ slots, total: 2, hasMore: false });
  });

  it.each(['items', 'briefings'])('finds no slots on the page of a zero-result set (%s)', async (name) => {
    expect(await readPage(page({ warnings: [], [name]: [], total: 0 }))).toMatchObject({ slots: [], total: 0 });
  });

  it('reports the fields of a page without slots, and the setting', async () => {
    const { message, facts } = await rejection(readPage(page({ items: { Geheim: 1 }, names: ['Geheim'] })));
    expect(facts.kind).toBe('contract');
    expect(message).toContain('the answer has summary, total, has_more, items, names');
    expect(message).toContain('service.results_items');
    expect(message).not.toContain('Geheim');
  });

  it('returns slots as received', async () => {
    const later = slot(0, {
      status: 'POSTPONED',
      reason_codes: ['MOON_PHASE'],
      colour: { warm: true },
      external_id: null,
    });
    expect((await readPage(page({ items: [later], version: 2 }))).slots).toEqual([later]);
  });

  it('reads a summary without reasons, and accepts a missing summary', async () => {
    const { reasons: _reasons, ...counts } = summary;
    expect((await readPage(page({ items: slots, summary: counts }))).summary).toEqual({ ...counts, reasons: [] });
    expect((await readPage({ items: slots })).summary).toBeNull();
  });

  it('rejects items of the configured list that are not slots, and shows no value', async () => {
    const broken = slot(1, { input_position: 'Geheim' });
    const { message } = await rejection(readPage(page({ items: [slots[0], broken] }), 'items'));
    expect(message).toContain('items of items have no input_position or no status');
    expect(message).not.toContain('Geheim');
  });
});
