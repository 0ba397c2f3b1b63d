import { catalogue } from '../../conformance/check-catalogue.ts';
import { blacklistBreaches } from './controlled-breaches/blacklist-breaches.ts';
import { deliveryBreaches } from './controlled-breaches/delivery-breaches.ts';
import { downloadBreaches } from './controlled-breaches/download-breaches.ts';
import { keyBreaches } from './controlled-breaches/key-breaches.ts';
import { orderBreaches } from './controlled-breaches/order-breaches.ts';
import { outputBreaches } from './controlled-breaches/output-breaches.ts';
import { profileBreaches } from './controlled-breaches/profile-breaches.ts';
import { reasonCodeBreaches } from './controlled-breaches/reason-code-breaches.ts';
import { resultBreaches } from './controlled-breaches/result-breaches.ts';
import { breaching, closeDeployments, createDeployment, run } from './conformance-harness.ts';

const breaches = {
  ...keyBreaches,
  ...blacklistBreaches,
  ...profileBreaches,
  ...orderBreaches,
  ...resultBreaches,
  ...reasonCodeBreaches,
  ...deliveryBreaches,
  ...outputBreaches,
  ...downloadBreaches,
};

afterEach(closeDeployments);

/** The findings of one check, which makes all that it needs. */
async function findingsOf(id: string, deployment: ReturnType<typeof createDeployment>): Promise<readonly string[]> {
  const checks = catalogue.filter((check) => check.id === id);
  const [result] = await run(deployment, { checks, server: deployment.server });
  return result?.findings ?? [];
}

describe('runConformance with control over the server', () => {
  it('has a breach for every check that needs control over the server', () => {
    const controlled = catalogue.filter(({ needs, run: check }) => needs !== undefined && check !== null);
    expect(controlled.map(({ id }) => id).filter((id) => !Object.hasOwn(breaches, id))).toEqual([]);
    expect(Object.keys(breaches).filter((id) => !controlled.some((check) => check.id === id))).toEqual([]);
  });

  it('finds a scope that new keys must not have', async () => {
    const deployment = createDeployment();
    const server = { ...deployment.server, issuableScopes: [...deployment.server.issuableScopes, 'admin'] };
    const findings = await findingsOf('authentication.issued-scopes', { ...deployment, server });
    expect(findings).toContainEqual(expect.stringContaining('scopes of new keys: expected'));
  });

  describe.each(Object.entries(breaches))('%s', (id, ofCheck) => {
    it('passes when no rule is broken', async () => {
      expect(await findingsOf(id, createDeployment())).toEqual([]);
    });

    it.each(ofCheck)('finds %s', async (_, finding, method, path, change) => {
      const deployment = createDeployment();
      const fetch = breaching(deployment.fetch, method, path, change);
      const findings = await findingsOf(id, { ...deployment, fetch });
      expect(findings).toContainEqual(expect.stringContaining(finding));
    });
  });
});
