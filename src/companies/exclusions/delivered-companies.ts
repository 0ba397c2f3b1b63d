/** Companies that orders of this ledger have delivered, as a source of an exclusion. */
import type { Company } from '../../service/contract/index.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';
import { isDelivered } from '../../proof/checks/order-checks.ts';

/**
 * The delivered companies of all orders, as rows, up to 500 at a time. Companies that were erased are left out, and so are those
 * delivered before `since`; a company without a time counts as delivered when its order was first seen.
 */
export async function* readDeliveredCompanies(
  { orders, slots }: Pick<Ledger, 'orders' | 'slots'>,
  since: Date,
): AsyncGenerator<FieldValues[]> {
  for (const { orderId, firstSeenAt } of await orders.listSeen()) {
    const parse = await slots.parser(orderId);
    for await (const batch of slots.stream(orderId)) {
      yield batch.flatMap((stored) => {
        const { company, status, delivered_at: deliveredAt } = parse(stored).slot;
        if (company === null || !isDelivered(status)) return [];
        const time = Date.parse(deliveredAt || firstSeenAt);
        return Number.isNaN(time) || time >= since.getTime() ? toRow(company) : [];
      });
    }
  }
}

function toRow({ name, website_url: website, domain, city, country, source_id: sourceId }: Company): FieldValues[] {
  if (!name && !website && !domain) return [];
  const values = {
    company_name: name ?? domain ?? '',
    website_url: website ?? domain,
    city,
    country,
    external_id: sourceId,
  };
  const isSet = (entry: [string, string | null | undefined]): entry is [string, string] => Boolean(entry[1]);
  return [Object.fromEntries(Object.entries(values).filter(isSet))];
}
