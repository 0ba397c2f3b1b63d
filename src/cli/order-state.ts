import type { Ledger } from '../ledger/ledger.ts';
import type { OrderReport } from '../order-report.ts';

/** What the ledger says of an order that was collected before. */
export async function describeOrder(
  ledger: Ledger,
  orderId: string,
  workflowId: string,
): Promise<Omit<OrderReport, 'reconciled' | 'findings'>> {
  const kind = (await ledger.orders.get(orderId))?.kind;
  return {
    orderId,
    kind: kind === 'discovery' || kind === 'enrichment' ? kind : 'unknown',
    workflowId,
    slots: await ledger.slots.count(orderId),
    byStatus: await ledger.slots.countByStatus(orderId),
    byReason: await ledger.slots.countByReason(orderId),
    unknown: {},
    crm: await ledger.outcomes.tally(orderId, 'hubspot'),
    files: await ledger.files.list(orderId),
  };
}
