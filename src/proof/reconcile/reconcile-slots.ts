/** Reads the published slots again, and compares them with the ledger, the submitted rows and the rules of the specification. */
import { setImmediate } from 'node:timers/promises';
import {
  discoveryRule,
  isDuplicateOfResolved,
  slotRules,
  type Company,
  type Slot,
} from '../../service/contract/index.ts';
import { slotDigest } from '../../base/json/slot-digest.ts';
import type { SlotDigests } from '../../ledger/slot-digest-store.ts';
import type { ParsedSlot } from '../../ledger/slots.ts';
import { isPartlyErased, toPublishedSlot } from '../../ledger/stored-slot.ts';
import type { SlotRange, StoredSlot } from '../../ledger/stored-slot.ts';
import type { FindingDetail, SlotFinding } from '../checks/slot-findings.ts';
import { dayMs } from '../../base/day-milliseconds.ts';
import type { Submission } from '../../ledger/order-request-store.ts';
import { findRowMismatch, isSameAs } from '../../service/contract/row-mismatch.ts';
import { createSlotReader } from '../../service/reading/read-slot.ts';
import { defaultShape } from '../../service/reading/shape.ts';
import { toDamage } from '../../ledger/stored-value.ts';
import type { ProofContext } from './proof-context.ts';
import { compareSlot } from '../checks/compare-slot.ts';
import { differingFields, isSameContent } from '../checks/slot-comparison.ts';

interface ComparedSlots {
  /** The slots of the ledger, by position. */
  readonly slots: readonly ParsedSlot[];
  readonly differences: readonly SlotFinding[];
  /** About pages, and about slots whose characters were replaced to be stored: the slots count as reconciled. */
  readonly remarks: readonly SlotFinding[];
  /** Slots with erased data, compared by the digest of the published slot. No finding, because no action is needed. */
  readonly erased: number;
}

/** Other work runs after so many characters of slots, which take some milliseconds. */
const charactersBetweenPauses = 100_000;

export async function compareSlots(
  { prospecting, ledger, signal }: ProofContext,
  { orderId, from, to }: SlotRange,
): Promise<ComparedSlots> {
  const order = await ledger.orders.get(orderId);
  const total = order?.total ?? to;
  const summary: unknown = JSON.parse(order?.summaryJson ?? 'null');
  const submission = await ledger.orderRequests.submission(orderId);
  const shape = (await ledger.shapes.ofOrder(orderId))?.shape ?? defaultShape;
  const reading = { readSlot: createSlotReader(shape), peoplePath: shape.company.prospects?.path ?? null };
  const rules = order?.kind === 'discovery' ? [...slotRules, discoveryRule] : slotRules;
  const keptDigests = await ledger.slotDigests.read(orderId, { from, to });
  const kept = new Map(keptDigests.map(({ position, digest }) => [position, digest]));
  const slots: ParsedSlot[] = [];
  const digests: SlotDigests[] = [];
  const differences: SlotFinding[] = [];
  const remarks: SlotFinding[] = [];
  const duplicates: Duplicate[] = [];
  let offset = from;
  let characters = 0;
  let erased = 0;
  while (offset < to) {
    const page = await prospecting.results.page(orderId, offset, { signal });
    if (page.total !== null && page.total !== total) remarks.push({ code: 'results_total_differs', position: offset });
    if (page.summary !== null && !isSameContent(summary, page.summary))
      remarks.push({ code: 'page_summary_differs', position: offset });
    if (page.slots.length === 0) break;
    const pageEnd = offset + page.slots.length;
    if (pageEnd > total) remarks.push({ code: 'slots_beyond_total', position: total });
    if (page.hasMore !== null && page.hasMore !== pageEnd < total)
      remarks.push({ code: 'results_end_differs', position: offset });
    const end = Math.min(pageEnd, to);
    const range = { from: offset, to: end };
    const stored = new Map((await ledger.slots.read(orderId, range)).map((row) => [row.position, row]));
    const submitted = await ledger.drafts.submittedRows(orderId, range);
    for (const [index, published] of page.slots.slice(0, end - offset).entries()) {
      const position = offset + index;
      const row = stored.get(position);
      const keptDigest = kept.get(position) ?? null;
      const add = (code: string | null) => code !== null && differences.push({ code, position });
      if (row === undefined) {
        add('slot_not_in_ledger');
        digests.push({ position, digest: keptDigest, rereadDigest: slotDigest(published) });
      } else {
        const { slot, isErased, finding, digest, rereadDigest } = await compareSlot(
          { row, keptDigest, published },
          reading,
        ).catch((error: unknown) => {
          throw toDamage(`the slot at position ${position}`, error);
        });
        slots.push({ position, slot });
        digests.push({ position, digest, rereadDigest });
        if (finding !== null) differences.push({ code: finding, position, details: listFields(row, published) });
        if (isErased) erased += 1;
        for (const { code, holds } of isErased ? [] : rules) if (!holds(slot)) add(code);
        const submittedRow = isErased ? undefined : submitted.get(position);
        if (submittedRow !== undefined) add(findRowMismatch(slot, submittedRow));
        const original = slot.status === 'DUPLICATE' ? slot.duplicate_of_input_position : null;
        if (typeof original === 'number' && original < position)
          duplicates.push({ position, original, company: slot.company });
        if (isDeliveredBefore(slot, submission)) add('delivered_before_order');
      }
      if ((page.replaced[index] ?? 0) > 0) remarks.push({ code: 'characters_replaced', position });
      characters += row?.json.length ?? 0;
      if (characters < charactersBetweenPauses) continue;
      characters = 0;
      await setImmediate();
    }
    offset = end;
  }
  // The service no longer publishes the rest.
  const rest = new Map((await ledger.slots.read(orderId, { from: offset, to })).map((row) => [row.position, row]));
  for (; offset < to; offset += 1) {
    const row = rest.get(offset);
    differences.push({ code: 'slot_no_longer_published', position: offset });
    const stored = row === undefined ? undefined : toPublishedSlot(row);
    if (stored !== undefined) slots.push({ position: offset, slot: reading.readSlot(stored) });
    const digest = kept.get(offset) ?? (stored === undefined ? null : slotDigest(stored));
    digests.push({ position: offset, digest, rereadDigest: null });
  }
  await ledger.slotDigests.save(orderId, digests);
  const originals = await ledger.slots.readAt(
    orderId,
    duplicates.map(({ original }) => original),
  );
  const found = new Map(originals.map((row) => [row.position, reading.readSlot(toPublishedSlot(row))]));
  for (const duplicate of duplicates)
    if (!repeats(duplicate, found.get(duplicate.original)))
      differences.push({ code: 'duplicate_reference_wrong', position: duplicate.position });
  return { slots, differences, remarks, erased };
}

/** A slot that repeats the company of an earlier one. */
interface Duplicate {
  readonly position: number;
  readonly original: number;
  readonly company: Company | null;
}

/** `original`: the slot that the duplicate names; undefined: there is none. */
function repeats({ company }: Duplicate, original: Slot | undefined): boolean {
  if (!isDuplicateOfResolved(original?.status ?? null)) return false;
  return company === null || !original?.company || isSameAs(company, original.company);
}

/** Between the clocks of the service and of this machine. */
const clockToleranceMs = dayMs;

/** Such a time would make the order an old one, whose records newer orders have written. */
function isDeliveredBefore({ delivered_at: deliveredAt }: Slot, submission: Submission | null): boolean {
  return submission !== null && Date.parse(deliveredAt) < Date.parse(submission.at) - clockToleranceMs;
}

/** The values of an erased slot are not shown. */
function listFields(row: StoredSlot, published: unknown): FindingDetail[] {
  return isPartlyErased(row) ? [] : differingFields(toPublishedSlot(row), published);
}
