/** The match ladder of people: our key, then the address, which may be a secondary one; otherwise a new record. */
import { ADDITIONAL_EMAILS, secondaryEmails, toComparable, type CrmRecord } from '../hubspot/hubspot-record.ts';
import { findByKey } from './find-by-key.ts';
import { matched, noMatch, sharing, type Match } from './match.ts';
import type { Tools } from './projection.ts';

export interface ContactToMatch {
  readonly key: string;
  /** null for a person that is known without one. */
  readonly email: string | null;
}

/** @returns match i belongs to contact i */
export async function matchContacts(
  tools: Tools,
  contacts: readonly ContactToMatch[],
  properties: readonly string[],
): Promise<Match[]> {
  const keys = contacts.map(({ key }) => key);
  const byKey = await findByKey(tools, 'contacts', keys, [...properties, 'email']);
  // Of a person of ours too, if somebody changed the address: by now another record may have it.
  const elsewhere = contacts.filter(({ key, email }) => email !== null && primaryEmail(byKey.get(key)) !== email);
  const byEmail = await findByEmail(tools, elsewhere, properties);
  return contacts.map(({ key, email }) => {
    const known = byKey.get(key);
    const owner = byEmail.get(email ?? '');
    if (known !== undefined) {
      const isTaken = owner !== undefined && owner.id !== known.id;
      return isTaken ? sharing(matched('key', known), owner.id, ['email']) : matched('key', known);
    }
    if (owner === undefined) return noMatch;
    return matched(primaryEmail(owner) === email ? 'email' : 'secondary_email', owner);
  });
}

/** HubSpot may not find secondary addresses; the record that an earlier pass found by one is remembered. */
async function findByEmail(
  { hubspot, ledger, signal }: Tools,
  contacts: readonly ContactToMatch[],
  properties: readonly string[],
): Promise<Map<string, CrmRecord>> {
  const emails = contacts.flatMap(({ email }) => email ?? []);
  const found = new Map(
    await hubspot.objects.read('contacts', { ids: emails, idProperty: 'email', properties, signal }),
  );
  const open = contacts.filter(({ email }) => email !== null && !found.has(email));
  const known = await ledger.records.ids(
    'contacts',
    open.map(({ key }) => key),
  );
  const wanted = [...properties, 'email', ADDITIONAL_EMAILS];
  const byId = await hubspot.objects.read('contacts', { ids: [...known.values()], properties: wanted, signal });
  for (const { key, email } of open) {
    const record = byId.get(known.get(key) ?? '');
    if (record !== undefined && email !== null && secondaryEmails(record).includes(email)) found.set(email, record);
  }
  return found;
}

function primaryEmail(record: CrmRecord | undefined): string {
  return toComparable(record?.properties['email'] ?? '');
}
