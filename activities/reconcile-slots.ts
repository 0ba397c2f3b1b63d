/** Reads the published slots of an order again, and compares them with the ledger, the submitted rows and the rules of the specification. */
import { setImmediate } from 'node:timers/promises';
import { discoveryRule, isDuplicateOfResolved, slotRules, type Slot } from '../src/contract/index.ts';
import { yieldIfLarge } from '../src/http/http-answer.ts';
import { slotDigest } from '../src/json/slot-digest.ts';
import { digest } from '../src/json/canonical-json.ts';
import type { SlotDigests } from '../src/ledger/slot-digest-store.ts';
import { isPartlyErased, toPublishedSlot, toStorableSlot, type StoredSlot } from '../src/ledger/stored-slot.ts';
import { compareReadings } from '../src/reconcile/slot-comparison.ts';
import type { SlotFinding } from '../src/reconcile/slot-findings.ts';
import { findRowMismatch } from '../src/mapping/row-mismatch.ts';
import { createSlotReader } from '../src/response-shape/read-slot.ts';
import { defaultShape } from '../src/response-shape/shape.ts';
import { boundWord, boundWords } from '../src/text/bound-text.ts';
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
  /**
   * About pages, about slots whose characters were replaced to be stored, and about slots that were erased in part: the slots count as
   * reconciled.
   */
  readonly remarks: SlotFinding[];
}

export async function compareSlots(
  { prospecting, ledger }: ActivityDependencies,
  { orderId, from, to }: SlotRange,
): Promise<ComparedSlots> {
  const order = await ledger.orders.get(orderId);
  const total = order?.total ?? to;
  const shape = (await ledger.shapes.ofOrder(orderId))?.shape ?? defaultShape;
  const peoplePath = shape.company.prospects?.path ?? null;
  const readSlot = createSlotReader(shape);
  const rules = order?.kind === 'discovery' ? [...slotRules, discoveryRule] : slotRules;
  const collectedDigest = await createCollectedDigests(ledger, { orderId, from, to });
  const digests: SlotDigests[] = [];
  const differences: SlotFinding[] = [];
  const remarks: SlotFinding[] = [];
  const duplicates: { readonly position: number; readonly original: number }[] = [];
  let offset = from;
  while (offset < to) {
    const page = await prospecting.results.page(orderId, offset, { signal: cancellationSignal() });
    if (page.total !== null && page.total !== total) remarks.push({ code: 'results_total_differs', position: offset });
    if (page.slots.length === 0) break;
    const pageEnd = offset + page.slots.length;
    if (page.hasMore !== null && page.hasMore !== pageEnd < total)
      remarks.push({ code: 'results_end_differs', position: offset });
    const end = Math.min(pageEnd, to);
    const range = { from: offset, to: end };
    const stored = new Map((await ledger.slots.read(orderId, range)).map((row) => [row.position, row]));
    const submitted = await ledger.drafts.submittedRows(orderId, range);
    for (const [index, published] of page.slots.slice(0, end - offset).entries()) {
      const position = offset + index;
      const row = stored.get(position);
      const add = (code: string | null) => code !== null && differences.push({ code, position });
      if (row === undefined) {
        add('slot_not_in_ledger');
        digests.push({ ...collectedDigest(position, row), rereadDigest: slotDigest(published) });
      } else {
        const { slot, isErased = false, finding } = await compareSlot(row, published, { readSlot, peoplePath });
        add(finding);
        await yieldIfLarge(row.json.length);
        const collected = collectedDigest(position, row);
        // New fields of a later release are no difference, so that both readings have the digest of the first one.
        digests.push({ ...collected, rereadDigest: finding === null ? collected.digest : slotDigest(published) });
        if (isErased) remarks.push({ code: 'slot_erased', position });
        for (const { code, holds } of isErased ? [] : rules) if (!holds(slot)) add(code);
        const submittedRow = isErased ? undefined : submitted.get(position);
        if (submittedRow !== undefined) add(findRowMismatch(slot, submittedRow));
        const original = slot.status === 'DUPLICATE' ? slot.duplicate_of_input_position : null;
        if (typeof original === 'number' && original < position) duplicates.push({ position, original });
      }
      if ((page.replaced[index] ?? 0) > 0) remarks.push({ code: 'characters_replaced', position });
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
  const originals = duplicates.map(({ original }) => original);
  const statuses = await ledger.slots.statuses(orderId, originals);
  for (const { position, original } of duplicates) {
    if (!isDuplicateOfResolved(statuses.get(original) ?? null))
      differences.push({ code: 'duplicate_reference_wrong', position });
  }
  return { differences, remarks };
}

interface SlotReading {
  readonly readSlot: (raw: unknown) => Slot;
  readonly peoplePath: string | null;
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
 * Compares the stored slot with its digest, and with the slot as it is published now. Digests alone would differ for a new wording, and for
 * characters that earlier releases did not replace.
 */
async function compareSlot(
  row: StoredSlot,
  published: Readonly<Record<string, unknown>>,
  { readSlot, peoplePath }: SlotReading,
): Promise<{ readonly slot: Slot; readonly isErased?: boolean; readonly finding: string | null }> {
  const json = JSON.stringify(published);
  // Each pass over a large slot takes long: other work runs between them.
  await yieldIfLarge(json.length);
  const stored = toPublishedSlot(row);
  const slot = readSlot(stored);
  // Collecting refuses slots of this size, so that the ledger holds none.
  if (isOversizedSlot(json)) return { slot, finding: 'slot_differs' };
  if (isPartlyErased(row))
    return { slot, isErased: true, finding: digest(published) === row.hash ? null : 'slot_differs' };
  await yieldIfLarge(json.length);
  if (digest(stored) !== row.hash || !hasOwnColumns(row, slot)) return { slot, finding: 'ledger_slot_changed' };
  await yieldIfLarge(json.length);
  // The same text has the same digest, which need not be computed again.
  if (json === row.json || digest(published) === row.hash) return { slot, finding: null };
  const comparison = compareReadings(toStorable(stored)?.value, published, peoplePath);
  const findings = { same: null, withdrawn: 'prospects_withdrawn', changed: 'slot_differs' } as const;
  return { slot, finding: findings[comparison] };
}

/** The columns that sums are counted from repeat values of the slot. */
function hasOwnColumns(row: StoredSlot, { status, reason_codes: codes, external_id: externalId }: Slot): boolean {
  return (
    row.status === boundWord(status) &&
    row.externalId === (externalId ?? null) &&
    row.reasonCodes.join() === boundWords(codes).join()
  );
}
