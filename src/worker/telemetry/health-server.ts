/** Serves the health and the metrics of a worker to orchestrators and Prometheus. */
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { TelemetryOptions } from '@temporalio/worker';
import { chooseHiddenAddress, closeServer, listenAsChosen } from '../../base/http/local-server.ts';
import { isLoopback, refuseForeign } from '../../base/http/foreign-requests.ts';
import { readBoundedText, type Fetch } from '../../base/http/http-answer.ts';
import type { Metrics } from './metrics.ts';
import { rejectOnAbort } from '../../base/host/reject-on-abort.ts';

export interface HealthServer {
  readonly url: string;
  readonly metrics: Metrics;
  /** Lets Temporal's SDK serve its metrics on a hidden local address, where /metrics reads them. */
  readonly telemetry: Pick<TelemetryOptions, 'metrics'>;
  /** Readiness is reported from these probes; before, the worker is not ready. */
  watch(probes: Probes): void;
  close(): Promise<void>;
}

/** In seconds. The SDK's own buckets have none between 10 and 100, so that an alert for one minute could not use them. */
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
    watch(started) {
      probes = started;
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
  fetch: Fetch,
  place: { port: number; hostname: string },
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(getRequestListener(fetch, { hostname: place.hostname, overrideGlobalObjects: false }));
  const texts = { subject: 'Health and metrics cannot be served', flags: '--health-port or --health-host' };
  const { url } = await listenAsChosen(server, place, texts);
  return { url, close: () => closeServer(server) };
}

/** Checks of what a ready worker needs. A failed check throws or hangs. */
export interface Probes {
  /** State of the Temporal SDK: RUNNING, DRAINING, … */
  readonly worker: () => string;
  readonly ledger: () => Promise<unknown>;
  readonly temporal: () => Promise<unknown>;
}

export interface HealthOptions {
  /** null while the worker starts. */
  readonly probes: () => Probes | null;
  readonly metrics: () => Promise<{ readonly text: string; readonly contentType: string }>;
  /** Timeout of each probe. */
  readonly timeoutMs?: number;
  /** The server listens on this machine only. Default: true. */
  readonly isLocalOnly?: boolean;
}

/** GET /healthz, /readyz and /metrics. Answers contain states, no error messages. */
export function createHealth({ probes, metrics, timeoutMs = 2_000, isLocalOnly = true }: HealthOptions) {
  const answers: Readonly<Record<string, () => Promise<Response>>> = {
    '/healthz': () => Promise.resolve(Response.json({ status: 'alive', worker: probes()?.worker() ?? 'STARTING' })),
    '/readyz': () => answerReady(probes(), timeoutMs),
    '/metrics': async () => {
      const { text, contentType } = await metrics();
      return new Response(text, { headers: { 'content-type': contentType } });
    },
  };
  return async (request: Request): Promise<Response> => {
    // Web pages are refused.
    const refusal = refuseForeign(request, { isLocalOnly, origins: [] });
    if (refusal !== null) return refusal;
    const answer = answers[new URL(request.url).pathname];
    if (answer === undefined) return Response.json({ status: 'unknown path' }, { status: 404 });
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return Response.json({ status: 'only GET' }, { status: 405, headers: { allow: 'GET, HEAD' } });
    }
    return answer();
  };
}

async function answerReady(probes: Probes | null, timeoutMs: number): Promise<Response> {
  const worker = probes?.worker() ?? 'STARTING';
  const [ledger, temporal] = await Promise.all([check(probes?.ledger, timeoutMs), check(probes?.temporal, timeoutMs)]);
  const ready = worker === 'RUNNING' && ledger === 'ok' && temporal === 'ok';
  const status = ready ? 'ready' : 'not ready';
  return Response.json({ status, worker, ledger, temporal }, { status: ready ? 200 : 503 });
}

async function check(probe: (() => Promise<unknown>) | undefined, timeoutMs: number): Promise<string> {
  if (probe === undefined) return 'not checked';
  const result = probe().then(
    () => 'ok',
    () => 'failed',
  );
  return rejectOnAbort(result, AbortSignal.timeout(timeoutMs)).catch(() => 'no answer');
}
