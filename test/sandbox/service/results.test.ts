import * as fc from 'fast-check';
import { createTestService } from './service-harness.ts';

async function published(size: number) {
  const service = createTestService();
  const profile_id = await service.createProfile();
  const id = await service.finishOrder({ order_type: 'DISCOVERY', profile_id, briefing_quantity: size });
  return { ...service, path: `/orders/${id}/results` };
}

describe('the results endpoint', () => {
  it('returns the same set with any paging', async () => {
    const { ask, path } = await published(123);
    const whole = [...(await ask('GET', `${path}?limit=100`)).body.items];
    whole.push(...(await ask('GET', `${path}?limit=100&offset=100`)).body.items);
    expect(whole).toHaveLength(123);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 5 }), async (limits) => {
        const read: unknown[] = [];
        for (let turn = 0; ; turn += 1) {
          const limit = limits[turn % limits.length];
          const { body } = await ask('GET', `${path}?limit=${limit}&offset=${read.length}`);
          expect(body.total).toBe(123);
          read.push(...body.items);
          expect(body.has_more).toBe(read.length < 123);
          if (!body.has_more || body.items.length === 0) break;
        }
        expect(read).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  it('returns the slice of the set for any limit and offset', async () => {
    const { ask, path, readSlots } = await published(123);
    const whole = await readSlots(path.split('/')[2] ?? '');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), fc.nat(150), async (limit, offset) => {
        const { body } = await ask('GET', `${path}?limit=${limit}&offset=${offset}`);
        expect(body.items).toEqual(whole.slice(offset, offset + limit));
        expect(body.has_more).toBe(offset + body.items.length < 123);
      }),
      { numRuns: 40 },
    );
  });

  it('returns the same bytes at any time', async () => {
    const { ask, pass, path, createBlacklist } = await published(60);
    const first = await ask('GET', path);
    await createBlacklist([{ company_name: first.body.items[0].company.name }]);
    pass(86_400);
    expect((await ask('GET', path)).text).toBe(first.text);
  });

  it('returns 50 slots by default, 100 at most, and none beyond the end', async () => {
    const { ask, path } = await published(60);
    expect((await ask('GET', path)).body.items).toHaveLength(50);
    for (const query of ['limit=101', 'limit=0', 'offset=-1', 'delivered_since=2026-01-01']) {
      expect((await ask('GET', `${path}?${query}`)).status).toBe(422);
    }
    expect((await ask('GET', `${path}?offset=60`)).body).toMatchObject({ items: [], has_more: false, total: 60 });
    expect((await ask('GET', `${path}?offset=9000`)).body).toMatchObject({ items: [], has_more: false });
  });

  it('refuses while the order is active', async () => {
    const { ask, createProfile, createOrder } = createTestService();
    const id = await createOrder({ order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 });
    const { status, body } = await ask('GET', `/orders/${id}/results`);
    expect(status).toBe(409);
    expect(body).toEqual({ code: 'ORDER_RESULTS_NOT_READY', message: expect.any(String), order_id: id });
  });

  it.each([404, 409, 425])('refuses with %d and renames the slots when that is assumed', async (status) => {
    const service = createTestService({ assume: { results_items: 'slots', results_not_ready_status: String(status) } });
    const order = { order_type: 'DISCOVERY', profile_id: await service.createProfile(), briefing_quantity: 1 };
    const id = await service.createOrder(order);
    expect((await service.ask('GET', `/orders/${id}/results`)).status).toBe(status);
    service.pass(4);
    const { body } = await service.ask('GET', `/orders/${id}/results`);
    expect(Object.keys(body)).toEqual(['summary', 'total', 'has_more', 'slots']);
    expect(body.slots).toHaveLength(1);
  });
});
