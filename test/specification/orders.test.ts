import { createTestService, unknownId } from '../sandbox/service/service-harness.ts';
import { byStatus, discover, enrich, uuid } from './surroundings.ts';

const rows = [{ company_name: 'A' }, { company_name: 'B' }, { company_name: 'C' }];

/** A discovery order that was just placed, read at any moment. */
async function place(title = 'Spring', briefing_quantity = 2) {
  const service = createTestService();
  const profile_id = await service.createProfile();
  const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity, title };
  const answer = await service.ask('POST', '/orders', order);
  const path = `/orders/${answer.body.order_id}`;
  const read = async () => (await service.ask('GET', path)).body;
  /** Polled every tenth of a second until nothing can change any more. */
  const watch = async () => {
    const seen = [await read()];
    for (let tenths = 0; tenths < 50; tenths += 1) {
      service.pass(0.1);
      seen.push(await read());
    }
    return seen;
  };
  return { ...service, answer, path, order, read, watch };
}

const words = (seen: { status: string }[]) => [...new Set(seen.map(({ status }) => status))];

describe('Order (fields the interface names)', () => {
  it('order_id: is the UUID that order paths take', async () => {
    const { answer, read } = await place();
    expect(answer.body.order_id).toMatch(uuid);
    expect((await read()).order_id).toBe(answer.body.order_id);
  });

  it('status: is a word of "Order status" at every moment', async () => {
    const known = ['RECEIVED', 'ACCEPTED', 'IN_PROGRESS', 'COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED'];
    const seen = new Set<string>();
    for (const title of ['Spring', 'outcome:REJECTED', 'outcome:FAILED', 'outcome:CANCELLED'])
      for (const { status } of await (await place(title)).watch()) seen.add(status);
    expect(seen).toEqual(new Set(known));
  });

  it('briefing_quantity: is what the client asks for in a discovery order', async () => {
    const { ask, order, answer, watch } = await place('found:1', 7);
    expect(answer.body.briefing_quantity).toBe(7);
    for (const { briefing_quantity } of await watch()) expect(briefing_quantity).toBe(7);
    for (const briefing_quantity of [undefined, null, 1.5, '7'])
      expect((await ask('POST', '/orders', { ...order, briefing_quantity })).status).toBe(422);
  });

  it('briefing_quantity: is the number of submitted companies in an enrichment order', async () => {
    const { order } = await enrich(rows);
    expect(order.briefing_quantity).toBe(3);
  });

  it.each(['Spring', 'found:1', 'outcome:EMPTY'])(
    'available_briefing_quantity: counts the published set of "%s"',
    async (title) => {
      const { order, page } = await discover(3, title);
      expect(order.available_briefing_quantity).toBe(page.total);
      expect(page.items).toHaveLength(page.total);
    },
  );

  it('available_briefing_quantity: equals the submitted count in an enrichment order', async () => {
    const { order, page } = await enrich([...rows, { company_name: 'A' }, unresolved]);
    expect([order.available_briefing_quantity, page.total]).toEqual([5, 5]);
  });

  it.each(['Spring', 'outcome:EMPTY'])(
    'results_published: is true from the moment the set of "%s" exists',
    async (title) => {
      expect(byStatus(await (await place(title)).watch(), 'results_published')).toEqual({
        RECEIVED: [false],
        ACCEPTED: [false],
        IN_PROGRESS: [false],
        COMPLETED: [true],
      });
    },
  );

  it('result_summary: is null before publication, then the summary of the results page', async () => {
    const { ask, path, watch, read } = await place();
    expect(byStatus(await watch(), 'result_summary')).toMatchObject({
      RECEIVED: [null],
      ACCEPTED: [null],
      IN_PROGRESS: [null],
    });
    const { body: page } = await ask('GET', `${path}/results`);
    expect((await read()).result_summary).toEqual(page.summary);
    expect(page.summary.requested_count).toBe(2);
  });
});

const unresolved = { company_name: 'U', website_url: 'https://u.unresolved-identity.example' };

describe('Orders', () => {
  it('POST /api/v1/orders: creates a discovery order from every field the interface names', async () => {
    const { ask, createProfile, createBlacklist } = createTestService();
    const { status, body } = await ask('POST', '/orders', {
      order_type: 'DISCOVERY',
      profile_id: await createProfile(),
      briefing_quantity: 2,
      title: 'Spring',
      features: ['COMPANY_DATA', 'CONTACTS', 'ANALYSIS'],
      ideal_customer_profile: 'Companies that make things',
      seller_offering: 'Machines',
      target_countries: ['Germany', 'Austria'],
      blacklist_ids: [await createBlacklist()],
      webhook_url: 'https://receiver.example/orders',
    });
    expect([status, body.status]).toEqual([201, 'RECEIVED']);
    for (const gone of ['webhook_url', 'estimated_cost', 'admin_notes']) expect(body).not.toHaveProperty(gone);
  });

  it('POST /api/v1/orders: creates an enrichment order of rows that may carry an external_id', async () => {
    const { slots } = await enrich([{ company_name: 'A', external_id: 'crm-1' }, { company_name: 'B' }]);
    expect(slots).toHaveLength(2);
  });

  it('POST /api/v1/orders: keeps the fields of one kind from the other, and unknown words out', async () => {
    const { ask, order } = await place();
    const refused = [
      { ...order, companies: rows },
      { ...order, order_type: 'ENRICHMENT', companies: rows },
      { ...order, features: ['TELEPATHY'] },
      { ...order, order_type: 'TELEPATHY' },
      { ...order, profile_id: undefined },
      { ...order, blacklist_ids: ['7'] },
    ];
    for (const body of refused) expect((await ask('POST', '/orders', body)).status).toBe(422);
    for (const change of [{ profile_id: unknownId }, { blacklist_ids: [unknownId] }])
      expect((await ask('POST', '/orders', { ...order, ...change })).status).toBe(404);
  });

  it('POST /api/v1/orders: makes one order of one Idempotency-Key', async () => {
    const { ask, order } = await place();
    const send = (body: unknown, idempotencyKey: string) => ask('POST', '/orders', body, { idempotencyKey });
    const first = await send(order, 'k');
    expect((await send(order, 'k')).body.order_id).toBe(first.body.order_id);
    expect((await send(order, 'l')).body.order_id).not.toBe(first.body.order_id);
    expect((await send({ ...order, title: 'Autumn' }, 'k')).status).toBe(409);
  });

  it('GET /api/v1/orders/{order_id}: tells status, results_published and result_summary, and nothing withdrawn', async () => {
    const { ask, path, answer } = await place();
    const { status, body } = await ask('GET', path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'RECEIVED', results_published: false, result_summary: null });
    for (const gone of ['webhook_url', 'estimated_cost', 'admin_notes', 'organization_id']) {
      expect(body).not.toHaveProperty(gone);
      expect(answer.body).not.toHaveProperty(gone);
    }
    expect((await ask('GET', `/orders/${unknownId}`)).status).toBe(404);
  });

  it('GET /api/v1/orders/{order_id}/results: pages a stable snapshot until has_more is false', async () => {
    const { ask, path, pass, createBlacklist } = await place('Spring', 7);
    pass(60);
    const whole = await ask('GET', `${path}/results`);
    expect([whole.status, whole.body.total, whole.body.has_more]).toEqual([200, 7, false]);
    const read: unknown[] = [];
    for (let more = true; more;) {
      const { body } = await ask('GET', `${path}/results?limit=3&offset=${read.length}`);
      expect(body).toMatchObject({ summary: whole.body.summary, total: 7 });
      read.push(...body.items);
      more = body.has_more;
      await createBlacklist([{ company_name: body.items[0].company.name }]);
      pass(86_400);
    }
    expect(read).toEqual(whole.body.items);
    expect((await ask('GET', `${path}/results`)).text).toBe(whole.text);
  });

  it('GET /api/v1/orders/{order_id}/results: does not know delivered_since any more', async () => {
    const { ask, path, pass } = await place();
    pass(60);
    expect((await ask('GET', `${path}/results?delivered_since=2020-01-01T00:00:00Z`)).status).toBe(422);
  });
});

describe('Order status', () => {
  const activeWords = ['RECEIVED', 'ACCEPTED', 'IN_PROGRESS'];

  it.each(activeWords)('%s: is active: nothing is published yet, and the order goes on', async (word) => {
    const { ask, path, pass, read } = await place();
    for (let tenths = 0; (await read()).status !== word && tenths < 50; tenths += 1) pass(0.1);
    expect(await read()).toMatchObject({ status: word, results_published: false, available_briefing_quantity: 0 });
    expect((await ask('GET', `${path}/results`)).body.code).toBe('ORDER_RESULTS_NOT_READY');
    pass(60);
    expect((await read()).status).toBe('COMPLETED');
  });

  it('RECEIVED: is the first status', async () => {
    const { answer, watch } = await place();
    expect(answer.body.status).toBe('RECEIVED');
    expect(words(await watch())[0]).toBe('RECEIVED');
  });

  it('COMPLETED: is terminal and has results when they are published', async () => {
    const { ask, path, pass, read } = await place();
    pass(60);
    expect(await read()).toMatchObject({ status: 'COMPLETED', results_published: true });
    expect((await ask('GET', `${path}/results`)).body.items).toHaveLength(2);
    pass(86_400);
    expect((await read()).status).toBe('COMPLETED');
  });

  it('COMPLETED: can be without published results on an order from before immutable publication', async () => {
    const { ask, path, pass, read } = await place('outcome:UNPUBLISHED');
    pass(60);
    expect(await read()).toMatchObject({ status: 'COMPLETED', results_published: false, result_summary: null });
    expect((await ask('GET', `${path}/results`)).body.code).toBe('ORDER_RESULTS_NOT_READY');
  });

  it.each(['REJECTED', 'FAILED', 'CANCELLED'])('%s: is terminal, without results', async (word) => {
    const { ask, path, pass, watch, read } = await place(`outcome:${word}`);
    const seen = words(await watch());
    expect(seen.at(-1)).toBe(word);
    expect(activeWords).toEqual(expect.arrayContaining(seen.slice(0, -1)));
    pass(86_400);
    expect(await read()).toMatchObject({ status: word, results_published: false, result_summary: null });
    expect((await ask('GET', `${path}/results`)).status).toBeGreaterThanOrEqual(400);
  });

  it('REJECTED: was never accepted', async () => {
    expect(words(await (await place('outcome:REJECTED')).watch())).toEqual(['RECEIVED', 'REJECTED']);
  });
});

describe('Order status, Transitions that are stated', () => {
  it('ACCEPTED: leads to IN_PROGRESS so soon that a poll normally sees IN_PROGRESS directly', async () => {
    const { watch } = await place();
    const seen = await watch();
    expect(words(seen)).toEqual(['RECEIVED', 'ACCEPTED', 'IN_PROGRESS', 'COMPLETED']);
    const times = (word: string) => seen.filter(({ status }) => status === word).length;
    expect(times('ACCEPTED')).toBeLessThan(times('IN_PROGRESS') / 3);
  });

  it.each(['RECEIVED', 'ACCEPTED', 'IN_PROGRESS'])(
    '(any active): an order that is %s becomes COMPLETED when its set is published',
    async (word) => {
      const { service, pass, read } = await place(`stay:${word}`);
      pass(60);
      const { order_id, status, results_published } = await read();
      expect({ status, results_published }).toEqual({ status: word, results_published: false });
      service.stepOrder(order_id, { status: 'COMPLETED' });
      expect(await read()).toMatchObject({ status: 'COMPLETED', results_published: true });
    },
  );

  it.each([
    ['Spring', 2],
    ['outcome:EMPTY', 0],
  ])('(any active): becomes COMPLETED with the publication of "%s", be it empty', async (title, total) => {
    const { ask, path, watch } = await place(title);
    for (const { status, results_published } of await watch()) expect(results_published).toBe(status === 'COMPLETED');
    const { status, body } = await ask('GET', `${path}/results`);
    expect([status, body.total, body.items.length]).toEqual([200, total, total]);
  });
});
