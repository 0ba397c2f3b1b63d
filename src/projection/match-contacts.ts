/** The match ladder of people: our key, then the address, which may be a secondary one; otherwise a new record. */
import { toComparable } from '../hubspot/record.ts';
import { findByKey } from './find-by-key.ts';
import { matched, noMatch, type Match } from './match.ts';
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
  const { hubspot, signal } = tools;
  const byKey = await findByKey(
    tools,
    'contacts',
    contacts.map(({ key }) => key),
    properties,
  );
  const ids = contacts.flatMap(({ key, email }) => (byKey.has(key) || email === null ? [] : [email]));
  const byEmail = await hubspot.objects.read('contacts', { ids, idProperty: 'email', properties, signal });
  return contacts.map(({ key, email }) => {
    const known = byKey.get(key);
    if (known !== undefined) return matched('key', known);
    const record = byEmail.get(email ?? '');
    if (record === undefined) return noMatch;
    const isPrimary = toComparable(record.properties['email'] ?? '') === email;
    return matched(isPrimary ? 'email' : 'secondary_email', record);
  });
}
