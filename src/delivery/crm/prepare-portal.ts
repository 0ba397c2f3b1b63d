/** Prepares HubSpot for writing: binds the ledger to the portal, creates the prospect_sync properties, and checks the mapped ones. */
import { assertPortal } from '../../hubspot/portal-account.ts';
import { managedProperties, propertyGroup } from '../../hubspot/managed-properties.ts';
import type { CrmMapping } from '../mapping/crm-plan.ts';
import { toMappedProperties } from '../mapping/written-content.ts';
import { keyProperties } from './record-match.ts';
import type { ProjectionDependencies } from './slot-batch.ts';

/** @returns the number of created properties. @throws {HubSpotError} for another portal, or if a mapped property is missing or unsuitable */
export async function preparePortal(
  { hubspot, ledger, signal }: Pick<ProjectionDependencies, 'hubspot' | 'ledger' | 'signal'>,
  mapping: CrmMapping,
): Promise<number> {
  const account = await hubspot.account(signal);
  assertPortal(account, { id: await ledger.portal.bind(account.portalId) });
  let created = 0;
  const mustExist = toMappedProperties(mapping);
  for (const type of ['companies', 'contacts'] as const) {
    const request = { group: propertyGroup, properties: managedProperties[type], mustExist };
    created += (await hubspot.properties.ensure(type, request, signal)).created.length;
    const probe = { ids: ['no-such-key'], idProperty: keyProperties[type], properties: [], signal };
    await hubspot.objects.read(type, probe);
  }
  return created;
}
