import { catalogue } from '../../conformance/check-catalogue.ts';
import { toMutation } from './breaches/answer-mutations.ts';
import { breachedFetch, flipStatus, recordingFetch } from './breaches/breached-deployment.ts';
import { parseBreachTable } from './breaches/breach-table.ts';
import { computedBreachTable } from './breaches/computed-breach-table.ts';
import { orderBreachTable } from './breaches/order-breach-table.ts';
import { resourceBreachTable } from './breaches/resource-breach-table.ts';
import { runCheck } from './checks-under-test.ts';
import { closeDeployments, createDeployment } from './conformance-harness.ts';

/** Breaches of rules, by the id of the check that has to report them. */
const breaches = parseBreachTable([resourceBreachTable, orderBreachTable, computedBreachTable].join('\n'));

/** A check without `run` cannot be asked through requests. */
const checks = catalogue.filter(({ run }) => run !== null);

/** Answers that a check accepts with another status, because its rule is about something else. */
const acceptedWithAnyStatus: Readonly<Record<string, RegExp>> = {
  'headers.json-errors': /./,
  'assignments.refusals': /^listAssignedBlacklists 200$/,
  'orders.before-publication': /^listResults 409$/,
  'deliveries.website-markdown': /^listDeliveredCompanies 200$/,
  'entries.timestamps': /^addEntries 422$/,
};

function checkNamed(checkId: string) {
  const check = checks.find(({ id }) => id === checkId);
  if (!check) throw new Error(`no check ${checkId}`);
  return check;
}

afterEach(closeDeployments);

describe('runConformance with every breach', () => {
  it.each(checks.map(({ id }) => id))(
    '%s passes without a breach, and reports an answer with another status',
    async (checkId) => {
      const deployment = createDeployment();
      const recorded = new Set<string>();
      const result = await runCheck(checkNamed(checkId), deployment, recordingFetch(deployment.fetch, recorded));
      expect(result).toMatchObject({ result: 'passed', findings: [] });
      const selectors = [...recorded].filter((selector) => !acceptedWithAnyStatus[checkId]?.test(selector));
      expect(selectors.length + (breaches.get(checkId)?.length ?? 0)).toBeGreaterThan(0);
      const unnoticed: string[] = [];
      for (const selector of selectors) {
        const other = createDeployment();
        const fetch = breachedFetch(other.fetch, { selector, mutate: flipStatus(selector) });
        const { findings } = await runCheck(checkNamed(checkId), other, fetch);
        if (findings.length === 0) unnoticed.push(selector);
      }
      expect(unnoticed).toEqual([]);
    },
  );

  const cases = [...breaches.values()].flat();
  it.each(cases)(
    '$checkId reports a breach in the answer to $selector: $mutation',
    async ({ checkId, finding, ...breach }) => {
      const deployment = createDeployment();
      const fetch = breachedFetch(deployment.fetch, breach);
      const { findings } = await runCheck(checkNamed(checkId), { ...deployment, fetch });
      expect(findings).toContainEqual(expect.stringContaining(finding));
    },
  );

  it('finds another blacklist than the one asked for', async () => {
    const { fetch, ...deployment } = createDeployment();
    const listed = { selector: 'listBlacklists', mutate: toMutation('set blacklists foreignBlacklists') };
    const read = { selector: 'getBlacklist 404', mutate: toMutation('answer 200 otherBlacklist') };
    const breached = breachedFetch(breachedFetch(fetch, listed), read);
    const { findings } = await runCheck(checkNamed('blacklists.list'), { ...deployment, fetch: breached });
    expect(findings).toEqual(['GET /api/v1/blacklists/{blacklist_id}: must answer the blacklist asked for']);
  });

  it('finds a scope that new keys must not have', async () => {
    const deployment = createDeployment();
    const server = { ...deployment.server, issuableScopes: [...deployment.server.issuableScopes, 'admin'] };
    const { findings } = await runCheck(checkNamed('authentication.issued-scopes'), { ...deployment, server });
    expect(findings).toContainEqual(expect.stringContaining('scopes of new keys: expected'));
  });

  it('finds JSON that is nested too deep to be read', async () => {
    const deployment = createDeployment();
    const mutate = () => ({ text: '['.repeat(3_000) + ']'.repeat(3_000) });
    const fetch = breachedFetch(deployment.fetch, { selector: 'getOrder 404', mutate });
    const { findings } = await runCheck(checkNamed('orders.unknown-id'), { ...deployment, fetch });
    expect(findings).toEqual([
      'GET /api/v1/orders/{order_id} was answered with JSON of more than 100 levels, 250,000 values or 8 MB in one text',
    ]);
  });

  it.each([
    'https://169.254.169.254/latest/meta-data',
    'http://files.storage.com/a',
    'https://files.storage.com:6379/a',
  ])('does not follow a download to %s', async (location) => {
    const deployment = createDeployment();
    const requestedUrls: string[] = [];
    const mutate = () => ({ headers: { location } });
    const redirecting = breachedFetch(deployment.fetch, { selector: 'downloadExport 302', mutate });
    const fetch = (request: Request) => {
      requestedUrls.push(request.url);
      return redirecting(request);
    };
    const { result, reason } = await runCheck(checkNamed('downloads.csv'), { ...deployment, fetch });
    expect({ result, reason }).toEqual({
      result: 'not checked',
      reason: expect.stringMatching(
        /^GET download is redirected to an address that .*, where no file is fetched from$/,
      ),
    });
    expect(requestedUrls.filter((url) => !url.startsWith('http://service.test/'))).toEqual([]);
  });
});
