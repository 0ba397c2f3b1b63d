import { prospectSearchIdOf } from '../../src/service/contract/index.ts';
import type { Answer, Call } from '../probe/caller.ts';
import { need } from '../probe/check.ts';
import { NotChecked } from '../probe/not-checked.ts';
import type { RefusalCase } from '../probe/probe.ts';

/** Path parameters of operations with one id. */
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

/** "IDs are UUID strings"; the status for any other text is assumed. */
export function notUuid(call: Call): RefusalCase {
  return { what: 'an id that is not a UUID', ...call, or: [400, 404], open: 'A55', assumed: 'A55' };
}

/** The prospect search of a profile. Ends the check if the service uses another id for it: `read` then answers 404. */
export async function searchOfProfile(
  profileId: string | undefined,
  read: (searchId: string) => Promise<Answer>,
): Promise<string> {
  const searchId = prospectSearchIdOf({ profile_id: need(profileId, 'a profile that succeeded') });
  const { status } = await read(searchId);
  if (status === 404) throw new NotChecked('assumed A06: profile_id and prospect_search_id are different ids');
  return searchId;
}
