import { setImmediate } from 'node:timers/promises';
import { createWebhookService } from './webhook-harness.ts';

async function createOrdering() {
  const service = createWebhookService();
  const profile_id = await service.createProfile();
  const { webhooks: stored } = service.service.organization(service.organizationId);
  return {
    ...service,
    stored,
    discover: (briefing_quantity: number, title = 'Order') =>
      service.finishOrder({ order_type: 'DISCOVERY', profile_id, briefing_quantity, title }),
    enrich: (...rows: [company_name: string, website_url: string][]) =>
      service.createOrder({
        order_type: 'ENRICHMENT',
        profile_id,
        companies: rows.map(([company_name, website_url]) => ({ company_name, website_url })),
      }),
    slotOf: async (order: string, slot: number) =>
      (await service.ask('GET', `/orders/${order}/results?limit=1&offset=${slot}`)).body.items[0],
    told: async (reply_from_email: string) => {
      service.receive({ reply_from_email });
      await service.wait(0);
      return service.newest();
    },
  };
}

describe('a reply by email address', () => {
  it('finds a person beyond the twenty thousandth slot of an order', async () => {
    const { discover, slotOf, told } = await createOrdering();
    const { company } = await slotOf(await discover(20_010), 20_009);
    const [person] = company.prospects;
    expect(await told(person.email)).toMatchObject({
      prospect_full_name: person.full_name,
      company_name: company.name,
    });
    expect(await told(`reception@${company.domain}`)).toMatchObject({ prospect_email: '', company_name: company.name });
  });

  it('reads no order for an unknown person, and one order for a known person', async () => {
    const { service, organizationId, enrich, wait, slotOf, told } = await createOrdering();
    const orders: string[] = [];
    for (let place = 0; place < 12; place += 1) orders.push(await enrich([`Nth ${place}`, `https://nth-${place}.com`]));
    await wait(4);
    const people = await Promise.all(orders.map(async (order) => (await slotOf(order, 0)).company.prospects[0]));
    await told('somebody@elsewhere.example');
    const built = jest.spyOn(service.organization(organizationId).submissions, 'get');
    await told('somebody@elsewhere.example');
    expect(built).not.toHaveBeenCalled();
    for (const { email, full_name } of people) {
      built.mockClear();
      expect(await told(email)).toMatchObject({ prospect_full_name: full_name });
      expect(built.mock.calls.length).toBeLessThanOrEqual(1);
    }
  });

  it('uses the order that was published last', async () => {
    const { service, organizationId, enrich, slotOf, wait, told } = await createOrdering();
    const pace = (after_seconds: number) => service.progressions.set(organizationId, { orders: { after_seconds } });
    pace(100);
    const slow = await enrich(['Made first', 'https://acme.test']);
    pace(10);
    await enrich(['Made second', 'https://acme.test']);
    await wait(200);
    const { company } = await slotOf(slow, 0);
    expect(await told(company.prospects[0].email)).toMatchObject({ company_name: 'Made first' });
  });

  it('finds people of an earlier order when a later one has their company without them', async () => {
    const { discover, slotOf, told } = await createOrdering();
    const { company } = await slotOf(await discover(5), 4);
    const later = await discover(3, 'outcome:RESULT_LIMIT_EXCEEDED');
    const again = await slotOf(later, 4);
    expect(again.company).toMatchObject({ id: company.id, prospects: [] });
    const [person] = company.prospects;
    expect(await told(person.email)).toMatchObject({ prospect_full_name: person.full_name });
  });

  it('distinguishes a real domain from the same one below .example', async () => {
    const { enrich, wait, readSlots, told } = await createOrdering();
    const order = await enrich(['Real', 'https://real-1.com'], ['Reserved', 'https://real-1.com.example']);
    await wait(4);
    for (const { company } of await readSlots(order)) {
      for (const { email } of company.prospects) {
        expect(await told(email)).toMatchObject({ prospect_email: email, company_name: company.name });
      }
      expect(await told(`nobody@${company.domain}`)).toMatchObject({ company_name: company.name });
    }
  });

  it('is unknown again after a rollback of the delivery', async () => {
    const { service, discover, slotOf, told } = await createOrdering();
    service.snapshots.save('before');
    const { company } = await slotOf(await discover(3), 2);
    const { email } = company.prospects[0];
    expect(await told(email)).toMatchObject({ prospect_email: email });
    service.snapshots.restore('before');
    expect(await told(email)).toMatchObject({ prospect_email: '', company_name: '' });
  });
});

describe('published orders', () => {
  const turns = async (many: number) => {
    for (let turn = 0; turn < many; turn += 1) await setImmediate();
  };

  it('are indexed in slices in the background, as soon as there is an action', async () => {
    const { webhooks, organizationId, actionId, addAction, stored, discover, slotOf } = await createOrdering();
    // Published when somebody asks.
    await slotOf(await discover(450), 0);
    await turns(10);
    expect(stored.deliveredDomains.size).toBe(450);
    webhooks.actions.remove(organizationId, actionId);
    await slotOf(await discover(460), 0);
    await turns(10);
    expect(stored.deliveredDomains.size).toBe(450);
    addAction();
    await turns(10);
    expect(stored.deliveredDomains.size).toBe(460);
  });
});
