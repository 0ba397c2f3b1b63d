import { Refusal } from '../service/refusal.ts';
import type { Organization } from '../service/store/organization.ts';
import type { Store } from '../service/store/store.ts';

/** Does `work` for an organisation, all of it or nothing. Throws a Refusal (404) when there is no such organisation. */
export type Within = <T>(organizationId: string, work: (organization: Organization) => T) => T;

export function createWithin(store: Store): Within {
  return (organizationId, work) => {
    const id = organizationId.toLowerCase();
    if (!store.organizations.get(id)) {
      throw new Refusal(404, { code: 'ORGANIZATION_NOT_FOUND', message: 'No such organisation.' });
    }
    return store.transaction(() => work(store.organization(id)));
  };
}
