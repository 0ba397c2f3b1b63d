/** Reads the published slots of an order again and compares them with the ledger. */
import { setImmediate } from 'node:timers/promises';
import { yieldIfLarge } from '../src/http/http-answer.ts';
import { digest } from '../src/json/canonical-json.ts';
import { toPublishedSlot, type StoredSlot } from '../src/ledger/slots.ts';
import { isSameContent, type SlotFinding } from '../src/reconcile/slot-findings.ts';
import { hasErasure } from '../src/json/erased-mark.ts';
import { toStorable } from '../src/text/storable.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { cancellationSignal } from './activity-heartbeat.ts';
import { isOversizedSlot } from './check-results-page.ts';

export interface SlotRange {
  readonly orderId: string;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

interface ComparedSlots {
  readonly differences: SlotFinding[];
  /** Slots with replaced characters, and slots that were erased in part: they are compared by their digest, and count as reconciled. */
  readonly replaced: SlotFinding[];
}

export async function compareSlots(
  { prospecting, ledger }: ActivityDependencies,
  { orderId, from, to }: SlotRange,
): Promise<ComparedSlots> {
  const differences: SlotFinding[] = [];
  const replaced: SlotFinding[] = [];
  let offset = from;
  while (offset < to) {
    const page = await prospecting.results.page(orderId, offset, { signal: cancellationSignal() });
    if (page.slots.length === 0) break;
    const end = Math.min(offset + page.slots.length, to);
    const rows = await ledger.slots.read(orderId, { from: offset, to: end });
    const stored = new Map(rows.map((row) => [row.position, row]));
    for (const [index, slot] of page.slots.slice(0, end - offset).entries()) {
      const position = offset + index;
      const row = stored.get(position);
      if (row === undefined) differences.push({ code: 'slot_not_in_ledger', position });
      else if (!(await isStoredSlot(row, slot))) differences.push({ code: 'slot_differs', position });
      else if (hasErasure(toPublishedSlot(row))) replaced.push({ code: 'slot_erased', position });
      if ((page.replaced[index] ?? 0) > 0) replaced.push({ code: 'characters_replaced', position });
      // Large slots would block the event loop.
      await setImmediate();
    }
    offset = end;
  }
  for (; offset < to; offset += 1) differences.push({ code: 'slot_no_longer_published', position: offset });
  return { differences, replaced };
}

/**
 * True when the row is unchanged since it was stored and has the content of the slot. Digests alone would differ for a new wording,
 * and for characters that earlier releases did not replace.
 */
async function isStoredSlot(row: StoredSlot, slot: Readonly<Record<string, unknown>>): Promise<boolean> {
  const json = JSON.stringify(slot);
  // Each pass over a large slot takes long: other work runs between them.
  await yieldIfLarge(json.length);
  // Collecting refuses slots of this size, so that the ledger holds none.
  if (isOversizedSlot(json)) return false;
  await yieldIfLarge(json.length);
  const stored = toPublishedSlot(row);
  if (hasErasure(stored)) return digest(slot) === row.hash;
  if (digest(stored) !== row.hash) return false;
  await yieldIfLarge(json.length);
  return digest(slot) === row.hash || isSameContent(toStorable(stored)?.value, slot);
}
