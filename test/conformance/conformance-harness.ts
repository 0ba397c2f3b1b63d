import { catalogue } from '../../conformance/check-catalogue.ts';
import type { Check, Effect } from '../../conformance/probe/check.ts';
import type { CreatedResource } from '../../conformance/probe/created-resources.ts';
import { runConformance, type CheckResult } from '../../conformance/run-conformance.ts';
import type { ServerControl } from '../../conformance/probe/server-control.ts';
import { scopes } from '../../src/service/contract/index.ts';
import { createClock } from '../../sandbox/clock.ts';
import { createServiceSandbox, type ServiceSandboxOptions } from '../../sandbox/service/service-sandbox.ts';
import type { Fetch } from '../../src/base/http/http-answer.ts';

const open: (() => void)[] = [];

/** To be called after each test: a sandbox that is not closed leaves its files behind. */
export function closeDeployments(): void {
  for (const close of open.splice(0)) close();
}

/** A deployment that keeps every rule. Its clock stands still but for `wait`, so that nothing depends on how fast we are. */
export function createDeployment(options: ServiceSandboxOptions = {}) {
  const clock = options.clock ?? createClock({ frozenAt: Date.UTC(2026, 10, 21) });
  const service = createServiceSandbox({ ...options, clock });
  open.push(() => {
    service.close();
    clock.close();
  });
  const { organizationId, apiKey } = service.createOrganization({ name: 'conformance' });
  const wait = (milliseconds: number) => clock.advanceTo(clock.now() + milliseconds);
  const server: ServerControl = {
    advance: (seconds) => wait(seconds * 1_000),
    createOrganization: () => service.createOrganization({ name: 'conformance' }),
    createKey: ({ organizationId: id, scopes: held, validSeconds }) => {
      const expiresAt = validSeconds === undefined ? undefined : new Date(clock.now() + validSeconds * 1_000);
      return service.createKey({ organizationId: id, scopes: [], olderScopes: held, expiresAt }).apiKey;
    },
    issuableScopes: scopes,
    completeOrder: (orderId) => void service.stepOrder(orderId, { status: 'COMPLETED' }),
  };
  return { service, organizationId, apiKey, fetch: service.fetch, wait, server };
}

export interface RunOptions {
  readonly allowed?: Effect;
  readonly signal?: AbortSignal;
  readonly onResult?: (result: CheckResult) => void;
  readonly requestSeconds?: number;
  /** Also runs the checks that need control over the server. */
  readonly server?: ServerControl;
  readonly checks?: readonly Check[];
  readonly orderId?: string;
  readonly onLeftBehind?: (made: CreatedResource) => void;
}

type Deployment = Pick<ReturnType<typeof createDeployment>, 'fetch' | 'apiKey' | 'wait'>;

export function run({ fetch, apiKey, wait }: Deployment, { allowed = 'orders', ...options }: RunOptions = {}) {
  return runConformance({
    baseUrl: 'http://service.test',
    apiKey,
    fetch,
    fetchFile: fetch,
    allowed,
    newId: () => crypto.randomUUID(),
    wait,
    requestSeconds: 30,
    ...options,
  });
}

/** Which checks of the catalogue run; those that make what they need have to be among them. */
export function checksOf(ids: RegExp): Check[] {
  return catalogue.filter(({ id }) => ids.test(id));
}

type Json = Record<string, unknown>;
export interface Seen {
  readonly request: Request;
  readonly url: URL;
  /** The body of the request. */
  readonly sent: Json;
  readonly status: number;
  readonly body: Json;
  /** The body as it was answered. */
  readonly text: string;
  readonly headers: Headers;
}
/** `text` is answered as it is, `body` as JSON. A header that is null is left out. */
export type Change =
  | { status?: number; body?: unknown; text?: string; headers?: Record<string, string | null> }
  | undefined;

/** The same deployment, but for one breach: what `change` gives replaces that part of the answer. `method`: may be ANY. */
export function breaching(fetch: Fetch, method: string, path: RegExp, change: (seen: Seen) => Change): Fetch {
  return async (request) => {
    const url = new URL(request.url);
    const response = await fetch(request.clone());
    if (![request.method, 'ANY'].includes(method) || !path.test(url.pathname)) return response;
    const text = await response.text();
    const seen = { request, url, sent: parse(await request.text()), body: parse(text), text };
    const changed = change({ ...seen, status: response.status, headers: response.headers });
    const status = changed?.status ?? response.status;
    const answered = changed && 'body' in changed ? JSON.stringify(changed.body) : (changed?.text ?? text);
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(changed?.headers ?? {})) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    // A Response with status 204 takes no body.
    const hasNoBody = status === 204 || (status === 302 && answered === '');
    return new Response(hasNoBody ? null : answered, { status, headers });
  };
}

/** Some checks send what is no JSON, and files are none. */
function parse(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

export function idsWith(results: readonly CheckResult[], word: CheckResult['result']): string[] {
  return results.filter(({ result }) => result === word).map(({ id }) => id);
}
