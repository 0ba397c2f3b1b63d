import * as fc from 'fast-check';
import { createCandidates } from '../../../sandbox/generated-data/candidate-companies.ts';
import { excludedBefore } from '../../../sandbox/results/discovery-results.ts';
import { companyAt } from '../../../sandbox/generated-data/company-generator.ts';
import { createTestService } from '../service/service-harness.ts';

const candidateAt = createCandidates({ target_countries: ['Germany'] });
const candidate = (position: number) => companyAt(1, candidateAt(position));

describe('a discovery order', () => {
  it('finds exactly the requested number of companies, ENRICHED, in positions from 0', async () => {
    const { createProfile, finishOrder, readSlots } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 130 };
    const slots = await readSlots(await finishOrder(order), 50);
    expect(slots).toHaveLength(130);
    for (const [position, slot] of slots.entries()) {
      expect(slot).toEqual({
        input_position: position,
        status: 'ENRICHED',
        reason_codes: ['POLICY_ELIGIBLE'],
        reasons: [{ code: 'POLICY_ELIGIBLE', message: expect.any(String) }],
        company: candidate(position),
        delivered_at: '2026-11-20T12:00:06.000000Z',
      });
    }
  });

  it('skips companies on an attached or assigned blacklist, by any tier, and finds others instead', async () => {
    const { ask, createProfile, createBlacklist, finishOrder, readSlots } = createTestService();
    const profile_id = await createProfile();
    const attached = await createBlacklist([
      { company_name: 'Another company', external_id: candidate(0).source_id },
      { company_name: 'Their holding', website_url: `http://${candidate(2).domain}/imprint` },
    ]);
    const assigned = await createBlacklist([
      { company_name: candidate(4).name.toUpperCase(), city: candidate(4).city },
      { company_name: `  ${candidate(5).name}` },
      { company_name: 'Nobody', website_url: 'https://nobody.example', city: 'Bern', external_id: '0' },
    ]);
    await createBlacklist([{ company_name: candidate(1).name }]);
    await ask('PUT', `/prospect-searches/${profile_id}/blacklists`, { blacklist_ids: [assigned] });
    const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 6, blacklist_ids: [attached, attached] };
    const id = await finishOrder(order);
    const slots = await readSlots(id);
    expect(slots.map(({ company }) => company.id)).toEqual([1, 3, 6, 7, 8, 9].map((place) => candidate(place).id));
    expect(slots.map(({ input_position }) => input_position)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('uses the blacklists as they were when the order completed (A84)', async () => {
    const { ask, pass, createProfile, createBlacklist, createOrder, readSlots } = createTestService();
    const profile_id = await createProfile();
    const blacklist = await createBlacklist([{ company_name: candidate(0).name }]);
    const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 2, blacklist_ids: [blacklist] };
    const id = await createOrder(order);
    pass(3);
    await ask('POST', `/blacklists/${blacklist}/entries`, { entries: [{ company_name: candidate(1).name }] });
    pass(1);
    await ask('POST', `/blacklists/${blacklist}/entries`, { entries: [{ company_name: candidate(2).name }] });
    await ask('DELETE', `/blacklists/${blacklist}`);
    const slots = await readSlots(id);
    expect(slots.map(({ company }) => company.id)).toEqual([candidate(2).id, candidate(3).id]);
  });

  it('ignores a blacklist that was deleted before the order completed', async () => {
    const { ask, pass, createProfile, createBlacklist, createOrder, readSlots } = createTestService();
    const profile_id = await createProfile();
    const blacklist = await createBlacklist([{ company_name: candidate(0).name }]);
    const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 1, blacklist_ids: [blacklist] };
    const id = await createOrder(order);
    await ask('DELETE', `/blacklists/${blacklist}`);
    pass(4);
    expect((await readSlots(id))[0].company.id).toBe(candidate(0).id);
  });

  it('finds three companies beyond the quantity, without contacts, when the title requests it', async () => {
    const { ask, createProfile, finishOrder, readSlots } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 5 };
    const more = await finishOrder({ ...order, title: 'outcome:RESULT_LIMIT_EXCEEDED' });
    expect((await ask('GET', `/orders/${more}`)).body).toMatchObject({
      available_briefing_quantity: 8,
      result_summary: { requested_count: 5, fully_enriched_count: 5, annotated_count: 3, reasons: [] },
    });
    const beyond = (await readSlots(more)).slice(5);
    expect(beyond.map(({ status, reason_codes }) => [status, ...reason_codes])).toEqual(
      Array.from({ length: 3 }, () => ['PARTIAL', 'RESULT_LIMIT_EXCEEDED']),
    );
    expect(beyond[0].company).toEqual({ ...candidate(5), prospects: [] });
  });

  it('prefers its own countries to those of the profile', async () => {
    const { createProfile, finishOrder, readSlots } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 9 };
    const slots = await readSlots(await finishOrder({ ...order, target_countries: ['ES'] }));
    expect(new Set(slots.map(({ company }) => company.country))).toEqual(new Set(['Spain']));
  });

  it('of 1,000,000 companies can be read at the last page', async () => {
    const { ask, createProfile, finishOrder } = createTestService();
    const profile_id = await createProfile();
    const id = await finishOrder({ order_type: 'DISCOVERY', profile_id, briefing_quantity: 1_000_000 });
    const { body } = await ask('GET', `/orders/${id}/results?limit=100&offset=999950`);
    expect(body.items).toHaveLength(50);
    expect(body.items[49].company).toEqual(candidate(999_999));
    expect(body).toMatchObject({ total: 1_000_000, has_more: false });
  });
});

describe('excludedBefore', () => {
  it('equals a linear count', () => {
    const sorted = fc
      .uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 30 })
      .map((list) => list.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(sorted, (excluded) => {
        const left = Array.from({ length: 100 }, (_, position) => position).filter((p) => !excluded.includes(p));
        for (const [place, position] of left.entries()) {
          expect(place + excludedBefore(excluded, place)).toBe(position);
        }
      }),
    );
  });
});
