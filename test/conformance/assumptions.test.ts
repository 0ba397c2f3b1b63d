import type { Fetch } from '../../src/base/http/http-answer.ts';
import { breaching, checksOf, closeDeployments, createDeployment, idsWith, run } from './conformance-harness.ts';

afterEach(closeDeployments);

const paths = { outputs: /\/outputs$/, output: /\/outputs\/[^/]+$/, results: /\/results$/ };
const placed = /^(?:profiles\.(?:create$|poll)|orders\.enrichment|results\.enrichment-paging)/;
const missing = { code: 'ORDER_NOT_FOUND', message: 'x', resource_type: 'x', identifier: 'x' };
const noBlacklist = { ...missing, code: 'BLACKLIST_NOT_FOUND', resource_type: 'blacklist', blacklist_id: 'not-a-uuid' };
const refusal = (status: number, body: unknown) => Response.json(body, { status });

/** The deployment, but for requests that it answers in another way that the specification leaves open. */
const otherwise =
  (fetch: Fetch, answer: (method: string, url: URL, text: string) => Response | undefined): Fetch =>
  async (request) => {
    if (!request.headers.get('authorization')?.startsWith('Bearer sk_sandbox')) return fetch(request);
    return answer(request.method, new URL(request.url), await request.clone().text()) ?? fetch(request);
  };

type Case = [
  note: RegExp,
  id: string,
  makers: RegExp,
  answer: (method: string, url: URL, text: string) => Response | undefined,
];
const isMalformed = (url: URL) => url.pathname.endsWith('/not-a-uuid');

const open: Case[] = [
  [
    /^assumed A55: .+ answered 404 \(BLACKLIST_NOT_FOUND\)$/,
    'blacklists.malformed-id',
    /^$/,
    (_, url) => (isMalformed(url) ? refusal(404, noBlacklist) : undefined),
  ],
  [
    /^assumed A55: .+ answered 400$/,
    'blacklists.malformed-id',
    /^$/,
    (_, url) => (isMalformed(url) ? refusal(400, {}) : undefined),
  ],
  [
    /^assumed A55: .+ answered 404 \(ORDER_NOT_FOUND\)$/,
    'orders.malformed-id',
    /^$/,
    (_, url) => (isMalformed(url) ? refusal(404, missing) : undefined),
  ],
  [
    /^assumed A46: POST .+: website_url in upper case answered 201$/,
    'entries.add-refusals',
    /^$/,
    (_method, _url, text) => (text.includes('HTTPS:') ? refusal(201, [entry]) : undefined),
  ],
  [
    /^assumed A48: PUT .+: 101 times one id answered 404 \(BLACKLIST_NOT_FOUND\)$/,
    'assignments.refusals',
    /^profiles\.(?:create$|poll)/,
    (method, _url, text) =>
      isAlike(method, text) ? refusal(404, { ...noBlacklist, blacklist_id: entry.id }) : undefined,
  ],
  [
    /^assumed A52: GET .+: limit=0 answered 200$/,
    'results.limits',
    placed,
    (_, url) =>
      paths.results.test(url.pathname) && url.searchParams.get('limit') === '0'
        ? refusal(200, { items: [], total: 6, has_more: true, summary: noSlots })
        : undefined,
  ],
];
const noSlots = { requested_count: 0, fully_enriched_count: 0, annotated_count: 0, reasons: [] };
const entry = {
  id: '00000000-0000-4000-8000-000000000001',
  company_name: 'Upper',
  website_url: 'HTTPS://conformance.example',
  city: null,
  country: null,
  external_id: null,
  reason: null,
  created_at: '2026-11-01T10:00:00.000000Z',
};

function isAlike(method: string, text: string): boolean {
  if (method !== 'PUT') return false;
  const { blacklist_ids: ids = [] } = JSON.parse(text) as { blacklist_ids?: string[] };
  return ids.length === 101 && new Set(ids).size === 1;
}

describe('runConformance when the service differs from an assumption', () => {
  it.each(open)('reports a note and no finding for %s', async (note, id, makers, answer) => {
    const deployment = createDeployment();
    const checks = checksOf(new RegExp(`${makers.source}|^${id}$`));
    const results = await run({ ...deployment, fetch: otherwise(deployment.fetch, answer) }, { checks });
    expect(results.flatMap(({ findings }) => findings)).toEqual([]);
    expect(results.find((result) => result.id === id)).toMatchObject({
      result: 'passed',
      notes: [expect.stringMatching(note)],
    });
  });

  it('reports notes when an output has another result count or digest (A41)', async () => {
    const deployment = createDeployment();
    const fetch = breaching(deployment.fetch, 'GET', paths.output, ({ body, status }) =>
      status === 200 ? { body: { ...body, result_count: 5, result_sha256: 'x' } } : undefined,
    );
    const checks = checksOf(new RegExp(`${placed.source}|^outputs\\.(?:create-csv|csv-completed)$`));
    const results = await run({ ...deployment, fetch }, { checks });
    expect(idsWith(results, 'finding')).toEqual([]);
    expect(results.find(({ id }) => id === 'outputs.csv-completed')?.notes).toEqual([
      'assumed A41: GET output: result_count is 5 of 6',
      'assumed A41: GET output: result_sha256 is no SHA-256 in hexadecimal digits',
    ]);
  });

  it('skips the check when languages are not separate destinations (A38)', async () => {
    const deployment = createDeployment();
    const fetch = otherwise(deployment.fetch, (_, url, text) =>
      paths.outputs.test(url.pathname) && text.includes('"de"')
        ? refusal(409, { code: 'OUTPUT_IDEMPOTENCY_CONFLICT', message: 'x' })
        : undefined,
    );
    const checks = checksOf(new RegExp(`${placed.source}|^outputs\\.(?:create-csv|key-conflict)$`));
    const results = await run({ ...deployment, fetch }, { checks });
    expect(idsWith(results, 'finding')).toEqual([]);
    expect(results.find(({ id }) => id === 'outputs.key-conflict')?.reason).toMatch(/^assumed A38: /);
  });

  it('skips deliveries when profile and prospect search have different ids (A06)', async () => {
    const deployment = createDeployment();
    const fetch = otherwise(deployment.fetch, (_, url) =>
      url.pathname.includes('/deliveries/') ? refusal(404, missing) : undefined,
    );
    const checks = checksOf(new RegExp(`${placed.source}|^deliveries`));
    const results = await run({ ...deployment, fetch }, { checks });
    expect(idsWith(results, 'finding')).toEqual([]);
    const reasons = results.filter(({ id }) => /^deliveries\.(?:list|web)/.test(id)).map(({ reason }) => reason);
    expect(reasons).toEqual([expect.stringMatching(/^assumed A06: /), expect.stringMatching(/^assumed A06: /)]);
  });
});
