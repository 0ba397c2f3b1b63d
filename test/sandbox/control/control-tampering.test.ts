import { createTestControl } from './control-harness.ts';
import { unknownId } from '../service/service-harness.ts';

const drop = { changes: [{ kind: 'drop_slot' as const, position: 0 }] };

describe('the tampering of the control plane', () => {
  it('adds changes to the published results of an order, and undoes them', async () => {
    const { control, createProfile, finishOrder, readSlots } = createTestControl();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 3 };
    const params = { path: { order_id: await finishOrder(order) } };
    const before = await readSlots(params.path.order_id);
    expect((await control.POST('/orders/{order_id}/tampering', { params, body: drop })).data).toEqual(drop);
    const { response, data } = await control.POST('/orders/{order_id}/tampering', { params, body: drop });
    expect([response.status, data?.changes.length]).toEqual([201, 2]);
    expect(await readSlots(params.path.order_id)).toEqual(before.slice(2));
    expect((await control.DELETE('/orders/{order_id}/tampering', { params })).response.status).toBe(204);
    expect(await readSlots(params.path.order_id)).toEqual(before);
  });

  it('refuses an unknown order, one without results, and changes that do not fit, and keeps none of them', async () => {
    const { order, createProfile, createOrder, finishOrder, readSlots } = createTestControl();
    const discovery = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 3 };
    const tamper = async (orderId: string, ...changes: unknown[]) =>
      (await order('POST', `/orders/${orderId}/tampering`, { changes })).status;
    expect(await tamper(unknownId, ...drop.changes)).toBe(404);
    expect((await order('DELETE', `/orders/${unknownId}/tampering`)).status).toBe(404);
    expect(await tamper(await createOrder(discovery), ...drop.changes)).toBe(409);
    const published = await finishOrder(discovery);
    expect(await tamper(published, ...drop.changes, { kind: 'drop_slot', position: 2 })).toBe(422);
    expect(await tamper(published, { kind: 'set_value', position: 0, path: 'status', value: 7 })).toBe(422);
    expect(await tamper(published, { kind: 'set_value', position: 0, path: '__proto__.x', value: 7 })).toBe(422);
    expect(await tamper(published, { kind: 'burn' })).toBe(422);
    expect(await readSlots(published)).toHaveLength(3);
  });
});
