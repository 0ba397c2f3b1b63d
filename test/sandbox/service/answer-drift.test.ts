import { slotSchema, toStrict, violations } from '../../../src/service/contract/index.ts';
import { createTestService } from './service-harness.ts';

const rows = [
  { company_name: 'A', website_url: 'https://a.website-empty.example' },
  { company_name: 'B' },
  { company_name: 'C', website_url: 'https://c.no-email-found.example' },
  { company_name: 'D', website_url: 'https://d.no-email-found.example' },
];

async function drifting(drift: object) {
  const test = createTestService();
  const { createProfile, finishOrder, service, organizationId } = test;
  const order = { order_type: 'ENRICHMENT', profile_id: await createProfile(), companies: rows };
  const id = await finishOrder(order);
  service.drift.set(organizationId, drift);
  return { ...test, id, page: (await test.ask('GET', `/orders/${id}/results`)).body };
}

describe('drift', () => {
  it('adds a field to every object, which a tolerant reader ignores', async () => {
    const { page, ask, id } = await drifting({ unknown_fields: true });
    expect(page.field_of_tomorrow).toEqual({ since: 'tomorrow' });
    expect(page.items[1].company.prospects[0].field_of_tomorrow).toEqual({ since: 'tomorrow' });
    expect(page.items[0].reasons[0].field_of_tomorrow).toEqual({ since: 'tomorrow' });
    expect(violations(slotSchema, page.items[1])).toEqual([]);
    expect(violations(toStrict(slotSchema), page.items[1])).not.toEqual([]);
    expect((await ask('GET', `/orders/${id}`)).body.field_of_tomorrow).toEqual({ since: 'tomorrow' });
  });

  it('sets an unknown reason code on some annotated slots', async () => {
    const { page } = await drifting({ reason_codes: true });
    expect(page.items.map((slot: { reason_codes: string[] }) => slot.reason_codes)).toEqual([
      ['REASON_OF_TOMORROW'],
      ['POLICY_ELIGIBLE'],
      ['NO_EMAIL_FOUND'],
      ['REASON_OF_TOMORROW'],
    ]);
    expect(page.items[0].reasons[0].code).toBe('REASON_OF_TOMORROW');
  });

  it('sets assumed fields to null, never specified ones', async () => {
    const { page, ask, id } = await drifting({ nulls: true });
    const { company } = page.items[1];
    expect([company.industry, company.city, company.prospects]).toEqual([null, null, null]);
    const { body } = await ask('GET', `/orders/${id}`);
    expect([body.title, body.created_at, body.status]).toEqual([null, null, 'COMPLETED']);
    expect(violations(slotSchema, page.items[1])).toEqual([]);
  });

  it('affects one organisation, leaves refusals unchanged, and ends with a reset', async () => {
    const { ask, service } = await drifting({ unknown_fields: true });
    const other = service.createOrganization({ name: 'other' });
    expect((await ask('GET', '/blacklists', undefined, { apiKey: other.apiKey })).body).toEqual({ blacklists: [] });
    expect(Object.keys((await ask('GET', '/blacklists/1')).body)).toEqual(['detail']);
    service.reset();
    expect((await ask('GET', '/blacklists')).body).toEqual({ blacklists: [] });
  });

  it('delivers every third excluded company from then on', async () => {
    const { createProfile, finishOrder, service, organizationId, ask } = createTestService();
    const profile_id = await createProfile();
    const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 7 };
    const found = async (body: Record<string, unknown>) => {
      const page = (await ask('GET', `/orders/${await finishOrder(body)}/results`)).body;
      return page.items.map(({ company }: { company: { domain: string } }) => company.domain);
    };
    const domains = await found(order);
    const { body: blacklist } = await ask('POST', '/blacklists', { name: 'All of them' });
    const entries = domains.map((domain: string) => ({ company_name: domain, website_url: `https://${domain}` }));
    await ask('POST', `/blacklists/${blacklist.id}/entries`, { entries });
    const excluding = { ...order, blacklist_ids: [blacklist.id] };
    const leaked = async () => (await found(excluding)).filter((domain: string) => domains.includes(domain));
    expect(await leaked()).toEqual([]);
    service.drift.set(organizationId, { leaks: true });
    expect(await leaked()).toEqual([domains[0], domains[3], domains[6]]);
  });
});
