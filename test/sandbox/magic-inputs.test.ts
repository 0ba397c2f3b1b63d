import { orderStatuses, profileCreationStatuses } from '../../src/service/contract/enum-values.ts';
import { reasonCodes, slotStatuses } from '../../src/service/contract/index.ts';
import { magicInputs, reasonByHost } from '../../sandbox/magic-inputs.ts';
import { createTestService, profileInput } from './service/service-harness.ts';

describe('magicInputs', () => {
  it('reach every reason code and slot status through the API alone', async () => {
    const { createProfile, finishOrder, readSlots } = createTestService();
    const profile_id = await createProfile();
    const companies = Array.from(reasonByHost.keys(), (host) => ({
      company_name: host,
      website_url: `https://acme.${host}`,
    }));
    companies.push(
      { company_name: 'A', website_url: 'https://a.test' },
      { company_name: 'B', website_url: 'https://a.test' },
    );
    const slots = await readSlots(await finishOrder({ order_type: 'ENRICHMENT', profile_id, companies }));
    for (const [place, code] of [...reasonByHost.values()].entries()) {
      expect(slots[place]).toMatchObject({ status: reasonCodes[code].status, reason_codes: [code] });
    }
    slots.push(
      ...(await readSlots(
        await finishOrder({
          order_type: 'DISCOVERY',
          profile_id,
          briefing_quantity: 1,
          title: 'outcome:RESULT_LIMIT_EXCEEDED',
        }),
      )),
    );
    const reached = new Set(slots.flatMap(({ reason_codes }) => reason_codes));
    expect(reached).toEqual(new Set(Object.keys(reasonCodes)));
    expect(new Set(slots.map(({ status }) => status))).toEqual(new Set(slotStatuses));
  });

  it('reach every order status', async () => {
    const { ask, createProfile, finishOrder } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 };
    const titles = magicInputs.filter(({ field }) => field === 'title').map(({ contains }) => contains);
    const reached = new Set<string>();
    for (const title of titles) {
      const id = await finishOrder({ ...order, title });
      reached.add((await ask('GET', `/orders/${id}`)).body.status);
    }
    expect(reached).toEqual(new Set(orderStatuses));
  });

  it('reach every status of a profile creation', async () => {
    const { ask, pass } = createTestService();
    const names = magicInputs.filter(({ field }) => field === 'profile_name').map(({ contains }) => contains);
    const reached = new Set<string>();
    for (const [key, profile_name] of [...names, 'Makers'].entries()) {
      const { body } = await ask('POST', '/search-profile-creations', profileInput({ profile_name }), {
        idempotencyKey: String(key),
      });
      pass(2);
      reached.add((await ask('GET', `/search-profile-creations/${body.profile_creation_id}`)).body.status);
    }
    expect(reached).toEqual(new Set(profileCreationStatuses));
  });

  it('have no duplicate rows', () => {
    const rows = magicInputs.map(({ field, contains }) => `${field} ${contains}`);
    expect(new Set(rows).size).toBe(rows.length);
    for (const { effect } of magicInputs) expect(effect).not.toBe('');
  });
});
