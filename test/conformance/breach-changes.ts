import type { Change, Seen } from './conformance-harness.ts';

export type Row = Record<string, unknown>;
type Changing = (seen: Seen) => Change;

/** What is broken, and a part of the finding that has to report it. */
type Breach = readonly [what: string, finding: string, method: string, path: RegExp, change: Changing];

/** Breaches by the id of the check that has to report them. */
export type BreachesByCheck = Readonly<Record<string, readonly Breach[]>>;

export const rows = (value: unknown) => value as Row[];
export const row = (value: unknown) => value as Row;

export const oneList = /\/blacklists\/[^/]+$/;
export const entryPages = /\/entries$/;
export const results = /\/results$/;
export const oneOrder = /\/orders\/[^/]+$/;
export const oneCreation = /\/search-profile-creations\/[^/]+$/;
export const assigned = /\/prospect-searches\/[^/]+\/blacklists$/;

/** Changes the slots of a page; other answers stay. */
export function inSlots(change: (slot: Row) => Row): Changing {
  return ({ body, status }) =>
    status === 200 ? { body: { ...body, items: rows(body['items']).map(change) } } : undefined;
}

export function where(status: string, change: Row): Changing {
  return inSlots((slot) => (slot['status'] === status ? { ...slot, ...change } : slot));
}

/** Changes fields of a body; refusals stay. */
export function inBody(change: (body: Row) => Row): Changing {
  return ({ body, status }) => (status < 300 ? { body: { ...body, ...change(body) } } : undefined);
}

export function on(status: number, change: Changing): Changing {
  return (seen) => (seen.status === status ? change(seen) : undefined);
}

/** `time` counts the answers, from 1. */
export function counted(change: (seen: Seen, time: number) => Change): Changing {
  let times = 0;
  return (seen) => change(seen, (times += 1));
}

/** Changes the page that is asked for with exactly this query. */
export function inPage(query: string, change: (body: Row) => Row): Changing {
  return on(200, ({ url, body }) => (url.search === query ? { body: { ...body, ...change(body) } } : undefined));
}

/** Changes the summary of a results page. */
export function inSummary(change: (summary: Row, seen: Seen) => Row): Changing {
  return on(200, (seen) => {
    const summary = row(seen.body['summary']);
    return { body: { ...seen.body, summary: { ...summary, ...change(summary, seen) } } };
  });
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
