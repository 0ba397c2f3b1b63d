/** The journal of requests to the sandbox: list, wait, and suggest the operation that an unknown route may mean. */
import { z } from 'zod';
import type { HubSpotSandbox } from '../hubspot/hubspot-sandbox.ts';
import type { Journal, JournalEntry, JournalFilter } from '../request-journal.ts';
import type { ServiceSandbox } from '../service/service-sandbox.ts';
import {
  timestampSchema,
  organizationId,
  operationDefaults,
  notFoundResponse,
  type ControlOperation,
  defaultWait,
  waitTimeout,
  route,
  type ControlRoute,
} from './control-operation.ts';
import { operations } from '../../src/service/contract/index.ts';

const filterFields = {
  portal_id: z.coerce.number().int().optional(),
  organization_id: organizationId.optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.coerce.number().int().optional(),
  code: z.string().optional(),
  idempotency_key: z.string().optional(),
  /** Number of the last known entry. */
  after: z.coerce.number().int().min(0).optional(),
};

const entrySchema = z.strictObject({
  number: z.int(),
  at: timestampSchema,
  method: z.string(),
  path: z.string(),
  status: z.int(),
  owner: z.string().nullable(),
  code: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  fault_id: z.string().nullable(),
  /** Similar routes, for a request to an unknown route. */
  meant: z.array(z.string()).optional(),
});

export const journalOperations = {
  readJournal: {
    ...operationDefaults,
    method: 'get',
    path: '/journal',
    summary: 'List requests, oldest first; with `portal_id` those to HubSpot. Status 0: the connection was dropped',
    query: z.strictObject({ ...filterFields, limit: z.coerce.number().int().min(1).max(20_000).optional() }),
    responses: { 200: z.strictObject({ entries: z.array(entrySchema) }), ...notFoundResponse },
  },
  waitForRequests: {
    ...operationDefaults,
    method: 'get',
    path: '/journal/wait',
    summary: 'Wait until enough requests match; after the timeout, returns the requests that nearly match',
    query: z.strictObject({
      ...filterFields,
      count: z.coerce.number().int().positive().optional(),
      timeout_ms: waitTimeout,
    }),
    responses: {
      200: z.strictObject({
        satisfied: z.boolean(),
        entries: z.array(entrySchema),
        near_misses: z.array(z.strictObject({ differs: z.string(), entry: entrySchema })),
      }),
      ...notFoundResponse,
    },
  },
} as const satisfies Record<string, ControlOperation>;

export function journalRoutes(service: ServiceSandbox, hubspot: HubSpotSandbox): ControlRoute[] {
  const journalOf = (portalId: number | undefined): Journal =>
    portalId === undefined ? service.journal : hubspot.journal(portalId);
  return [
    route(journalOperations.readJournal, ({ query: { portal_id, limit = 1_000, ...filter } }) => {
      const entries = journalOf(portal_id).entries(toFilter(filter)).slice(-limit);
      return { entries: entries.map(toBody) };
    }),
    route(journalOperations.waitForRequests, async ({ query, signal }) => {
      const { portal_id, count = defaultWait.count, timeout_ms = defaultWait.timeout_ms, ...filter } = query;
      const journal = journalOf(portal_id);
      const entries = await journal.wait(toFilter(filter), { count, timeoutMs: timeout_ms, signal });
      const satisfied = entries.length >= count;
      const misses = satisfied ? [] : journal.nearMisses(toFilter(filter)).slice(-10);
      return {
        satisfied,
        entries: entries.map(toBody),
        near_misses: misses.map(({ entry, differs }) => ({ differs, entry: toBody(entry) })),
      };
    }),
  ];
}

function toFilter({
  organization_id,
  ...rest
}: JournalFilter & { organization_id?: string | undefined }): JournalFilter {
  return { ...rest, owner: organization_id?.toLowerCase() };
}

function toBody(entry: JournalEntry) {
  const { method, path, code, at } = entry;
  const isUnknown = code === 'ROUTE_NOT_FOUND' || code === 'METHOD_NOT_ALLOWED';
  const meant = isUnknown ? { meant: suggestOperations(method, path) } : {};
  return { ...entry, at: new Date(at).toISOString(), ...meant };
}

/** Operations with a similar route, such as `GET /api/v1/…`, for a request to an unknown route. */
function suggestOperations(method: string, path: string): string[] {
  const requested = segmentsOf(path);
  return Object.values(operations)
    .map((operation) => ({
      operation,
      distance: distanceOf(segmentsOf(operation.path), requested, operation.method === method.toLowerCase()),
    }))
    .filter(({ distance }) => distance <= maxDistance)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ operation }) => `${operation.method.toUpperCase()} ${operation.path}`);
}

const maxDistance = 2;

/** Edit distance in path segments, plus one for another method. */
function distanceOf(template: readonly string[], requested: readonly string[], sameMethod: boolean): number {
  let row = Array.from({ length: requested.length + 1 }, (_, place) => place);
  for (const [done, segment] of template.entries()) {
    const next = [done + 1];
    for (const [place, word] of requested.entries()) {
      const change = (row[place] ?? 0) + (fits(segment, word) ? 0 : 1);
      next.push(Math.min(change, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) + (sameMethod ? 0 : 1);
}

/** A parameter matches any segment that is not a fixed segment of the interface. */
function fits(segment: string, word: string): boolean {
  return segment === word || (segment.startsWith('{') && !words.has(word));
}

const words = new Set(
  Object.values(operations).flatMap(({ path }) => segmentsOf(path).filter((word) => !word.startsWith('{'))),
);

function segmentsOf(path: string): string[] {
  const [withoutQuery = ''] = path.split('?', 1);
  return withoutQuery.split('/').filter((segment) => segment !== '');
}
