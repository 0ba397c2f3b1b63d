import { catalogue } from '../../conformance/check-catalogue.ts';
import { need, type Check } from '../../conformance/probe/check.ts';
import { operations } from '../../src/contract/index.ts';
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
import { deploymentBlacklistBreaches } from './deployment-breaches/deployment-blacklist-breaches.ts';
import { deploymentEntryBreaches } from './deployment-breaches/deployment-entry-breaches.ts';
import { deploymentOrderBreaches } from './deployment-breaches/deployment-order-breaches.ts';
import { deploymentOutputBreaches } from './deployment-breaches/deployment-output-breaches.ts';
import {
  assigned,
  counted,
  entryPages,
  inBody,
  inSlots,
  on,
  oneCreation,
  oneList,
  oneOrder,
  results,
  rows,
  where,
  type Row,
  foreignBlacklist,
} from './breach-changes.ts';

type Breach = [what: string, found: string, method: string, path: RegExp, change: (seen: Seen) => Change];
const breaches: Breach[] = [
  [
    'a 401 without request_id',
    'authentication.missing-key',
    'GET',
    /./,
    on(401, ({ body }) => ({ body: { ...body, request_id: undefined } })),
  ],
  [
    'a 401 with code in place of error',
    'authentication.wrong-key',
    'GET',
    /./,
    on(401, ({ body }) => ({ body: { ...body, error: 'NO' } })),
  ],
  [
    'a read without a key',
    'authentication.missing-key',
    'GET',
    /\/blacklists$/,
    on(401, () => ({ status: 200, body: { blacklists: [] } })),
  ],
  [
    'a change without a key',
    'authentication.missing-key-write',
    'DELETE',
    /\/blacklists\/[^/]+$/,
    on(401, () => ({ status: 204, body: undefined })),
  ],
  [
    'a closed route that is open',
    'authentication.closed-routes',
    'GET',
    /v1\/companies$/,
    () => ({ status: 200, body: {} }),
  ],
  [
    'a closed route with another code',
    'authentication.closed-routes',
    'GET',
    /v1\/companies$/,
    on(403, ({ body }) => ({ body: { ...body, code: 'AUTHORIZATION_ERROR' } })),
  ],
  [
    'an error in HTML',
    'headers.json-errors',
    'GET',
    oneOrder,
    on(404, () => ({ headers: { 'content-type': 'text/html' } })),
  ],
  [
    'text that is cut',
    'headers.json-charset',
    'GET',
    oneList,
    inBody(({ name }) => ({ name: String(name).replace('🏭', '?') })),
  ],
  [
    'timestamps without microseconds',
    'blacklists.list',
    'GET',
    /\/v1\/blacklists$/,
    on(200, ({ body }) => ({ body: { blacklists: rows(body['blacklists']).concat(bare) } })),
  ],
  [
    'a 404 without blacklist_id',
    'blacklists.unknown-id',
    'GET',
    oneList,
    on(404, ({ body }) => ({ body: { ...body, blacklist_id: undefined } })),
  ],
  [
    'a 404 with another code',
    'blacklists.unknown-id',
    'GET',
    oneList,
    on(404, ({ body }) => ({ body: { ...body, code: 'NOT_FOUND' } })),
  ],
  [
    'an id that is no UUID and breaks it',
    'blacklists.malformed-id',
    'GET',
    oneList,
    on(422, () => ({ status: 500, body: { code: 'INTERNAL_ERROR', message: 'x' } })),
  ],
  ['a creation answered 200', 'blacklists.create', 'POST', /\/v1\/blacklists$/, on(201, () => ({ status: 200 }))],
  [
    'an empty name that is taken',
    'blacklists.create-refusals',
    'POST',
    /\/v1\/blacklists$/,
    on(422, () => ({ status: 201, body: bare })),
  ],
  [
    'a long name that is cut',
    'blacklists.limits',
    'GET',
    oneList,
    inBody(({ name }) => ({ name: String(name).slice(0, 255) })),
  ],
  ['PATCH that forgets what was omitted', 'blacklists.patch', 'PATCH', oneList, inBody(() => ({ description: null }))],
  [
    'PATCH that takes a null name',
    'blacklists.patch-refusals',
    'PATCH',
    oneList,
    on(422, () => ({ status: 200, body: bare })),
  ],
  [
    'a deletion answered 200 with a body',
    'blacklists.delete',
    'DELETE',
    oneList,
    on(204, () => ({ status: 200, body: { ok: true } })),
  ],
  [
    'a deleted list that can be deleted again',
    'blacklists.delete',
    'DELETE',
    oneList,
    on(404, () => ({ status: 204, body: undefined })),
  ],
  [
    'entries answered in a wrapper',
    'entries.add',
    'POST',
    entryPages,
    on(201, ({ body }) => ({ body: { entries: body } })),
  ],
  [
    'optional fields left out',
    'entries.add',
    'POST',
    entryPages,
    on(201, ({ body }) => ({ body: rows(body).map(({ city: _city, ...entry }) => entry) })),
  ],
  [
    'an empty list that is taken',
    'entries.add-refusals',
    'POST',
    entryPages,
    on(422, () => ({ status: 201, body: [] })),
  ],
  [
    'one of many entries answered',
    'entries.most',
    'POST',
    entryPages,
    on(201, ({ body }) => ({ body: rows(body).slice(0, 5_000) })),
  ],
  [
    'a limit that is ignored',
    'entries.page-size',
    'GET',
    entryPages,
    on(200, ({ body }) => ({ body: { ...body, entries: rows(body['entries']).slice(0, 50) } })),
  ],
  [
    'limit 201 that is taken',
    'entries.page-refusals',
    'GET',
    entryPages,
    on(422, ({ url }) =>
      url.searchParams.get('limit') === '201'
        ? { status: 200, body: { entries: [], total: 0, limit: 200, offset: 0 } }
        : undefined,
    ),
  ],
  [
    'offset that counts pages',
    'entries.page-overlap',
    'GET',
    entryPages,
    on(200, ({ body, url }) =>
      url.searchParams.get('offset') === '1'
        ? { body: { ...body, entries: rows(body['entries']).toReversed() } }
        : undefined,
    ),
  ],
  [
    'paging that repeats an entry',
    'entries.paging',
    'GET',
    entryPages,
    on(200, ({ body, url }) =>
      url.searchParams.get('offset') === '400'
        ? { body: { ...body, entries: rows(body['entries']).fill(rows(body['entries'])[1] ?? {}, 0, 1) } }
        : undefined,
    ),
  ],
  [
    'a total that changes',
    'entries.paging',
    'GET',
    entryPages,
    on(200, ({ body, url }) =>
      url.searchParams.get('offset') === '400' ? { body: { ...body, total: 9_999 } } : undefined,
    ),
  ],
  [
    '1,001 ids that are taken',
    'entries.remove-refusals',
    'DELETE',
    entryPages,
    on(422, () => ({ status: 204, body: undefined })),
  ],
  [
    'entries that stay',
    'entries.remove',
    'GET',
    oneList,
    inBody(({ entry_count }) => ({ entry_count: Number(entry_count) === 100 ? 1_100 : entry_count })),
  ],
  [
    'a creation that says RUNNING',
    'profiles.create',
    'POST',
    /creations$/,
    on(202, ({ body }) => ({ body: { ...body, status: 'RUNNING' } })),
  ],
  [
    'a creation without message',
    'profiles.create',
    'POST',
    /creations$/,
    on(202, ({ body }) => ({ body: { ...body, message: undefined } })),
  ],
  [
    'a replay that creates again',
    'profiles.replay',
    'POST',
    /creations$/,
    counted(({ body, status }, time) =>
      time > 1 && status === 202 ? { body: { ...body, profile_creation_id: crypto.randomUUID() } } : undefined,
    ),
  ],
  ['a reused key that is taken', 'profiles.conflict', 'POST', /creations$/, on(409, () => ({ status: 202, body: {} }))],
  [
    'a missing Idempotency-Key that is taken',
    'profiles.create-refusals',
    'POST',
    /creations$/,
    on(422, ({ request }) => (request.headers.has('idempotency-key') ? undefined : { status: 202, body: {} })),
  ],
  ['message on a read', 'profiles.poll', 'GET', oneCreation, inBody(() => ({ message: 'x' }))],
  [
    'profile_id before SUCCEEDED',
    'profiles.poll',
    'GET',
    oneCreation,
    inBody(({ status }) => (status === 'SUCCEEDED' ? {} : { profile_id: crypto.randomUUID() })),
  ],
  [
    'an assignment that adds',
    'assignments.replace',
    'GET',
    assigned,
    on(200, ({ body }) => ({ body: { blacklists: rows(body['blacklists']).concat(foreignBlacklist) } })),
  ],
  [
    'an assignment that is half made',
    'assignments.unknown-blacklist',
    'PUT',
    assigned,
    on(404, () => ({ status: 204, body: undefined })),
  ],
  [
    'duplicates that are kept',
    'assignments.duplicates',
    'GET',
    assigned,
    on(200, ({ body }) => ({ body: { blacklists: rows(body['blacklists']).flatMap((list) => [list, list]) } })),
  ],
  [
    'an order placed twice',
    'orders.replay',
    'POST',
    /\/orders$/,
    counted(({ body, status }, time) =>
      time > 1 && status === 201 ? { body: { ...body, order_id: crypto.randomUUID() } } : undefined,
    ),
  ],
  [
    'an unknown blacklist on an order',
    'orders.unknown-blacklist',
    'POST',
    /\/orders$/,
    on(404, () => ({ status: 201, body: {} })),
  ],
  [
    'COMPLETED before publication',
    'orders.enrichment-published',
    'GET',
    oneOrder,
    inBody(() => ({ status: 'COMPLETED', results_published: false, result_summary: null })),
  ],
  ['a field that was removed', 'orders.discovery-published', 'GET', oneOrder, inBody(() => ({ estimated_cost: 7 }))],
  [
    'a limit of results that is ignored',
    'results.enrichment-paging',
    'GET',
    results,
    on(200, ({ body }) => ({ body: { ...body, items: Array.from({ length: 6 }, () => rows(body['items'])[0]) } })),
  ],
  [
    'a page without summary',
    'results.discovery-paging',
    'GET',
    results,
    on(200, ({ body }) => ({ body: { ...body, summary: undefined } })),
  ],
  [
    'has_more that ends too soon',
    'results.enrichment-paging',
    'GET',
    results,
    on(200, ({ body }) => ({ body: { ...body, has_more: false } })),
  ],
  [
    'results that change between reads',
    'results.enrichment-stable',
    'GET',
    results,
    counted((seen, time) =>
      inSlots((slot) => ({ ...slot, delivered_at: `2026-11-01T10:00:00.${String(time).padStart(6, '0')}Z` }))(seen),
    ),
  ],
  [
    'a summary that miscounts',
    'results.enrichment-summary',
    'GET',
    oneOrder,
    inBody(({ result_summary: summary }) => ({
      result_summary: summary && { ...(summary as Row), annotated_count: 9 },
    })),
  ],
  [
    'a discovery summary with reasons',
    'results.discovery-summary',
    'GET',
    oneOrder,
    inBody(({ result_summary: summary }) => ({
      result_summary: summary && {
        ...(summary as Row),
        reasons: [{ code: 'NO_EMAIL_FOUND', message: 'x', label: 'x', count: 1 }],
      },
    })),
  ],
  [
    'rows in another order',
    'results.enrichment-slots',
    'GET',
    results,
    inSlots((slot) => ({ ...slot, input_position: 5 - Number(slot['input_position']) })),
  ],
  ['a reason of another status', 'results.enrichment-slots', 'GET', results, where('PARTIAL', { status: 'ENRICHED' })],
  [
    'codes that differ from reasons',
    'results.enrichment-slots',
    'GET',
    results,
    where('PARTIAL', { reason_codes: ['NO_EMAIL_FOUND'] }),
  ],
  [
    'a duplicate of nothing',
    'results.enrichment-slots',
    'GET',
    results,
    where('DUPLICATE', { duplicate_of_input_position: undefined }),
  ],
  [
    'an unresolved company',
    'results.enrichment-slots',
    'GET',
    results,
    where('UNRESOLVED', { company: { id: crypto.randomUUID() } }),
  ],
  [
    'an external_id that is lost',
    'results.enrichment-slots',
    'GET',
    results,
    inSlots(({ external_id: _id, ...slot }) => slot),
  ],
  [
    'a prospect with a removed field',
    'results.discovery-slots',
    'GET',
    results,
    inSlots((slot) => ({ ...slot, company: { ...(slot['company'] as Row), prospects: [{ bounce_risk_score: 1 }] } })),
  ],
  [
    'a discovered company that is PARTIAL',
    'results.discovery-slots',
    'GET',
    results,
    where('ENRICHED', { status: 'PARTIAL' }),
  ],
  [
    'limit 101 that is taken',
    'results.limits',
    'GET',
    results,
    on(422, () => ({ status: 200, body: { items: [], total: 0, has_more: false } })),
  ],
  [
    'more beyond the end',
    'results.beyond-end',
    'GET',
    results,
    on(200, ({ body, url }) =>
      url.searchParams.get('offset') === '13' ? { body: { ...body, has_more: true } } : undefined,
    ),
  ],
  [
    'delivered_since that filters',
    'results.withdrawn-parameter',
    'GET',
    results,
    ({ url }) =>
      url.searchParams.has('delivered_since')
        ? { status: 200, body: { total: 0, has_more: false, items: [], summary: noSlots } }
        : undefined,
  ],
  [
    'an output without created',
    'outputs.create-csv',
    'POST',
    /\/outputs$/,
    on(202, ({ body }) => ({ body: { ...body, created: undefined } })),
  ],
  [
    'a server key that is kept secret',
    'outputs.create-xlsx',
    'POST',
    /\/outputs$/,
    on(202, ({ body }) => ({ body: { ...body, idempotency_key: undefined } })),
  ],
  [
    'a replay that is created again',
    'outputs.replay',
    'POST',
    /\/outputs$/,
    on(202, ({ body }) => ({ body: { ...body, created: true } })),
  ],
  [
    'a second key that is taken',
    'outputs.key-conflict',
    'POST',
    /\/outputs$/,
    on(409, () => ({ status: 202, body: {} })),
  ],
  [
    'another output than the one asked for',
    'outputs.csv-completed',
    'GET',
    /\/outputs\/[^/]+$/,
    inBody(() => ({ output_id: crypto.randomUUID() })),
  ],
  [
    'an output that is not listed',
    'outputs.list',
    'GET',
    /\/outputs$/,
    inBody(({ outputs }) => ({ outputs: rows(outputs).slice(1) })),
  ],
  ['a file without the column', 'downloads.csv', 'GET', /\/files\//, () => ({ body: ['Result Status'] })],
  ['an XLSX file that is none', 'downloads.xlsx', 'GET', /\/files\//, () => ({ body: 'nothing' })],
  [
    'a listing with removed fields',
    'deliveries.list',
    'GET',
    /\/companies$/,
    inBody(() => ({ companies: [{ id: crypto.randomUUID(), prospects: [{ validation_confidence: 1 }] }] })),
  ],
  [
    'an unknown creation that is there',
    'profiles.unknown-creation',
    'GET',
    oneCreation,
    on(404, () => ({ status: 200, body: {} })),
  ],
  [
    'an unknown search that breaks it',
    'assignments.unknown-search',
    'GET',
    assigned,
    on(404, () => ({ status: 500, body: fault })),
  ],
  [
    'an unknown order that breaks it',
    'orders.unknown-id',
    'GET',
    oneOrder,
    on(404, () => ({ status: 500, body: fault })),
  ],
  [
    'an order id that is none and breaks it',
    'orders.malformed-id',
    'GET',
    oneOrder,
    on(422, () => ({ status: 500, body: fault })),
  ],
  [
    'an unknown export job that is a redirect',
    'downloads.unknown-job',
    'GET',
    /\/download$/,
    on(404, () => ({ status: 302, body: undefined })),
  ],
  [
    'deliveries of an unknown search',
    'deliveries.unknown-id',
    'GET',
    /\/deliveries\//,
    on(404, () => ({ status: 200, body: {} })),
  ],
  [
    'an unknown list that can be deleted',
    'blacklists.write-unknown-id',
    'DELETE',
    oneList,
    on(404, () => ({ status: 204, body: undefined })),
  ],
  [
    'a website that is put in order',
    'entries.longest',
    'POST',
    entryPages,
    on(201, ({ body }) => ({
      body: rows(body).map((entry) => ({ ...entry, website_url: 'https://conformance.example' })),
    })),
  ],
  [
    'a removed entry that breaks it',
    'entries.remove-again',
    'DELETE',
    entryPages,
    on(204, () => ({ status: 500, body: fault })),
  ],
  [
    '101 ids that are taken',
    'assignments.refusals',
    'PUT',
    assigned,
    on(422, () => ({ status: 204, body: undefined })),
  ],
  [
    'a deletion that takes other assignments with it',
    'assignments.deletion',
    'GET',
    assigned,
    inBody(() => ({ blacklists: [] })),
  ],
  [
    'a discovery order that is refused',
    'orders.discovery',
    'POST',
    /\/orders$/,
    counted((_, time) => (time === 2 ? { status: 400, body: fault } : undefined)),
  ],
  [
    'a reused key of an order that is taken',
    'orders.conflict',
    'POST',
    /\/orders$/,
    on(409, () => ({ status: 201, body: {} })),
  ],
  [
    'a summary before publication',
    'orders.before-publication',
    'GET',
    oneOrder,
    inBody(({ results_published: isPublished }) => (isPublished ? {} : { result_summary: noSlots })),
  ],
  [
    'discovered companies that change places',
    'results.discovery-stable',
    'GET',
    results,
    on(200, ({ body, url }) =>
      url.searchParams.get('limit') === '100'
        ? { body: { ...body, items: rows(body['items']).toReversed() } }
        : undefined,
    ),
  ],
  [
    'an unknown output_type that is taken',
    'outputs.refusals',
    'POST',
    /\/outputs$/,
    on(422, () => ({ status: 202, body: {} })),
  ],
  [
    'an XLSX output without its export job',
    'outputs.xlsx-completed',
    'GET',
    /\/outputs\/[^/]+$/,
    inBody(() => ({ export_job_id: undefined })),
  ],
  [
    'an export without its handles',
    'outputs.export',
    'POST',
    /\/export$/,
    inBody(() => ({ export_job_id: undefined })),
  ],
  [
    'a delivered company without a website text',
    'deliveries.website-markdown',
    'GET',
    /\/website-markdown$/,
    on(200, () => ({ status: 404, body: fault })),
  ],
  [
    'an empty list that unassigns nothing',
    'assignments.empty',
    'GET',
    assigned,
    on(200, () => ({ body: { blacklists: [foreignBlacklist] } })),
  ],
  [
    'an enrichment order that is refused',
    'orders.enrichment',
    'POST',
    /\/orders$/,
    () => ({ status: 400, body: fault }),
  ],
];

const fault = { code: 'INTERNAL_ERROR', message: 'x' };
const noSlots = { requested_count: 0, fully_enriched_count: 0, annotated_count: 0, reasons: [] };
const bare = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'A',
  description: null,
  entry_count: 0,
  created_at: '2026-11-01T10:00:00Z',
  updated_at: '2026-11-01T10:00:00Z',
};

/** In place of `entries.most`: enough for six pages and for one more than can be removed at once. */
const fewEntries: Check = {
  id: 'entries.few',
  clause: '',
  title: '',
  effect: 'write',
  async run(probe, facts) {
    const { id } = need(facts.testBlacklist, 'a blacklist');
    const entries = Array.from({ length: 1_100 }, (_, index) => ({ company_name: `Few ${index}` }));
    const body = { entries };
    const created = await probe.ask(operations.addEntries, 201, { params: { blacklist_id: id }, body });
    facts.entryIds = created.map((entry) => entry.id);
  },
};

/** What makes the things that a check looks at. */
const makers: readonly (readonly [found: RegExp, made: RegExp])[] = [
  [/^(?:blacklists\.patch|entries\.(?:most|pag|remove))/, /^blacklists\.create$/],
  [/^entries\.(?:pag|remove)/, /^entries\.most$/],
  [/^(?:profiles|assignments|orders|results|outputs|downloads|deliveries)/, /^profiles\.create$/],
  [/^(?:assignments|orders|results|outputs|downloads|deliveries)/, /^profiles\.poll$/],
  [/^(?:orders|results|outputs|downloads|deliveries\.web)/, /^orders\.enrichment(?:-published)?$/],
  [/^(?:orders\.unknown|orders\.discovery|results\.discovery)/, /^orders\.discovery(?:-published)?$/],
  [/^(?:results\.enrichment|downloads|deliveries\.web)/, /^results\.enrichment-paging$/],
  [/^results\.discovery/, /^results\.discovery-paging$/],
  [/^(?:outputs|downloads)/, /^outputs\.create-/],
  [/^downloads/, /^outputs\.\w+-completed$/],
];

/** The check that has to find it, and those that make what it looks at. */
function checksToFind(found: string): Check[] {
  const made = makers
    .filter(([about]) => about.test(found) && !/\.(?:unknown|malformed)-(?!blacklist)/.test(found))
    .map(([, ids]) => ids);
  const checks = catalogue.filter(({ id }) => id === found || made.some((ids) => ids.test(id)));
  return checks.map((check) => (check.id === 'entries.most' && found !== check.id ? fewEntries : check));
}

/** Checks that need the same, together; without those that take 10,000 entries, which pass elsewhere. */
const families = [...Map.groupBy(new Set(breaches.map(([, found]) => found)), makersOf).values()].map((found) => {
  const ids = new Set(found.flatMap((id) => checksToFind(id).map((check) => check.id)));
  const few = catalogue.map((check) => (check.id === 'entries.most' ? fewEntries : check));
  return [found.join(' '), few.filter(({ id }) => ids.has(id))] as const;
});

function makersOf(found: string): string {
  return checksToFind(found)
    .map(({ id }) => id)
    .filter((id) => id !== found)
    .join();
}

afterEach(closeDeployments);

describe('runConformance', () => {
  it('has a breach for every check that any deployment can be asked', () => {
    const found = new Set(breaches.map(([, id]) => id));
    const askable = catalogue.filter(({ needs }) => needs === undefined).map(({ id }) => id);
    expect(askable.filter((id) => !found.has(id))).toEqual([]);
  });

  it.each(families)('passes %s when no rule is broken', async (_, checks) => {
    const results = await run(createDeployment(), { checks });
    expect(idsWith(results, 'finding')).toEqual([]);
    expect(idsWith(results, 'passed')).toEqual(results.map(({ id }) => id));
  });

  it.each(breaches)('finds %s', async (_, found, method, path, change) => {
    const deployment = createDeployment();
    const fetch = breaching(deployment.fetch, method, path, change);
    const results = await run({ ...deployment, fetch }, { checks: checksToFind(found) });
    expect(idsWith(results, 'finding')).toContain(found);
  });

  describe.each(
    Object.entries({
      ...deploymentBlacklistBreaches,
      ...deploymentEntryBreaches,
      ...deploymentOrderBreaches,
      ...deploymentOutputBreaches,
    }),
  )('%s', (id, ofCheck) => {
    it.each(ofCheck)('finds %s', async (_, finding, method, path, change) => {
      const deployment = createDeployment();
      const fetch = breaching(deployment.fetch, method, path, change);
      const results = await run({ ...deployment, fetch }, { checks: checksToFind(id) });
      const findings = results.filter((result) => result.id === id).flatMap((result) => result.findings);
      expect(findings).toContainEqual(expect.stringContaining(finding));
    });
  });

  it('finds JSON that is nested too deep to be read', async () => {
    const deployment = createDeployment();
    const nested: unknown = JSON.parse('['.repeat(3_000) + ']'.repeat(3_000));
    const fetch = breaching(deployment.fetch, 'GET', oneOrder, () => ({ body: nested }));
    const results = await run({ ...deployment, fetch }, { checks: checksOf(/^orders\.unknown-id$/) });
    expect(results[0]).toMatchObject({
      result: 'finding',
      findings: [
        'GET /api/v1/orders/{order_id} was answered with JSON of more than 100 levels, 250,000 values or 8 MB in one text',
      ],
    });
  });

  it.each([
    'https://169.254.169.254/latest/meta-data',
    'http://files.storage.com/a',
    'https://files.storage.com:6379/a',
  ])('does not follow a download to %s', async (location) => {
    const deployment = createDeployment();
    const asked: string[] = [];
    const redirecting = breaching(
      deployment.fetch,
      'GET',
      /\/download$/,
      on(302, () => ({ headers: { location } })),
    );
    const fetch = (request: Request) => {
      asked.push(request.url);
      return redirecting(request);
    };
    const results = await run({ ...deployment, fetch }, { checks: checksToFind('downloads.csv') });
    const { result, reason } = results.find(({ id }) => id === 'downloads.csv') ?? {};
    expect({ result, reason }).toEqual({
      result: 'not checked',
      reason: expect.stringMatching(
        /^GET download is redirected to an address that .*, where no file is fetched from$/,
      ),
    });
    expect(asked.filter((url) => !url.startsWith('http://service.test/'))).toEqual([]);
  });
});
