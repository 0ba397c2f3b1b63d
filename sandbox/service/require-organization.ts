import { Refusal } from '../refusal.ts';
import type { Organization } from '../store/organization.ts';
import type { Store } from '../store/sandbox-store.ts';

/** Throws a Refusal (404) when there is no such organisation. */
export function requireOrganization(store: Store, organizationId: string): Organization {
  const id = organizationId.toLowerCase();
  if (store.organizations.get(id)) return store.organization(id);
  throw new Refusal(404, { code: 'ORGANIZATION_NOT_FOUND', message: 'No such organisation.' });
}
