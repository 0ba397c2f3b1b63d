/** The worker's port for orchestrators and Prometheus. */
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { TelemetryOptions } from '@temporalio/worker';
import { chooseHiddenAddress, closeServer, listen } from '../http/local-server.ts';
import { isLoopback, refuseForeign } from '../http/foreign-requests.ts';
import { readBoundedText } from '../http/http-answer.ts';
import type { Metrics } from './metrics.ts';
import { ExplainedError } from '../text/explained-error.ts';
import { orNullAfter } from '../host/promise-limits.ts';

export interface HealthServer {
  readonly url: string;
  readonly metrics: Metrics;
  /** Has Temporal's SDK tell its figures to this process alone, where /metrics reads them. */
  readonly telemetry: Pick<TelemetryOptions, 'metrics'>;
  /** From now on readiness can be asked. */
  watch(probes: Probes): void;
  close(): Promise<void>;
}

/**
 * In seconds. Those of the SDK go from 10 to 100 in one step: for activities that all waited 11 s, they do not show whether
 * they waited for a minute, which is what an alert asks.
 */
const waitBuckets = [0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1_800];

/** Timeout for the metrics of the Temporal SDK, which this process serves. */
const metricsTimeoutMs = 2_000;

export async function openHealthServer(place: { port: number; hostname: string }): Promise<HealthServer> {
  // Loaded only when metrics are served.
  const { createMetrics } = await import('./metrics.ts');
  const metrics = createMetrics();
  // The SDK checks neither Host nor Origin, so its address must be hard to guess.
  const hidden = await chooseHiddenAddress();
  const bindAddress = `${hidden.host}:${hidden.port}`;
  let probes: Probes | null = null;
  const health = createHealth({
    probes: () => probes,
    isLocalOnly: isLoopback(place.hostname),
    async metrics() {
      const [ownMetrics, sdkMetrics] = await Promise.all([metrics.text(), readSdkMetrics(bindAddress)]);
      return { text: `${ownMetrics}\n${sdkMetrics}`, contentType: metrics.contentType };
    },
  });
  const { url, close } = await serve(health, place);
  return {
    url,
    metrics,
    telemetry: {
      metrics: {
        prometheus: {
          bindAddress,
          countersTotalSuffix: true,
          unitSuffix: true,
          useSecondsForDurations: true,
          histogramBucketOverrides: { activity_schedule_to_start_latency: waitBuckets },
        },
      },
    },
    watch(given) {
      probes = given;
    },
    close,
  };
}

/** Empty before the worker has started, and when the SDK does not answer in time. */
async function readSdkMetrics(address: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(metricsTimeoutMs);
    const response = await fetch(`http://${address}/metrics`, { redirect: 'error', signal });
    return (await readBoundedText(response)) ?? '';
  } catch {
    return '';
  }
}

async function serve(
  fetch: (request: Request) => Promise<Response>,
  { port, hostname }: { port: number; hostname: string },
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  try {
    const { url } = await listen(server, port, hostname);
    return { url, close: () => closeServer(server) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ExplainedError(
      `Health and metrics cannot be served at ${hostname}:${port}: ${code}. Free the address, or choose another --health-port or --health-host`,
    );
  }
}

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
  readonly isLocalOnly?: boolean;
}

/** GET /healthz, /readyz and /metrics. Answers hold states, no message of an error. */
export function createHealth({ probes, metrics, patienceMilliseconds = 2_000, isLocalOnly = true }: HealthOptions) {
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
    const refused = refuseForeign(request, { isLocalOnly, origins: [] });
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
  return (await orNullAfter(asked, patienceMilliseconds)) ?? 'no answer';
}
