import type { Fetch } from '../../base/http/http-answer.ts';
// Metrics and traces see method, route and status of the calls to both systems, never a query, a body, an id or an address.

export type System = 'service' | 'hubspot';

export interface WatchedCall {
  readonly system: System;
  readonly method: string;
  /** The path, in which only known words stay: `/api/v1/orders/{id}/results`. */
  readonly route: string;
}

type Send = () => Promise<Response>;
/** Sends the call, and may observe its answer or error. */
export type CallWatcher = (call: WatchedCall, send: Send) => Promise<Response>;
/** Wraps `fetch` in all watchers; the first one is outermost. */
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

/** An allow list, because a record id can be an email address, a domain or any word. */
const knownSegments: ReadonlySet<string> = new Set(
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
    .map((segment) => (segment === '' || knownSegments.has(segment) ? segment : '{id}'))
    .join('/');
}
