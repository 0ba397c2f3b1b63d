/** One stored slot: its columns, and the slot as the service published it. */
import { erasedKey, hasErasure } from '../base/json/erased-mark.ts';
import { parseJsonWithinLimits } from '../base/json/json-limits.ts';

/** `json`: the slot as the service published it; `hash`: its digest. */
export type StoredSlot = {
  position: number;
  hash: string;
  status: string;
  reasonCodes: string[];
  externalId: string | null;
  json: string;
};

/** Positions from `from` up to, but not including, `to`. */
export type PositionRange = { from: number; to: number };

/** Slots of one order, `to` exclusive. */
export interface SlotRange extends Readonly<PositionRange> {
  readonly orderId: string;
}

/** The range in parts of at most `size` positions, in order. */
export function* partsOf({ from, to }: Readonly<PositionRange>, size: number): Generator<PositionRange> {
  for (let start = from; start < to; start += size) yield { from: start, to: Math.min(start + size, to) };
}

/** The slot as the service published it, before its fields are read. */
export function toPublishedSlot({ json }: Pick<StoredSlot, 'json'>): unknown {
  return JSON.parse(json);
}

/** True for a slot of which a part, or everything, was erased. Most texts do not have the mark, and need not be parsed. */
export function isPartlyErased({ json }: Pick<StoredSlot, 'json'>): boolean {
  return json.includes(erasedKey) && hasErasure(parseJsonWithinLimits(json));
}

export function toCodes(text: string): string[] {
  const codes: unknown = JSON.parse(text);
  return Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : [];
}

export function toLedgerSlot({
  reasonCodesJson,
  ...row
}: Omit<StoredSlot, 'reasonCodes'> & { reasonCodesJson: string }): StoredSlot {
  return { ...row, reasonCodes: toCodes(reasonCodesJson) };
}

export function toRow(orderId: string, { position, hash, status, reasonCodes, externalId, json }: StoredSlot) {
  return { orderId, position, hash, status, reasonCodesJson: JSON.stringify(reasonCodes), externalId, json };
}
