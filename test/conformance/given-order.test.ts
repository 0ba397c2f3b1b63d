import type { Fetch } from '../../src/http/http-answer.ts';
import type { CreatedResource } from '../../conformance/probe/created-resources.ts';
import { OrderUnknownError, type CheckResult } from '../../conformance/run-conformance.ts';
import { checksFor } from '../../conformance/check-catalogue.ts';
import {
  breaching,
  checksOf,
  closeDeployments,
  createDeployment,
  idsWith,
  run,
  type Change,
  type Seen,
} from './conformance-harness.ts';
import { inBody, inPage, inSlots, oneOrder, results, row, rows } from './breach-changes.ts';

const ofOrder = checksFor('any').filter(({ id }) => id.startsWith('given-order.'));

afterEach(closeDeployments);

interface Wanted {
  readonly order: Record<string, unknown>;
  readonly output?: boolean;
  readonly isPublished?: boolean;
}

const discovery = (found: number) => ({ order_type: 'DISCOVERY', briefing_quantity: found });
const enrichment = (websites: readonly string[]) => ({
  order_type: 'ENRICHMENT',
  companies: websites.map((website, at) => ({
    company_name: `Row ${at}`,
    website_url: website,
    external_id: `r-${at}`,
  })),
});
const mixed = [
  'https://a.example',
  'https://no-people-found.example',
  'https://unresolved-identity.example',
  'https://a.example',
];

/** An order that somebody placed some time ago. */
async function createOrder({ order, output = false, isPublished = true }: Wanted) {
  const deployment = createDeployment();
  const { fetch, apiKey, wait } = deployment;
  const post = async (path: string, body: unknown) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    };
    const url = `http://service.test/api/v1/${path}`;
    const answer = await fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }));
    return (await answer.json()) as Record<string, string>;
  };
  const made: CreatedResource[] = [];
  const checks = checksOf(/^profiles\.(?:create|poll)$/);
  const onResult = ({ findings }: CheckResult) => expect(findings).toEqual([]);
  await run(deployment, { checks, onResult, onLeftBehind: (one) => made.push(one) });
  const creation = await fetch(
    new Request(`http://service.test/api/v1/search-profile-creations/${made[0]?.id}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    }),
  );
  const { profile_id } = (await creation.json()) as { profile_id: string };
  const { order_id: orderId = '' } = await post('orders', { title: 'some time ago', ...order, profile_id });
  if (isPublished) await wait(5_000);
  if (output) await post(`orders/${orderId}/outputs`, { output_type: 'csv', output_language: 'en' });
  await wait(5_000 * Number(isPublished));
  return { ...deployment, orderId };
}

const check = (deployment: Awaited<ReturnType<typeof createOrder>>, fetch: Fetch = deployment.fetch) =>
  run({ ...deployment, fetch }, { orderId: deployment.orderId, allowed: 'read', checks: ofOrder });

describe('runConformance with an order', () => {
  it.each([
    ['an enrichment order', enrichment(mixed), []],
    [
      'an enrichment order older than immutable results',
      enrichment(['https://historical-delivery-confirmed.example']),
      [],
    ],
    ['a discovery order of more than three pages', discovery(310), []],
    ['an order without results', { ...discovery(3), title: 'found:0' }, []],
  ])('passes %s, and reads only', async (_, order, notes) => {
    const deployment = await createOrder({ order, output: !('title' in order) });
    const methods = new Set<string>();
    const watched: Fetch = (request) => {
      methods.add(request.method);
      return deployment.fetch(request);
    };
    const results = await check(deployment, watched);
    expect(results.flatMap(({ findings }) => findings)).toEqual([]);
    expect(results.flatMap((result) => result.notes)).toEqual(notes);
    const open = 'title' in order ? ['given-order.outputs'] : [];
    expect(idsWith(results, 'not checked')).toEqual(open);
    expect([...methods]).toEqual(['GET']);
  });

  it('says how an order stands that is not published, and checks nothing more', async () => {
    const results = await check(await createOrder({ order: discovery(3), isPublished: false }));
    expect(idsWith(results, 'passed')).toEqual([]);
    const [status, ...others] = results.map(({ reason }) => reason);
    expect(status).toBe('the order is RECEIVED, its results are not published');
    for (const reason of others) expect(reason).toMatch(/^needs (?:all slots of )?a published order$/);
  });

  it('refuses to judge an order that the service does not know', async () => {
    const deployment = await createOrder({ order: discovery(3), isPublished: false });
    const orderId = crypto.randomUUID();
    await expect(check({ ...deployment, orderId })).rejects.toThrow(OrderUnknownError);
    await expect(check({ ...deployment, orderId })).rejects.toThrow(orderId);
  });

  it('leaves out the rules of one kind, with a note, when the service does not say the kind', async () => {
    const deployment = await createOrder({ order: enrichment(mixed), output: true });
    const silent = breaching(deployment.fetch, 'GET', /\/orders\/[^/]+$/, ({ body, status }) =>
      status === 200 ? { body: { ...body, order_type: undefined } } : undefined,
    );
    const results = await check(deployment, silent);
    expect(idsWith(results, 'finding')).toEqual([]);
    expect(results[0]?.notes.join()).toContain('assumed A10: order_type does not show the kind');
  });
});

type Breach = [what: string, found: string, path: RegExp, change: (seen: Seen) => Change];

const breaches: Breach[] = [
  ['published and not COMPLETED', 'status', oneOrder, inBody(() => ({ status: 'IN_PROGRESS' }))],
  ['a count that is not the submitted one', 'status', oneOrder, inBody(() => ({ available_briefing_quantity: 3 }))],
  ['another order', 'status', oneOrder, inBody(() => ({ order_id: crypto.randomUUID() }))],
  ['a total of its own', 'paging', results, inBody(() => ({ total: 5 }))],
  ['has_more that never ends', 'paging', results, inBody(() => ({ has_more: true }))],
  [
    'the first slots for every offset',
    'stable',
    results,
    ({ url, body }) =>
      url.searchParams.get('limit') === '100'
        ? { body: { ...body, items: rows(body['items']).toReversed() } }
        : undefined,
  ],
  [
    'a summary that miscounts a reason',
    'summary',
    oneOrder,
    inBody(({ result_summary: summary }) => ({ result_summary: { ...row(summary), reasons: [] } })),
  ],
  [
    'a source_id that is not the submitted id',
    'slots',
    results,
    inSlots((slot) => (slot['company'] ? { ...slot, company: { ...row(slot['company']), source_id: 'x' } } : slot)),
  ],
  [
    'positions that count from 1',
    'slots',
    results,
    inSlots((slot) => ({ ...slot, input_position: Number(slot['input_position']) + 1 })),
  ],
  [
    'limit 101 that is taken',
    'limits',
    results,
    ({ status }) => (status === 422 ? { status: 200, body: {} } : undefined),
  ],
  [
    'slots beyond the end',
    'beyond-end',
    results,
    ({ url, body }) => (url.searchParams.get('offset') === '11' ? { body: { ...body, total: 0 } } : undefined),
  ],
  [
    'delivered_since that filters',
    'withdrawn-parameter',
    results,
    ({ url, body }) =>
      url.searchParams.has('delivered_since') ? { body: { ...body, total: 0 }, status: 200 } : undefined,
  ],
  ['a total without outputs', 'outputs', /\/outputs$/, inBody(() => ({ outputs: [], total: 3 }))],
  [
    'a limit of outputs that is ignored',
    'outputs',
    /\/outputs$/,
    inPage('?limit=1&offset=0', ({ outputs: listed }) => ({ outputs: [...rows(listed), ...rows(listed)] })),
  ],
  ['outputs with has_more', 'outputs', /\/outputs$/, inBody(() => ({ has_more: true }))],
  ['another output', 'outputs', /\/outputs\/[^/]+$/, inBody(() => ({ output_id: crypto.randomUUID() }))],
];

describe('runConformance with an order that breaks a rule', () => {
  it('has a breach for every check of an order', () => {
    const found = new Set(breaches.map(([, name]) => `given-order.${name}`));
    expect(ofOrder.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([]);
  });

  it.each(breaches)('finds %s', async (_, found, path, change) => {
    const deployment = await createOrder({ order: enrichment(mixed), output: true });
    const broken = await check(deployment, breaching(deployment.fetch, 'GET', path, change));
    expect(idsWith(broken, 'finding')).toContain(`given-order.${found}`);
  });
});
