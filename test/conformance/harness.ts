import { catalogue } from '../../src/conformance/catalogue.ts';
import type { Need } from '../../src/conformance/check.ts';
import { runConformance, type CheckResult } from '../../src/conformance/run-conformance.ts';
import { createServiceSandbox, type ServiceSandboxOptions } from '../../src/sandbox/service/sandbox.ts';

export type Fetch = (request: Request) => Promise<Response>;

/** A deployment that keeps every rule. */
export function createDeployment(options: ServiceSandboxOptions = {}) {
  const service = createServiceSandbox({
    progression: { profiles: { after_seconds: 0.02 }, orders: { after_seconds: 0.04 } },
    ...options,
  });
  const { organizationId, apiKey } = service.createOrganization({ name: 'conformance' });
  return { service, organizationId, apiKey, fetch: service.fetch };
}

export interface RunOptions {
  readonly allowed?: Need;
  readonly signal?: AbortSignal;
  readonly onResult?: (result: CheckResult) => void;
  readonly wait?: (milliseconds: number) => Promise<void>;
  readonly requestSeconds?: number;
  /** Which checks run; those that make what they need have to be among them. */
  readonly ids?: RegExp;
}

export function run(fetch: Fetch, apiKey: string, { allowed = 'orders', ids = /./, ...options }: RunOptions = {}) {
  return runConformance({
    baseUrl: 'http://service.test',
    apiKey,
    fetch,
    allowed,
    newId: () => crypto.randomUUID(),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 15))),
    requestSeconds: 30,
    checks: catalogue.filter(({ id }) => ids.test(id)),
    ...options,
  });
}

type Json = Record<string, unknown>;
export interface Seen {
  readonly request: Request;
  readonly url: URL;
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}
export type Change = { status?: number; body?: unknown; headers?: Record<string, string> } | undefined;

/** The same deployment, but for one breach: what `change` gives replaces that part of the answer. */
export function breaching(fetch: Fetch, method: string, path: RegExp, change: (seen: Seen) => Change): Fetch {
  return async (request) => {
    const url = new URL(request.url);
    const response = await fetch(request.clone());
    if (request.method !== method || !path.test(url.pathname)) return response;
    const text = await response.text();
    const body = (/^[[{]/.test(text) ? JSON.parse(text) : {}) as Json;
    const changed = change({ request, url, body, status: response.status, headers: response.headers });
    const status = changed?.status ?? response.status;
    const sent = changed && 'body' in changed ? JSON.stringify(changed.body) : text;
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(changed?.headers ?? {})) headers.set(name, value);
    return new Response([204, 302].includes(status) && sent === '' ? null : sent, { status, headers });
  };
}

export function idsWith(results: readonly CheckResult[], word: CheckResult['result']): string[] {
  return results.filter(({ result }) => result === word).map(({ id }) => id);
}
