import { requireOrganization } from '../service/require-organization.ts';
import type { Organization } from './organization.ts';
import type { Store } from './sandbox-store.ts';

/** Does `work` for an organisation, all of it or nothing. Throws a Refusal (404) when there is no such organisation. */
export type Within = <T>(organizationId: string, work: (organization: Organization) => T) => T;

export function createWithin(store: Store): Within {
  return (organizationId, work) => {
    const organization = requireOrganization(store, organizationId);
    return store.transaction(() => work(organization));
  };
}
