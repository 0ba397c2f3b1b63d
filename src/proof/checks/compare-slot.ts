/** Compares both readings of one slot: as the ledger stores it, and as the service publishes it now. */
import type { Slot } from '../../service/contract/index.ts';
import { yieldIfLarge } from '../../base/http/http-answer.ts';
import { digest } from '../../base/json/canonical-json.ts';
import { erasedKey } from '../../base/json/erased-mark.ts';
import { slotDigest } from '../../base/json/slot-digest.ts';
import { isPartlyErased, toPublishedSlot, type StoredSlot } from '../../ledger/stored-slot.ts';
import { compareReadings, withFieldsOf } from './slot-comparison.ts';
import { boundWord, boundWords } from '../../base/text/bound-text.ts';
import { isOversizedSlot } from './check-results-page.ts';

type PublishedSlot = Readonly<Record<string, unknown>>;

interface BothReadings {
  readonly row: StoredSlot;
  /** Digest saved by an earlier reconciliation or erasure; null if none. */
  readonly keptDigest: string | null;
  readonly published: PublishedSlot;
}

interface SlotReading {
  readonly readSlot: (raw: unknown) => Slot;
  readonly peoplePath: string | null;
}

interface ComparedSlot {
  /** The slot as stored in the ledger. */
  readonly slot: Slot;
  /** True if a part of the slot, or all of it, was erased. */
  readonly isErased: boolean;
  readonly finding: 'ledger_slot_changed' | 'slot_differs' | 'prospects_withdrawn' | null;
  /** Digest of the stored slot, without `message` and `label`. Computed independently of `rereadDigest`. */
  readonly digest: string;
  /** Digest of the published slot, without `message` and `label`. */
  readonly rereadDigest: string;
}

/**
 * Checks that the row agrees with its hash, its columns and its saved digest, and that the published slot has the values of the row.
 * Comparing hashes would report every changed wording.
 */
export async function compareSlot(readings: BothReadings, reading: SlotReading): Promise<ComparedSlot> {
  const { row, published } = readings;
  const json = JSON.stringify(published);
  if (json === row.json && !json.includes(erasedKey)) return compareEqualTexts(readings, reading);
  // Each pass over a large slot takes long: other work runs between them.
  await yieldIfLarge(json.length);
  const rereadDigest = slotDigest(published);
  await yieldIfLarge(json.length);
  // collectResults rejects slots of this size, so the ledger cannot contain one.
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

/** Both JSON texts are identical, so one check covers both. */
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

/** Only hash and digest of an erased slot are stored: the published slot must have both. */
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
  // New fields of a later release are no difference, so the digest covers only the collected fields.
  return { ...compared, finding: null, rereadDigest: slotDigest(withFieldsOf(stored, published)) };
}

/** The sums are counted from columns that must repeat the values of the slot. */
function hasOwnColumns(row: StoredSlot, { status, reason_codes: codes, external_id: externalId }: Slot): boolean {
  return (
    row.status === boundWord(status) &&
    row.externalId === (externalId ?? null) &&
    row.reasonCodes.join() === boundWords(codes).join()
  );
}
