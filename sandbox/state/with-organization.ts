import type { Organization } from './organization.ts';
import type { Store } from './sandbox-store.ts';
import { Refusal } from '../service-refusal.ts';

/** Runs `work` on an organisation in one transaction. Throws a Refusal (404) if the organisation does not exist. */
export type WithOrganization = <T>(organizationId: string, work: (organization: Organization) => T) => T;

export function createWithOrganization(store: Store): WithOrganization {
  return (organizationId, work) => {
    const organization = requireOrganization(store, organizationId);
    return store.transaction(() => work(organization));
  };
}

/** Throws a Refusal (404) if the organisation does not exist. */
export function requireOrganization(store: Store, organizationId: string): Organization {
  const id = organizationId.toLowerCase();
  if (store.organizations.get(id)) return store.organization(id);
  throw new Refusal(404, { code: 'ORGANIZATION_NOT_FOUND', message: 'No such organisation.' });
}
