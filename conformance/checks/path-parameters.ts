import type { Call } from '../probe/caller.ts';
import type { RefusalCase } from '../probe/probe.ts';

/** The one id in a path, by the noun that it belongs to. */
export function byBlacklist(id: string) {
  return { params: { blacklist_id: id } };
}

export function byOrder(id: string) {
  return { params: { order_id: id } };
}

export function byCreation(id: string) {
  return { params: { profile_creation_id: id } };
}

export function bySearch(id: string) {
  return { params: { prospect_search_id: id } };
}

/** "IDs are UUID strings"; with which status another text is refused is assumed. */
export function notUuid(call: Call): RefusalCase {
  return { what: 'an id that is no UUID', ...call, or: [400, 404], open: 'A55', assumed: 'A55' };
}
