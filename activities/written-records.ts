/** Reads the records that an order wrote, as they are now. */
import type { Company, Prospect, Slot } from '../src/contract/index.ts';
import type { HubSpotClient } from '../src/hubspot/hubspot-client.ts';
import type { CrmRecord, ObjectType } from '../src/hubspot/hubspot-record.ts';
import type { Item } from '../src/ledger/outcomes.ts';
import { companyKey, contactKey } from '../src/mapping/identity.ts';
import { keyProperties } from '../src/projection/record-match.ts';
import { checkedProperties } from '../src/reconcile/check-crm-records.ts';
import { cancellationSignal } from './activity-heartbeat.ts';

export interface WrittenRecord {
  readonly recordId: string;
  /** `prospect_sync_company_key` or `prospect_sync_contact_key`; null where the item has none. */
  readonly key: string | null;
}

/** A merge changes record ids, so records that are not found by id are read by key. @returns records by the id that was written */
export async function readWritten(
  hubspot: HubSpotClient,
  type: ObjectType,
  written: readonly WrittenRecord[],
): Promise<Map<string, CrmRecord>> {
  const properties = checkedProperties[type];
  const signal = cancellationSignal();
  const records = await hubspot.objects.read(type, {
    ids: written.map(({ recordId }) => recordId),
    properties,
    signal,
  });
  const missing = written.filter(({ recordId, key }) => !records.has(recordId) && key !== null);
  const ids = missing.flatMap(({ key }) => key ?? []);
  const byKey = await hubspot.objects.read(type, { ids, idProperty: keyProperties[type], properties, signal });
  for (const { recordId, key } of missing) {
    const record = byKey.get(key ?? '');
    if (record !== undefined) records.set(recordId, record);
  }
  return records;
}

export function keyOf({ status, company }: Slot, item: Item): string | null {
  if (company === null || status !== 'ENRICHED') return null;
  if (item === 'company') return companyKey(company);
  const prospect = prospectOf(company, item);
  return prospect === undefined ? null : contactKey(prospect, company);
}

export function prospectOf(company: Company | null, item: Item): Prospect | undefined {
  return company?.prospects?.[Number(item.slice('contact:'.length))];
}
