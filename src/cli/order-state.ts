import type { Ledger } from '../ledger/ledger.ts';
import { toOutputReport, type LeakFigures, type OrderReport } from '../report/order-report.ts';

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
    crm: await ledger.outcomes.tally(orderId),
    leaks: await describeLeaks(ledger, orderId),
    files: (await ledger.files.list(orderId)).map(({ path, kind: fileKind, rows }) => ({ path, kind: fileKind, rows })),
    serviceOutputs: (await ledger.outputs.list(orderId)).map(toOutputReport),
  };
}

/** null for an order whose blacklists nobody froze. */
async function describeLeaks(ledger: Ledger, orderId: string): Promise<LeakFigures | null> {
  const frozen = await ledger.exclusionSnapshots.ofOrder(orderId);
  const { LEAK, LATE, WEAK } = await ledger.leaks.tally(orderId);
  return frozen.length === 0 ? null : { leak: LEAK, late: LATE, weak: WEAK };
}
