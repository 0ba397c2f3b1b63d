import type { Fetch } from '../../src/base/http/http-answer.ts';
import type { CreatedResource } from '../../conformance/probe/created-resources.ts';
import { OrderUnknownError, type CheckResult } from '../../conformance/run-conformance.ts';
import { checksFor } from '../../conformance/check-catalogue.ts';
import { breachedFetch } from './breaches/breached-deployment.ts';
import { parseBreachTable } from './breaches/breach-table.ts';
import { breaching, checksOf, closeDeployments, createDeployment, idsWith, run } from './conformance-harness.ts';

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

const breaches = parseBreachTable(`
given-order.status | getOrder | set status "IN_PROGRESS" | results_published must go with COMPLETED
given-order.status | getOrder | set available_briefing_quantity 3 | available_briefing_quantity
given-order.status | getOrder | other order_id | order_id
given-order.paging | listResults | set total 5 | total must be available_briefing_quantity
given-order.paging | listResults | set has_more true | has_more must be true before the last slot, and end with it
given-order.stable | listResults ?limit=100 | reverse items | the slots differ between limit=2 and limit=100
given-order.summary | getOrder | set result_summary.reasons [] | summary.reasons must count
given-order.slots | listResults | set items[].company.source_id "x" | company.source_id must be the submitted external_id
given-order.slots | listResults | other items[].input_position | input_position must count from 0
given-order.limits | listResults 422 | answer 200 {} | summary: must be object, found nothing
given-order.beyond-end | listResults ?offset=11 | set total 0 | total must be 4 beyond the end too, found 0
given-order.withdrawn-parameter | listResults 422 | answer 200 emptyPage | delivered_since filters, answered 200
given-order.outputs | listOutputs | merge . {"outputs":[],"total":3} | has_more must say whether there are more
given-order.outputs | listOutputs | merge . {"outputs":[],"total":3,"has_more":true} | total is 3, but no output is listed
given-order.outputs | listOutputs ?limit=1&offset=0 | repeat outputs | GET outputs with limit=1: must hold 1, found 2
given-order.outputs | listOutputs | set has_more true | has_more must say whether there are more
given-order.outputs | getOutput | other output_id | must answer the output asked for
`);

describe('runConformance with an order that breaks a rule', () => {
  it('has a breach for every check of an order', () => {
    expect([...breaches.keys()].toSorted()).toEqual(ofOrder.map(({ id }) => id).toSorted());
  });

  it.each([...breaches.values()].flat())(
    '$checkId reports a breach in the answer to $selector: $mutation',
    async (breach) => {
      const deployment = await createOrder({ order: enrichment(mixed), output: true });
      const results = await check(deployment, breachedFetch(deployment.fetch, breach));
      const findings = results.filter(({ id }) => id === breach.checkId).flatMap((result) => result.findings);
      expect(findings).toContainEqual(expect.stringContaining(breach.finding));
    },
  );
});
