/** Matches contacts to HubSpot records: by key, then by email address, which may be a secondary one. */
import { ADDITIONAL_EMAILS, secondaryEmails, toComparable, type CrmRecord } from '../../hubspot/hubspot-record.ts';
import { findByKey, matched, noMatch, withConflict, type Match } from './record-match.ts';
import type { ProjectionDependencies } from './slot-batch.ts';

/** The values by which a contact is matched. */
export interface ContactIdentity {
  readonly key: string;
  readonly email: string | null;
}

/** @returns the match of each contact */
export async function matchContacts<Identity extends ContactIdentity>(
  dependencies: ProjectionDependencies,
  contacts: readonly Identity[],
  properties: readonly string[],
): Promise<Map<Identity, Match>> {
  const keys = contacts.map(({ key }) => key);
  const byKey = await findByKey(dependencies, 'contacts', keys, [...properties, 'email']);
  // Includes contacts found by key whose address was changed in HubSpot: another record may have it by now.
  const unmatched = contacts.filter(({ key, email }) => email !== null && primaryEmail(byKey.get(key)) !== email);
  const byEmail = await findByEmail(dependencies, unmatched, properties);
  const match = ({ key, email }: ContactIdentity): Match => {
    const record = byKey.get(key);
    const owner = byEmail.get(email ?? '');
    if (record !== undefined) {
      const byOwnKey = matched('key', record);
      return owner === undefined || owner.id === record.id ? byOwnKey : withConflict(byOwnKey, owner.id, ['email']);
    }
    if (owner === undefined) return noMatch;
    return matched(primaryEmail(owner) === email ? 'email' : 'secondary_email', owner);
  };
  return new Map(contacts.map((contact) => [contact, match(contact)]));
}

/** HubSpot may not find secondary addresses, so a record that an earlier pass matched by one is read by its id. */
async function findByEmail(
  { hubspot, ledger, signal }: ProjectionDependencies,
  contacts: readonly ContactIdentity[],
  properties: readonly string[],
): Promise<Map<string, CrmRecord>> {
  const emails = contacts.flatMap(({ email }) => email ?? []);
  const byEmail = await hubspot.objects.read('contacts', { ids: emails, idProperty: 'email', properties, signal });
  const unmatched = contacts.filter(({ email }) => email !== null && !byEmail.has(email));
  const keys = unmatched.map(({ key }) => key);
  const knownIds = await ledger.records.ids('contacts', keys);
  const names = [...properties, 'email', ADDITIONAL_EMAILS];
  const byId = await hubspot.objects.read('contacts', { ids: [...knownIds.values()], properties: names, signal });
  const bySecondaryEmail = unmatched.flatMap(({ key, email }): [string, CrmRecord][] => {
    const record = byId.get(knownIds.get(key) ?? '');
    return record !== undefined && email !== null && secondaryEmails(record).includes(email) ? [[email, record]] : [];
  });
  return new Map([...byEmail, ...bySecondaryEmail]);
}

function primaryEmail(record: CrmRecord | undefined): string {
  return toComparable(record?.properties['email'] ?? '');
}
