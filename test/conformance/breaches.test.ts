import { catalogue } from '../../conformance/check-catalogue.ts';
import { need, type Check } from '../../conformance/probe/check.ts';
import { operations } from '../../src/contract/index.ts';
import { breaching, checksOf, closeDeployments, createDeployment, idsWith, run } from './conformance-harness.ts';
import { deploymentAccessBreaches } from './deployment-breaches/deployment-access-breaches.ts';
import { deploymentBlacklistBreaches } from './deployment-breaches/deployment-blacklist-breaches.ts';
import { deploymentEntryBreaches } from './deployment-breaches/deployment-entry-breaches.ts';
import { deploymentOrderBreaches } from './deployment-breaches/deployment-order-breaches.ts';
import { deploymentOutputBreaches } from './deployment-breaches/deployment-output-breaches.ts';
import { deploymentProfileBreaches } from './deployment-breaches/deployment-profile-breaches.ts';
import { deploymentResultBreaches } from './deployment-breaches/deployment-result-breaches.ts';
import { deploymentSlotBreaches } from './deployment-breaches/deployment-slot-breaches.ts';
import { onStatus, oneOrder } from './breach-changes.ts';

/** By the id of the check that has to report the breach. */
const breaches = {
  ...deploymentAccessBreaches,
  ...deploymentBlacklistBreaches,
  ...deploymentEntryBreaches,
  ...deploymentProfileBreaches,
  ...deploymentOrderBreaches,
  ...deploymentResultBreaches,
  ...deploymentSlotBreaches,
  ...deploymentOutputBreaches,
};

/** In place of `entries.most`: enough for six pages and for one more than can be removed at once. */
const fewEntries: Check = {
  id: 'entries.few',
  clause: '',
  title: '',
  effect: 'write',
  async run(probe, state) {
    const { id } = need(state.testBlacklist, 'a blacklist');
    const entries = Array.from({ length: 1_100 }, (_, index) => ({ company_name: `Few ${index}` }));
    const body = { entries };
    const created = await probe.ask(operations.addEntries, 201, { params: { blacklist_id: id }, body });
    state.entryIds = created.map((entry) => entry.id);
  },
};

/** Which checks create what other checks read. */
const prerequisites: readonly (readonly [ids: RegExp, prerequisiteIds: RegExp])[] = [
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

/** The check that has to report the breach, and the checks that create what it reads. */
function withPrerequisites(checkId: string): Check[] {
  const needed = prerequisites
    .filter(([ids]) => ids.test(checkId) && !/\.(?:unknown|malformed)-(?!blacklist)/.test(checkId))
    .map(([, prerequisiteIds]) => prerequisiteIds);
  const checks = catalogue.filter(({ id }) => id === checkId || needed.some((ids) => ids.test(id)));
  return checks.map((check) => (check.id === 'entries.most' && checkId !== check.id ? fewEntries : check));
}

/** Checks with the same prerequisites run together; `fewEntries` replaces the 10,000 entries of `entries.most`. */
const groups = [...Map.groupBy(Object.keys(breaches), prerequisitesOf).values()].map((checkIds) => {
  const ids = new Set(checkIds.flatMap((id) => withPrerequisites(id).map((check) => check.id)));
  const few = catalogue.map((check) => (check.id === 'entries.most' ? fewEntries : check));
  return [checkIds.join(' '), few.filter(({ id }) => ids.has(id))] as const;
});

function prerequisitesOf(checkId: string): string {
  return withPrerequisites(checkId)
    .map(({ id }) => id)
    .filter((id) => id !== checkId)
    .join();
}

afterEach(closeDeployments);

describe('runConformance', () => {
  it('has a breach for every check that any deployment can be asked', () => {
    const askable = catalogue.filter(({ needs }) => needs === undefined).map(({ id }) => id);
    expect(askable.filter((id) => !Object.hasOwn(breaches, id))).toEqual([]);
  });

  it.each(groups)('passes %s when no rule is broken', async (_, checks) => {
    const results = await run(createDeployment(), { checks });
    expect(idsWith(results, 'finding')).toEqual([]);
    expect(idsWith(results, 'passed')).toEqual(results.map(({ id }) => id));
  });

  describe.each(Object.entries(breaches))('%s', (id, ofCheck) => {
    it.each(ofCheck)('finds %s', async (_, finding, method, path, change) => {
      const deployment = createDeployment();
      const fetch = breaching(deployment.fetch, method, path, change);
      const results = await run({ ...deployment, fetch }, { checks: withPrerequisites(id) });
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
    const requestedUrls: string[] = [];
    const redirecting = breaching(
      deployment.fetch,
      'GET',
      /\/download$/,
      onStatus(302, () => ({ headers: { location } })),
    );
    const fetch = (request: Request) => {
      requestedUrls.push(request.url);
      return redirecting(request);
    };
    const results = await run({ ...deployment, fetch }, { checks: withPrerequisites('downloads.csv') });
    const { result, reason } = results.find(({ id }) => id === 'downloads.csv') ?? {};
    expect({ result, reason }).toEqual({
      result: 'not checked',
      reason: expect.stringMatching(
        /^GET download is redirected to an address that .*, where no file is fetched from$/,
      ),
    });
    expect(requestedUrls.filter((url) => !url.startsWith('http://service.test/'))).toEqual([]);
  });
});
