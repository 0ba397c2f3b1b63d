import type { ResultSummary, Slot } from '../../src/contract/index.ts';

/** The immutable result of an order. Slots are computed, so a million of them are not stored. */
export interface PublishedSet {
  readonly total: number;
  readonly summary: ResultSummary;
  /** The slot at a place, 0 to total - 1; the same content every time. */
  slotAt(place: number): Slot;
}
