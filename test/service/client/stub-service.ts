import { createProspectingClient, type ProspectingClient } from '../../../src/service/client/prospecting-client.ts';
import { ProspectingError } from '../../../src/service/client/prospecting-error.ts';
import type { ProspectingSettings } from '../../../src/service/client/service-transport.ts';

export interface StubCall {
  method: string;
  path: string;
  query: Record<string, string>;
  body: string;
  headers: Headers;
  signal: AbortSignal;
}

type Respond = (call: StubCall, index: number) => Response | Promise<Response>;

/** A service that answers each request with `respond`, and records the requests. */
export function createStubService(
  respond: Respond,
  options: Partial<ProspectingSettings> & { resultsItems?: string } = {},
): { client: ProspectingClient; calls: StubCall[] } {
  const calls: StubCall[] = [];
  const client = createProspectingClient({
    baseUrl: 'https://service.example/',
    apiKey: () => 'sk_secret_key',
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const { method, headers, signal } = request;
      const body = await request.text();
      const call = { method, path: pathname, query: Object.fromEntries(searchParams), body, headers, signal };
      calls.push(call);
      return respond(call, calls.length - 1);
    },
    ...options,
  });
  return { client, calls };
}

/** The ProspectingError of a rejected promise. The test fails when the promise resolves. */
export async function rejection(promise: Promise<unknown>): Promise<ProspectingError> {
  const outcome = await promise.catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(ProspectingError);
  return outcome as ProspectingError;
}

export async function collect<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

/** Throws what fetch throws for a broken connection: `fetch failed` with the system's code in its cause. */
export function brokenConnection(): never {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
}

/** A body that fails after its beginning, like a lost connection. */
export function brokenBody(beginning: string): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated'));
      else controller.enqueue(new TextEncoder().encode(beginning));
      sent = true;
    },
  });
}

/** A body that never continues after its beginning, even when the request is aborted. */
export function endlessBody(beginning: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
  });
}

export const someId = '11111111-2222-4333-8444-555555555555';
export const time = '2026-11-20T12:00:00.000000Z';

export const order = {
  order_id: someId,
  status: 'RECEIVED',
  briefing_quantity: 5,
  available_briefing_quantity: 0,
  results_published: false,
  result_summary: null,
  order_type: 'DISCOVERY',
  profile_id: someId,
  title: null,
  features: ['CONTACTS'],
  created_at: time,
  updated_at: time,
};

export const discovery = { order_type: 'DISCOVERY', profile_id: someId, briefing_quantity: 5 } as const;
export const profile = { profile_name: 'Makers', ideal_customer_profile: 'They make', target_countries: ['Germany'] };

export function slot(position: number, changes: Record<string, unknown> = {}) {
  return {
    input_position: position,
    status: 'UNRESOLVED',
    reason_codes: ['UNRESOLVED_IDENTITY'],
    reasons: [{ code: 'UNRESOLVED_IDENTITY', message: 'not found' }],
    company: null,
    delivered_at: time,
    ...changes,
  };
}

export const summary = { requested_count: 2, fully_enriched_count: 0, annotated_count: 2, reasons: [] };
