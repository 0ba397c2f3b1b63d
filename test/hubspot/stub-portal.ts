import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import type { HubSpotClient, HubSpotClientOptions } from '../../src/hubspot/hubspot-client.ts';
import { HubSpotError } from '../../src/hubspot/hubspot-error.ts';
import { createJumpingClock } from '../helpers/jumping-clock.ts';

export interface StubCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: StubBody;
}

/** Every field that any request sends; each test knows which ones its requests have. */
export interface StubBody {
  inputs: {
    id: string;
    idProperty?: string;
    objectWriteTraceId: string;
    properties: Record<string, string>;
    from: { id: string };
    to: { id: string };
    after?: string;
  }[];
  idProperty?: string;
  properties: string[];
  filterGroups: { filters: { propertyName: string; operator: string; value?: string; values?: string[] }[] }[];
  sorts: string[];
  limit: number;
  name: string;
}

export interface StubPortal {
  client: HubSpotClient;
  calls: StubCall[];
}

/** Fields that every record of HubSpot has. */
export const at = { createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:00:00.000Z', archived: false };

/** A portal that answers each request with `respond`, and records the requests. */
export function createStubPortal(
  respond: (call: StubCall, index: number) => Response | Promise<Response>,
  options: Partial<HubSpotClientOptions> = {},
): StubPortal {
  const calls: StubCall[] = [];
  let ids = 0;
  const client = createHubSpotClient({
    baseUrl: 'https://hubspot.example',
    token: 'pat-secret',
    ...createJumpingClock(),
    newId: () => `call-${(ids += 1)}`,
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const text = await request.text();
      const body = JSON.parse(text || '{}') as StubBody;
      const call = { method: request.method, path: pathname, query: searchParams, body };
      calls.push(call);
      return respond(call, calls.length - 1);
    },
    ...options,
  });
  return { client, calls };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** The HubSpotError of a rejected promise. The test fails when the promise resolves. */
export async function rejection(promise: Promise<unknown>): Promise<HubSpotError> {
  const outcome = await promise.catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(HubSpotError);
  return outcome as HubSpotError;
}

/** Throws what fetch throws for a broken connection: `fetch failed` with the system's code in its cause. */
export function brokenConnection(): never {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
}
