/** The newest order of a record wins: the one that was published last, and of two at the same time the one with the greater id. */
import type { CrmRecord, ObjectType } from '../hubspot/hubspot-record.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { toTimeText } from '../mapping/property-values.ts';

/** A published order. `publishedAt`: ISO 8601 in UTC with milliseconds; null: unknown, so that it is newer than no other. */
interface Publication {
  readonly orderId: string;
  readonly publishedAt: string | null;
}

/** A record, and the order that it names in HubSpot, if it was read. */
interface OwnedRecord {
  readonly id: string;
  readonly properties?: CrmRecord['properties'];
}

/**
 * The ledger names the order that wrote a record last, also while its request is under way. The record names it too: in HubSpot an order
 * may be known that this ledger does not have.
 * @returns the newer order that has written the record, by record id; absent where there is none
 */
export async function findNewerOrders(
  { orders, writtenRecords }: Pick<Ledger, 'orders' | 'writtenRecords'>,
  orderId: string,
  type: ObjectType,
  records: readonly OwnedRecord[],
): Promise<Map<string, string>> {
  const writers = await writtenRecords.orderIds(
    type,
    records.map(({ id }) => id),
  );
  const named = records.flatMap(({ properties }) => properties?.['prospect_sync_order_id'] ?? []);
  const publications = await orders.publications([orderId, ...writers.values(), ...named]);
  const own = { orderId, publishedAt: publications.get(orderId) ?? null };
  const newer = new Map<string, string>();
  for (const { id, properties } of records) {
    const candidates = [writers.get(id), properties?.['prospect_sync_order_id']].flatMap((candidate): Publication[] => {
      if (!candidate) return [];
      const publishedAt = publications.has(candidate)
        ? publications.get(candidate)
        : toTimeText(properties?.['prospect_sync_delivered_at'] ?? '');
      return [{ orderId: candidate, publishedAt: publishedAt || null }];
    });
    const [newest] = candidates
      .filter((candidate) => isNewer(candidate, own))
      .toSorted((a, b) => (isNewer(a, b) ? -1 : 1));
    if (newest !== undefined) newer.set(id, newest.orderId);
  }
  return newer;
}

function isNewer(a: Publication, b: Publication): boolean {
  if (a.publishedAt === null || b.publishedAt === null) return false;
  return a.publishedAt === b.publishedAt ? a.orderId > b.orderId : a.publishedAt > b.publishedAt;
}
