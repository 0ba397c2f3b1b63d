/** Records that an order was written to, as they are now. */
import type { Company, Prospect, Slot } from '../src/contract/index.ts';
import type { HubSpotClient } from '../src/hubspot/hubspot-client.ts';
import type { CrmRecord, ObjectType } from '../src/hubspot/hubspot-record.ts';
import type { Item } from '../src/ledger/outcomes.ts';
import { companyKey, contactKey } from '../src/mapping/identity.ts';
import { keyProperties } from '../src/projection/find-by-key.ts';
import { checkedProperties } from '../src/reconcile/check-crm-records.ts';
import { cancellationSignal } from './activity-heartbeat.ts';

export interface WrittenRecord {
  readonly recordId: string;
  /** Our own key; null where it has none. */
  readonly key: string | null;
}

/** Records by the id that they were written under; a merge gives them another one, under which their key finds them. */
export async function readWritten(
  hubspot: HubSpotClient,
  type: ObjectType,
  written: readonly WrittenRecord[],
): Promise<Map<string, CrmRecord>> {
  const properties = checkedProperties[type];
  const signal = cancellationSignal();
  const found = await hubspot.objects.read(type, { ids: written.map(({ recordId }) => recordId), properties, signal });
  const lost = written.filter(({ recordId, key }) => !found.has(recordId) && key !== null);
  const ids = lost.flatMap(({ key }) => key ?? []);
  const byKey = await hubspot.objects.read(type, { ids, idProperty: keyProperties[type], properties, signal });
  for (const { recordId, key } of lost) {
    const record = byKey.get(key ?? '');
    if (record !== undefined) found.set(recordId, record);
  }
  return found;
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
