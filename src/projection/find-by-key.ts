import { COMPANY_KEY, CONTACT_KEY } from '../hubspot/own-properties.ts';
import type { CrmRecord } from '../hubspot/hubspot-record.ts';
import type { Tools } from './projection.ts';

/** What prospects and their companies are in the CRM. */
export type RecordType = 'companies' | 'contacts';

export const keyProperties = {
  companies: COMPANY_KEY,
  contacts: CONTACT_KEY,
} as const satisfies Record<RecordType, string>;

/**
 * Records that carry our key: by the id that the ledger remembers, then by the key itself. Neither lags behind writes.
 * @returns a record for each key that has one
 */
export async function findByKey(
  { hubspot, ledger, signal, unprepared = [] }: Tools,
  type: RecordType,
  keys: readonly string[],
  properties: readonly string[],
): Promise<Map<string, CrmRecord>> {
  const found = new Map<string, CrmRecord>();
  if (unprepared.includes(type)) return found;
  const known = await ledger.records.ids(type, keys);
  const byId = await hubspot.objects.read(type, { ids: [...known.values()], properties, signal });
  for (const [key, id] of known) {
    const record = byId.get(id);
    // A merge gives records new ids, and another portal gives the same ids to others: the key on the record decides.
    if (record?.properties[keyProperties[type]] === key) found.set(key, record);
  }
  const ids = [...new Set(keys)].filter((key) => !found.has(key));
  const byKey = await hubspot.objects.read(type, { ids, idProperty: keyProperties[type], properties, signal });
  for (const [key, record] of byKey) found.set(key, record);
  return found;
}
