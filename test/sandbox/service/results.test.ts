import * as fc from 'fast-check';
import { createTestService } from './service-harness.ts';
import { runsOf } from '../../helpers/sample.ts';

describe('the results endpoint', () => {
  it('returns the slice of the set for any limit and offset', async () => {
    const { ask, createProfile, finishOrder, readSlots } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 123 };
    const id = await finishOrder(order);
    const whole = await readSlots(id);
    expect(whole).toHaveLength(123);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), fc.nat(150), async (limit, offset) => {
        const { body } = await ask('GET', `/orders/${id}/results?limit=${limit}&offset=${offset}`);
        expect(body.items).toEqual(whole.slice(offset, offset + limit));
        expect([body.total, body.has_more]).toEqual([123, offset + body.items.length < 123]);
      }),
      { numRuns: runsOf(40) },
    );
    expect((await ask('GET', `/orders/${id}/results?delivered_since=2026-01-01`)).status).toBe(422);
  });

  it.each([404, 409, 425])('refuses with %d and renames the slots when that is assumed', async (status) => {
    const service = createTestService({ assume: { results_items: 'slots', results_not_ready_status: String(status) } });
    const order = { order_type: 'DISCOVERY', profile_id: await service.createProfile(), briefing_quantity: 1 };
    const id = await service.createOrder(order);
    const refused = await service.ask('GET', `/orders/${id}/results`);
    expect([refused.status, refused.body.code, refused.body.order_id]).toEqual([status, 'ORDER_RESULTS_NOT_READY', id]);
    service.pass(4);
    const { body } = await service.ask('GET', `/orders/${id}/results`);
    expect(Object.keys(body)).toEqual(['summary', 'total', 'has_more', 'slots']);
    expect(body.slots).toHaveLength(1);
  });
});
