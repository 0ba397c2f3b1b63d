/** Reads the published slots of an order again and compares them with the ledger. */
import { setImmediate } from 'node:timers/promises';
import { yieldIfLarge } from '../src/http/http-answer.ts';
import { slotDigest } from '../src/certificate/slot-digest.ts';
import { digest } from '../src/json/canonical-json.ts';
import type { SlotDigests } from '../src/ledger/slot-digest-store.ts';
import { toPublishedSlot, toStorableSlot, type StoredSlot } from '../src/ledger/slots.ts';
import { isSameContent, type SlotFinding } from '../src/reconcile/slot-findings.ts';
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
  /** Slots whose characters were replaced to be stored; they count as reconciled. */
  readonly replaced: SlotFinding[];
}

export async function compareSlots(
  { prospecting, ledger }: ActivityDependencies,
  { orderId, from, to }: SlotRange,
): Promise<ComparedSlots> {
  const collectedDigest = await createCollectedDigests(ledger, { orderId, from, to });
  const digests: SlotDigests[] = [];
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
      if ((page.replaced[index] ?? 0) > 0) replaced.push({ code: 'characters_replaced', position });
      await yieldIfLarge(row?.json.length ?? 0);
      digests.push({ ...collectedDigest(position, row), rereadDigest: slotDigest(slot) });
      // Large slots would block the event loop.
      await setImmediate();
    }
    offset = end;
  }
  // The service no longer publishes the rest.
  const rest = new Map((await ledger.slots.read(orderId, { from: offset, to })).map((row) => [row.position, row]));
  for (; offset < to; offset += 1) {
    differences.push({ code: 'slot_no_longer_published', position: offset });
    digests.push({ ...collectedDigest(offset, rest.get(offset)), rereadDigest: null });
  }
  await ledger.slotDigests.save(orderId, digests);
  return { differences, replaced };
}

/** Finds the digest of a collected slot: the one that an earlier reconciliation has stored, otherwise that of the row. */
async function createCollectedDigests(ledger: ActivityDependencies['ledger'], { orderId, from, to }: SlotRange) {
  const stored = await ledger.slotDigests.read(orderId, { from, to });
  const digests = new Map(stored.map((row) => [row.position, row.digest]));
  return (position: number, row: StoredSlot | undefined): Pick<SlotDigests, 'position' | 'digest'> => {
    const computed = () => (row === undefined ? null : slotDigest(toStorableSlot(row)));
    return { position, digest: digests.get(position) ?? computed() };
  };
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
  if (digest(stored) !== row.hash) return false;
  await yieldIfLarge(json.length);
  return digest(slot) === row.hash || isSameContent(toStorable(stored)?.value, slot);
}
