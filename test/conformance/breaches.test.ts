import { catalogue } from '../../conformance/check-catalogue.ts';
import { accessBreaches } from './breaches/access-breaches.ts';
import { header, mutation } from './breaches/answer-mutations.ts';
import { blacklistBreaches } from './breaches/blacklist-breaches.ts';
import { breachedFetch, toCases } from './breaches/breached-deployment.ts';
import { orderBreaches } from './breaches/order-breaches.ts';
import { outputBreaches } from './breaches/output-breaches.ts';
import { profileBreaches } from './breaches/profile-breaches.ts';
import { resultBreaches } from './breaches/result-breaches.ts';
import { runCheck } from './checks-under-test.ts';
import { closeDeployments, createDeployment } from './conformance-harness.ts';

/** By the id of the check that has to report the breach. */
const breaches = {
  ...accessBreaches,
  ...blacklistBreaches,
  ...profileBreaches,
  ...orderBreaches,
  ...resultBreaches,
  ...outputBreaches,
};

/** A check without `run` cannot be asked through requests. */
const checks = catalogue.filter(({ run }) => run !== null);

function checkNamed(checkId: string) {
  const check = checks.find(({ id }) => id === checkId);
  if (!check) throw new Error(`no check ${checkId}`);
  return check;
}

afterEach(closeDeployments);

describe('runConformance', () => {
  it('has a breach for every check of the catalogue', () => {
    expect(Object.keys(breaches).toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
  });

  it.each(Object.keys(breaches))('passes %s when no rule is broken', async (checkId) => {
    expect(await runCheck(checkNamed(checkId), createDeployment())).toMatchObject({ result: 'passed', findings: [] });
  });

  it.each(toCases(breaches))('%s reports a breach of %s: %s', async (checkId, _, _mutation, breach) => {
    const deployment = createDeployment();
    const fetch = breachedFetch(deployment.fetch, breach);
    const { findings } = await runCheck(checkNamed(checkId), { ...deployment, fetch });
    expect(findings).toContainEqual(expect.stringContaining(breach[2]));
  });

  it('finds a scope that new keys must not have', async () => {
    const deployment = createDeployment();
    const server = { ...deployment.server, issuableScopes: [...deployment.server.issuableScopes, 'admin'] };
    const { findings } = await runCheck(checkNamed('authentication.issued-scopes'), { ...deployment, server });
    expect(findings).toContainEqual(expect.stringContaining('scopes of new keys: expected'));
  });

  it('finds JSON that is nested too deep to be read', async () => {
    const deployment = createDeployment();
    const nested = mutation('nests too deep', () => ({ text: '['.repeat(3_000) + ']'.repeat(3_000) }));
    const fetch = breachedFetch(deployment.fetch, ['getOrder 404', nested, '']);
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
    const redirecting = breachedFetch(deployment.fetch, ['downloadExport 302', header('location', location), '']);
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
