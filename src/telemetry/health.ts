// What an orchestrator asks a worker: does it live, may it be counted on, and its figures.
import { refuseForeign } from '../http/foreign-requests.ts';
import { withTimeout } from './with-timeout.ts';

/** What a ready worker needs; each throws or hangs when it is not there. */
export interface Probes {
  /** As Temporal's SDK calls it: RUNNING, DRAINING, … */
  readonly worker: () => string;
  readonly ledger: () => Promise<unknown>;
  readonly temporal: () => Promise<unknown>;
}

export interface HealthOptions {
  /** null: it is still being started. */
  readonly probes: () => Probes | null;
  readonly metrics: () => Promise<{ readonly text: string; readonly contentType: string }>;
  /** For each probe. */
  readonly patienceMilliseconds?: number;
  /** Served to this machine alone; true unless given. */
  readonly isLoopback?: boolean;
}

/** GET /healthz, /readyz and /metrics. Answers hold states, no message of an error. */
export function createHealth({ probes, metrics, patienceMilliseconds = 2_000, isLoopback = true }: HealthOptions) {
  const answers: Readonly<Record<string, () => Promise<Response>>> = {
    '/healthz': () => Promise.resolve(Response.json({ status: 'alive', worker: probes()?.worker() ?? 'STARTING' })),
    '/readyz': () => answerReady(probes(), patienceMilliseconds),
    '/metrics': async () => {
      const { text, contentType } = await metrics();
      return new Response(text, { headers: { 'content-type': contentType } });
    },
  };
  return async (request: Request): Promise<Response> => {
    // No page has any business here.
    const refused = refuseForeign(request, { isLoopback, origins: [] });
    if (refused !== null) return refused;
    const answer = answers[new URL(request.url).pathname];
    if (answer === undefined) return Response.json({ status: 'unknown path' }, { status: 404 });
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return Response.json({ status: 'only GET' }, { status: 405, headers: { allow: 'GET, HEAD' } });
    }
    return answer();
  };
}

async function answerReady(probes: Probes | null, patienceMilliseconds: number): Promise<Response> {
  const worker = probes?.worker() ?? 'STARTING';
  const [ledger, temporal] = await Promise.all([
    ask(probes?.ledger, patienceMilliseconds),
    ask(probes?.temporal, patienceMilliseconds),
  ]);
  const ready = worker === 'RUNNING' && ledger === 'ok' && temporal === 'ok';
  const status = ready ? 'ready' : 'not ready';
  return Response.json({ status, worker, ledger, temporal }, { status: ready ? 200 : 503 });
}

async function ask(probe: (() => Promise<unknown>) | undefined, patienceMilliseconds: number): Promise<string> {
  if (probe === undefined) return 'not asked';
  const asked = probe().then(
    () => 'ok',
    () => 'failed',
  );
  return (await withTimeout(asked, patienceMilliseconds)) ?? 'no answer';
}
