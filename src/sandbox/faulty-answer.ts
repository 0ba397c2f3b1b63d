import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './faults.ts';

/** Carries out a faulty exchange. Rejects as `fetch` does on a reset when the rule breaks the connection. */
export async function answerFaulty(fault: Fault, proceed: () => Promise<Response>): Promise<Response> {
  const breaksAtOnce = fault.reset === true && !fault.truncate;
  const { commit = fault.status === undefined && !breaksAtOnce } = fault;
  const own = commit ? await proceed() : null;
  if (fault.delay_ms !== undefined) await sleep(fault.delay_ms);
  const answer = fault.status === undefined ? own : madeUp(fault, fault.status);
  if (answer === null || breaksAtOnce) throw connectionReset();
  return spoiled(fault, answer);
}

function madeUp({ body, html, headers = {} }: Fault, status: number): Response {
  if (html) return new Response(page, { status, headers: { 'content-type': 'text/html', ...headers } });
  if (body !== undefined) return Response.json(body, { status, headers });
  return new Response(null, { status, headers });
}

const page = '<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>';

async function spoiled({ truncate, reset, content_type, drip_ms }: Fault, answer: Response): Promise<Response> {
  const headers = new Headers(answer.headers);
  if (content_type !== undefined) headers.set('content-type', content_type);
  if (!truncate && drip_ms === undefined) {
    return new Response(answer.body, { status: answer.status, headers });
  }
  headers.delete('content-length');
  const whole = new Uint8Array(await answer.arrayBuffer());
  const sent = truncate ? whole.subarray(0, whole.length >>> 1) : whole;
  const stream = toStream(sent, { pauseMs: (drip_ms ?? 0) / pieces, breaks: reset === true });
  return new Response(stream, { status: answer.status, headers });
}

const pieces = 10;

function toStream(bytes: Uint8Array, { pauseMs, breaks }: { pauseMs: number; breaks: boolean }): ReadableStream {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  let at = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (at < bytes.length) {
        if (pauseMs > 0) await sleep(pauseMs);
        controller.enqueue(bytes.slice(at, (at += size)));
      } else if (breaks) controller.error(connectionReset());
      else controller.close();
    },
  });
}

function connectionReset(): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  });
}
