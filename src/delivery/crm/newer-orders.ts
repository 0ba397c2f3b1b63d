/**
 * The newest order of a record wins: the one published last, or with the greater id if both times are equal. A legacy listing proves nothing:
 * it yields to every order, and to the listing that wrote the record first.
 */
import type { CrmRecord, ObjectType } from '../../hubspot/hubspot-record.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isListingId } from '../../ledger/identity.ts';
import { toTimeText } from '../../ledger/property-values.ts';

/** A published order. `publishedAt`: ISO 8601 in UTC with milliseconds; null if unknown; such an order is never the newer one. */
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
 * Reads the last order of each record from the ledger, which knows it before the request is sent, and from HubSpot, which may know an order
 * of another ledger.
 * @returns the newer order by record id; absent if there is none
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
  if (isListingId(b.orderId)) return a.orderId !== b.orderId;
  if (isListingId(a.orderId)) return false;
  if (a.publishedAt === null || b.publishedAt === null) return false;
  return a.publishedAt === b.publishedAt ? a.orderId > b.orderId : a.publishedAt > b.publishedAt;
}
