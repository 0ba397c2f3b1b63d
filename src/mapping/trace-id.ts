import type { Item } from '../ledger/outcomes.ts';

/** `objectWriteTraceId` of a record: says which row of which order it is of, and is unique in a batch. No personal data. */
export function toTraceId(orderId: string, position: number, item: Item): string {
  return `${orderId}/${position}/${item}`;
}
