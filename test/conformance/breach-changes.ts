import type { Change, Seen } from './conformance-harness.ts';

export type Row = Record<string, unknown>;
type Changing = (seen: Seen) => Change;

/** What is broken, and a part of the finding that has to report it. */
type Breach = readonly [what: string, finding: string, method: string, path: RegExp, change: Changing];

/** Breaches by the id of the check that has to report them. */
export type BreachesByCheck = Readonly<Record<string, readonly Breach[]>>;

export const rows = (value: unknown) => value as Row[];
export const row = (value: unknown) => value as Row;

export const oneBlacklist = /\/blacklists\/[^/]+$/;
export const entryPages = /\/entries$/;
export const results = /\/results$/;
export const oneOrder = /\/orders\/[^/]+$/;
export const oneCreation = /\/search-profile-creations\/[^/]+$/;
export const allBlacklists = /\/v1\/blacklists$/;
export const creations = /creations$/;
export const orders = /\/orders$/;
export const outputs = /\/outputs$/;
export const oneOutput = /\/outputs\/[^/]+$/;
export const download = /\/download$/;
export const file = /\/files\//;
export const deliveries = /\/deliveries\/[^/]+\/companies$/;
export const websiteMarkdown = /\/website-markdown$/;
export const assignedBlacklists = /\/prospect-searches\/[^/]+\/blacklists$/;

/** Changes the slots of a page; other answers stay. */
export function inSlots(change: (slot: Row) => Row): Changing {
  return ({ body, status }) =>
    status === 200 ? { body: { ...body, items: rows(body['items']).map(change) } } : undefined;
}

export function inSlotsWithStatus(status: string, change: Row): Changing {
  return inSlots((slot) => (slot['status'] === status ? { ...slot, ...change } : slot));
}

/** Changes fields of a body; refusals stay. */
export function inBody(change: (body: Row) => Row): Changing {
  return ({ body, status }) => (status < 300 ? { body: { ...body, ...change(body) } } : undefined);
}

export function onStatus(status: number, change: Changing): Changing {
  return (seen) => (seen.status === status ? change(seen) : undefined);
}

/** `time` counts the answers, from 1. */
export function countingAnswers(change: (seen: Seen, time: number) => Change): Changing {
  let times = 0;
  return (seen) => change(seen, (times += 1));
}

/** Changes the n-th answer, counted from 1. */
export function onNthAnswer(n: number, change: Changing): Changing {
  return countingAnswers((seen, time) => (time === n ? change(seen) : undefined));
}

/** Changes records of this status; refusals stay. */
export function inStatus(status: string, change: (record: Row) => Row): Changing {
  return inBody((record) => (record['status'] === status ? change(record) : {}));
}

export function toTimestamp(microseconds: number): string {
  return `2026-11-21T00:00:00.${String(microseconds).padStart(6, '0')}Z`;
}

/** Changes the page that is asked for with exactly this query. */
export function inPage(query: string, change: (body: Row) => Row): Changing {
  return onStatus(200, ({ url, body }) => (url.search === query ? { body: { ...body, ...change(body) } } : undefined));
}

/** Changes the summary of a results page. */
export function inSummary(change: (summary: Row, seen: Seen) => Row): Changing {
  return onStatus(200, (seen) => {
    const summary = row(seen.body['summary']);
    return { body: { ...seen.body, summary: { ...summary, ...change(summary, seen) } } };
  });
}

/** Adds a blacklist with the values that `find` takes from an earlier request and its answer. */
export function listing(find: (seen: Seen) => Record<string, unknown> | undefined) {
  let found: Record<string, unknown> | undefined;
  return (seen: Seen): Change => {
    found = find(seen) ?? found;
    const isList = seen.request.method === 'GET' && seen.status === 200 && 'blacklists' in seen.body;
    if (!isList || found === undefined) return undefined;
    return { body: { blacklists: [...rows(seen.body['blacklists']), { ...foreignBlacklist, ...found }] } };
  };
}

export const someContact = { prospects: [{ email: 'a@acme.example' }] };

export const foreignBlacklist = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'A',
  description: null,
  entry_count: 0,
  created_at: '2026-11-01T10:00:00.000000Z',
  updated_at: '2026-11-01T10:00:00.000000Z',
};

export const blacklistWithoutMicroseconds = {
  ...foreignBlacklist,
  created_at: '2026-11-01T10:00:00Z',
  updated_at: '2026-11-01T10:00:00Z',
};

export const fault = { code: 'INTERNAL_ERROR', message: 'x' };
export const noSlots = { requested_count: 0, fully_enriched_count: 0, annotated_count: 0, reasons: [] };
