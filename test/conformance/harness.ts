import type { Need } from '../../src/conformance/check.ts';
import { runConformance, type CheckResult } from '../../src/conformance/run-conformance.ts';
import { createServiceSandbox, type ServiceSandboxOptions } from '../../src/sandbox/service/sandbox.ts';

type Fetch = (request: Request) => Promise<Response>;

/** The stand-in under a breach; waiting moves its progress on at once. */
export function createDeployment(options: ServiceSandboxOptions = {}) {
  const service = createServiceSandbox({
    progression: { profiles: { after_seconds: 0.02 }, orders: { after_seconds: 0.04 } },
    ...options,
  });
  const { organizationId, apiKey } = service.createOrganization({ name: 'conformance' });
  return { service, organizationId, apiKey };
}

export interface RunOptions {
  readonly allowed?: Need;
  readonly apiKey?: string;
  readonly signal?: AbortSignal;
  readonly onResult?: (result: CheckResult) => void;
}

export function run(fetch: Fetch, apiKey: string, { allowed = 'orders', ...options }: RunOptions = {}) {
  return runConformance({
    baseUrl: 'http://service.test',
    apiKey,
    fetch,
    allowed,
    newId: () => crypto.randomUUID(),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 15))),
    requestSeconds: 30,
    ...options,
  });
}
