import { createHash } from 'node:crypto';
import { createTestService, unknownId } from '../sandbox/service/service-harness.ts';
import { expectScope, timestamp, uuid } from './surroundings.ts';

const listing = 'GET /api/v1/deliveries/{prospect_search_id}/companies';
const markdown = 'GET /api/v1/deliveries/{prospect_search_id}/companies/{company_id}/website-markdown';

/** Two published discovery orders of one profile. */
async function deliver() {
  const service = createTestService();
  const profile_id = await service.createProfile();
  const order = { order_type: 'DISCOVERY', profile_id };
  const orders = [
    await service.finishOrder({ ...order, briefing_quantity: 3, target_countries: ['Italy'] }),
    await service.finishOrder({ ...order, briefing_quantity: 2 }),
  ];
  const path = `/deliveries/${profile_id}/companies`;
  const idsOf = async (orderId: string) => (await service.readSlots(orderId)).map(({ company }) => company.id);
  return { ...service, orders, path, idsOf };
}

describe('Orders', () => {
  it(`${listing}: includes companies of older and unrelated orders of the profile`, async () => {
    const { ask, path, orders, idsOf } = await deliver();
    const { status, body } = await ask('GET', path);
    expect(status).toBe(200);
    const listed = body.companies.map(({ id }: { id: string }) => id);
    for (const order of orders) expect(listed).toEqual(expect.arrayContaining(await idsOf(order)));
    expect(listed).toHaveLength(5);
  });

  it(`${listing}: has delivered contacts only, with the quality that the pipeline gave them`, async () => {
    const { ask, path } = await deliver();
    const { companies } = (await ask('GET', path)).body;
    const prospects = companies.flatMap((company: { prospects: object[] }) => company.prospects);
    expect(prospects.length).toBeGreaterThan(0);
    for (const prospect of prospects) {
      expect(prospect).toMatchObject({
        email_status: expect.any(String),
        email_client_deliverable: true,
        email_delivery_quality: expect.any(String),
        email_delivery_quality_reason: expect.any(String),
      });
      for (const gone of ['validation_confidence', 'bounce_risk_score']) expect(prospect).not.toHaveProperty(gone);
    }
  });

  it(`${listing}: needs delivery:read, and behaves as if another organisation's search were not there`, async () => {
    const { path, ...service } = await deliver();
    await expectScope(service, 'delivery:read', 'GET', path);
    const { apiKey } = service.service.createOrganization({ name: 'other' });
    expect((await service.ask('GET', path, undefined, { apiKey })).status).toBe(404);
  });

  it(`${markdown}: tells the text with observed_at, URLs and a content fingerprint`, async () => {
    const { ask, path, orders, idsOf } = await deliver();
    for (const id of await idsOf(orders[0] ?? '')) {
      expect(id).toMatch(uuid);
      const { status, body } = await ask('GET', `${path}/${id}/website-markdown`);
      expect(status).toBe(200);
      expect(body.markdown).toMatch(/^# /);
      expect(body.observed_at).toMatch(timestamp);
      for (const url of body.urls) expect(URL.canParse(url)).toBe(true);
      expect(body.content_fingerprint).toBe(createHash('sha256').update(body.markdown).digest('hex'));
    }
  });

  it(`${markdown}: is there for delivered companies only`, async () => {
    const { ask, path } = await deliver();
    const { status, body } = await ask('GET', `${path}/${unknownId}/website-markdown`);
    expect([status, body.code]).toEqual([404, 'COMPANY_NOT_FOUND']);
  });
});
