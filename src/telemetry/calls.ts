// What is seen of the calls to both systems: method, route and status. Never a query, a body, an id or an address.

export type System = 'service' | 'hubspot';

export interface SeenCall {
  readonly system: System;
  readonly method: string;
  /** The path with everything replaced that is not a word of the interface: `/api/v1/orders/{id}/results`. */
  readonly route: string;
}

type Send = () => Promise<Response>;
/** Sends the call, and may look at what comes of it. */
export type CallWatcher = (call: SeenCall, send: Send) => Promise<Response>;
type Fetch = (request: Request) => Promise<Response>;

/** `fetch` with all watchers around it, the first one outermost. */
export function watchFetch(system: System, fetch: Fetch, watchers: readonly CallWatcher[]): Fetch {
  return (request) => {
    const call = { system, method: request.method, route: toRoute(new URL(request.url).pathname) };
    const send = watchers.reduceRight<Send>(
      (next, watch) => () => watch(call, next),
      () => fetch(request),
    );
    return send();
  };
}

/** A list of what may stay: an id of a record can be an e-mail address, a domain or any word. */
const words: ReadonlySet<string> = new Set(
  [
    'api v1 blacklists entries prospect-searches search-profile-creations orders results outputs export exports jobs',
    'download deliveries companies website-markdown',
    'crm v3 v4 2026-03 2026-09 objects contacts deals notes tasks batch read create update upsert archive search',
    'associations default labels properties groups lists memberships join-order crm-object-schemas schemas',
    'account-info details owners',
  ].flatMap((line) => line.split(' ')),
);

export function toRoute(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment === '' || words.has(segment) ? segment : '{id}'))
    .join('/');
}
