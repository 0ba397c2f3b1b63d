import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault-rules.ts';

/**
 * Answers a request according to a fault. Rejects as `fetch` does on a reset when the rule breaks the connection, and when the
 * client disconnects while its answer is delayed.
 */
export async function applyFault(
  fault: Fault,
  proceed: () => Promise<Response>,
  signal?: AbortSignal,
): Promise<Response> {
  const breaksAtOnce = fault.reset === true && !fault.truncate;
  const { commit = fault.status === undefined && !breaksAtOnce } = fault;
  const own = commit ? await proceed() : null;
  if (fault.delay_ms !== undefined) await sleep(fault.delay_ms, undefined, { signal });
  const answer = fault.status === undefined ? own : replacementResponse(fault, fault.status);
  if (answer === null || breaksAtOnce) throw connectionReset();
  return alteredResponse(fault, answer, signal);
}

/** Throws a RangeError or TypeError if HTTP does not allow the response. */
export function replacementResponse(
  { body, html, headers = {} }: Pick<Fault, 'body' | 'html' | 'headers'>,
  status: number,
): Response {
  if (html) return new Response(page, { status, headers: { 'content-type': 'text/html', ...headers } });
  if (body !== undefined) return Response.json(body, { status, headers });
  return new Response(null, { status, headers });
}

const page = '<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>';

async function alteredResponse(
  { truncate, reset, content_type, drip_ms }: Fault,
  answer: Response,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = new Headers(answer.headers);
  if (content_type !== undefined) headers.set('content-type', content_type);
  // A 204 has no body to truncate: it is sent unchanged, or the connection breaks.
  if (answer.body === null && truncate && reset) throw connectionReset();
  if (answer.body === null || (!truncate && drip_ms === undefined)) {
    return new Response(answer.body, { status: answer.status, headers });
  }
  headers.delete('content-length');
  const whole = new Uint8Array(await answer.arrayBuffer());
  const sent = truncate ? whole.subarray(0, whole.length >>> 1) : whole;
  const stream = toStream(sent, { pauseMs: (drip_ms ?? 0) / pieces, breaks: reset === true, signal });
  const cut = new Response(stream, { status: answer.status, headers });
  if (reset) interruptedResponses.add(cut);
  return cut;
}

const interruptedResponses = new WeakSet<Response>();

/** True if the connection must break in the middle of this answer. */
export function isInterrupted(response: Response): boolean {
  return interruptedResponses.has(response);
}

const pieces = 10;
const flushMs = 20;

interface StreamOptions {
  readonly pauseMs: number;
  readonly breaks: boolean;
  readonly signal: AbortSignal | undefined;
}

function toStream(bytes: Uint8Array, { pauseMs, breaks, signal }: StreamOptions): ReadableStream {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  let at = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (at < bytes.length) {
        if (pauseMs > 0) await sleep(pauseMs, undefined, { signal });
        controller.enqueue(bytes.slice(at, (at += size)));
      } else if (breaks) {
        // The bytes must leave the machine before the connection closes.
        await sleep(flushMs, undefined, { signal });
        controller.error(connectionReset());
      } else controller.close();
    },
  });
}

function connectionReset(): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  });
}
