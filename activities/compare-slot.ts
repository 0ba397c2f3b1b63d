/** Compares both readings of one slot: as the ledger stores it, and as the service publishes it now. */
import type { Slot } from '../src/contract/index.ts';
import { yieldIfLarge } from '../src/http/http-answer.ts';
import { digest } from '../src/json/canonical-json.ts';
import { erasedKey } from '../src/json/erased-mark.ts';
import { slotDigest } from '../src/json/slot-digest.ts';
import { isPartlyErased, toPublishedSlot, type StoredSlot } from '../src/ledger/stored-slot.ts';
import { compareReadings, withFieldsOf } from '../src/reconcile/slot-comparison.ts';
import { boundWord, boundWords } from '../src/text/bound-text.ts';
import { isOversizedSlot } from './check-results-page.ts';

type PublishedSlot = Readonly<Record<string, unknown>>;

interface BothReadings {
  readonly row: StoredSlot;
  /** Of the row, as an earlier reconciliation or an erasure has stored it; null: none has. */
  readonly keptDigest: string | null;
  readonly published: PublishedSlot;
}

interface SlotReading {
  readonly readSlot: (raw: unknown) => Slot;
  readonly peoplePath: string | null;
}

interface ComparedSlot {
  /** As the ledger has it. */
  readonly slot: Slot;
  /** In part or as a whole. */
  readonly isErased: boolean;
  readonly finding: 'ledger_slot_changed' | 'slot_differs' | 'prospects_withdrawn' | null;
  /** Without wordings: of the ledger's slot, and of the published one. Neither is a copy of the other. */
  readonly digest: string;
  readonly rereadDigest: string;
}

/**
 * The row must have its hash, its columns and its kept digest, and the published slot must have the values of the row. Hashes alone would
 * differ for a new wording.
 */
export async function compareSlot(readings: BothReadings, reading: SlotReading): Promise<ComparedSlot> {
  const { row, published } = readings;
  const json = JSON.stringify(published);
  if (json === row.json && !json.includes(erasedKey)) return compareEqualTexts(readings, reading);
  // Each pass over a large slot takes long: other work runs between them.
  await yieldIfLarge(json.length);
  const rereadDigest = slotDigest(published);
  await yieldIfLarge(json.length);
  // Collecting refuses slots of this size, so that the ledger holds none.
  const isOversized = isOversizedSlot(json);
  await yieldIfLarge(json.length);
  return isPartlyErased(row)
    ? compareErased(readings, { isOversized, rereadDigest }, reading)
    : compareDifferentTexts(readings, { isOversized, rereadDigest }, reading);
}

interface PublishedFacts {
  readonly isOversized: boolean;
  readonly rereadDigest: string;
}

/** One text has one content: what is checked and digested of the published slot is that of the row too. */
async function compareEqualTexts(
  { row, keptDigest, published }: BothReadings,
  { readSlot }: SlotReading,
): Promise<ComparedSlot> {
  await yieldIfLarge(row.json.length);
  const slot = readSlot(published);
  const rereadDigest = slotDigest(published);
  await yieldIfLarge(row.json.length);
  const isUnchanged =
    digest(published) === row.hash && hasOwnColumns(row, slot) && (keptDigest ?? rereadDigest) === rereadDigest;
  return {
    slot,
    isErased: false,
    finding: isUnchanged ? null : 'ledger_slot_changed',
    digest: keptDigest ?? rereadDigest,
    rereadDigest,
  };
}

/** Of the collected slot only the hash and the kept digest are left, which the published slot must have. */
function compareErased(
  { row, keptDigest, published }: BothReadings,
  { isOversized, rereadDigest }: PublishedFacts,
  { readSlot }: SlotReading,
): ComparedSlot {
  const slot = readSlot(toPublishedSlot(row));
  if (isOversized || digest(published) !== row.hash)
    return {
      slot,
      isErased: true,
      finding: 'slot_differs',
      digest: keptDigest ?? slotDigest(slot['raw']),
      rereadDigest,
    };
  const finding = keptDigest === rereadDigest ? null : 'ledger_slot_changed';
  return { slot, isErased: true, finding, digest: keptDigest ?? rereadDigest, rereadDigest };
}

async function compareDifferentTexts(
  { row, keptDigest, published }: BothReadings,
  { isOversized, rereadDigest }: PublishedFacts,
  { readSlot, peoplePath }: SlotReading,
): Promise<ComparedSlot> {
  const stored = toPublishedSlot(row);
  const slot = readSlot(stored);
  await yieldIfLarge(row.json.length);
  const collectedDigest = slotDigest(stored);
  const compared = { slot, isErased: false, digest: keptDigest ?? collectedDigest, rereadDigest };
  if (isOversized) return { ...compared, finding: 'slot_differs' };
  await yieldIfLarge(row.json.length);
  const isUnchanged =
    digest(stored) === row.hash && hasOwnColumns(row, slot) && (keptDigest ?? collectedDigest) === collectedDigest;
  if (!isUnchanged) return { ...compared, finding: 'ledger_slot_changed' };
  await yieldIfLarge(row.json.length);
  const comparison = compareReadings(stored, published, peoplePath);
  if (comparison !== 'same')
    return { ...compared, finding: comparison === 'withdrawn' ? 'prospects_withdrawn' : 'slot_differs' };
  // New fields of a later release are no difference: the digest is that of the published values of the collected fields.
  return { ...compared, finding: null, rereadDigest: slotDigest(withFieldsOf(stored, published)) };
}

/** The columns that sums are counted from repeat values of the slot. */
function hasOwnColumns(row: StoredSlot, { status, reason_codes: codes, external_id: externalId }: Slot): boolean {
  return (
    row.status === boundWord(status) &&
    row.externalId === (externalId ?? null) &&
    row.reasonCodes.join() === boundWords(codes).join()
  );
}
