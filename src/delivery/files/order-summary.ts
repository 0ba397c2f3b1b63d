/** The summary sheet of an order: what it is, and why not everything was delivered. */
import { isKnownReasonCode, reasonCodes, slotStatuses, type SlotStatus } from '../../service/contract/index.ts';
import { formatDateTime } from '../../base/text/format-time.ts';
import type { SummarySection } from '../../base/spreadsheet/table.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { sayIn, type SheetLanguage } from './sheet-language.ts';
import type { OrderSource } from '../mapping/source-paths.ts';

/** By the specification ("Slot status meanings"). */
const statusMeanings: Readonly<Record<SlotStatus, string>> = {
  ENRICHED: 'The company was found, and the row is eligible under the delivery policy',
  PARTIAL: 'The company was found; the row has a remark of the delivery policy and no contacts',
  UNRESOLVED: 'No company was found for the row',
  DUPLICATE: 'The row is of the same company as an earlier row',
  BLOCKED: 'Held back for operator review',
};

/** An order and its counts for the summary sheet. `publishedAt`: ISO 8601; null if unknown. */
interface OrderSummaryFacts {
  readonly order: OrderSource;
  readonly kind: string;
  readonly ordered: number;
  readonly delivered: number | null;
  readonly publishedAt: string | null;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byReason: Readonly<Record<string, number>>;
}

export async function readOrderSummary(
  { orders, orderRequests, slots }: Pick<Ledger, 'orders' | 'orderRequests' | 'slots'>,
  orderId: string,
): Promise<OrderSummaryFacts> {
  const order = await orders.get(orderId);
  return {
    order: await orderRequests.source(orderId),
    kind: order?.kind ?? '',
    ordered: order?.requestedCount ?? 0,
    delivered: order?.delivered ?? null,
    publishedAt: order?.publishedAt ?? null,
    byStatus: await slots.countByStatus(orderId),
    byReason: await slots.countByReason(orderId),
  };
}

/** The order, then every known status, and the reasons that occur, in words. */
export function toSummarySections(
  { byStatus, byReason, ...facts }: OrderSummaryFacts,
  language?: SheetLanguage,
): SummarySection[] {
  const say = sayIn(language);
  const unknown = say('(unknown to this version)');
  const slots = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  const { order, kind, ordered, delivered, publishedAt } = facts;
  const reason = (code: string) =>
    isKnownReasonCode(code)
      ? { label: say(reasonCodes[code].label), note: say(reasonCodes[code].message) }
      : { label: `${code} ${unknown}` };
  const statusText = (status: string) => {
    const known = slotStatuses.find((each) => each === status);
    return known === undefined ? { label: `${status} ${unknown}` } : { label: known, note: say(statusMeanings[known]) };
  };
  return [
    {
      title: say('Order'),
      rows: [
        { label: say('Order'), value: order.id },
        { label: say('Run'), value: order.run },
        { label: say('Title'), value: order.title },
        { label: say('Kind'), value: kind },
        { label: say('Published'), value: publishedAt === null ? '' : formatDateTime(new Date(publishedAt)) },
        { label: say('Ordered'), value: ordered },
        { label: say('Returned'), value: slots },
        { label: say('Delivered'), value: delivered ?? '' },
      ],
    },
    {
      title: say('By status'),
      rows: inOrder(slotStatuses, byStatus).map((status) => ({
        ...statusText(status),
        value: byStatus[status] ?? 0,
      })),
    },
    {
      title: say('By reason'),
      rows: inOrder(Object.keys(reasonCodes), byReason)
        .filter((code) => byReason[code])
        .map((code) => ({ ...reason(code), value: byReason[code] ?? 0 })),
    },
  ];
}

function inOrder(known: readonly string[], counts: Readonly<Record<string, number>>): string[] {
  return [
    ...known,
    ...Object.keys(counts)
      .filter((word) => !known.includes(word))
      .sort(),
  ];
}
