/** Chooses the sample of slots whose records are read back. */
import { createHash } from 'node:crypto';

export interface SlotSample {
  readonly has: (position: number) => boolean;
  /** null: all slots. */
  readonly size: number | null;
}

/** Chooses exactly `size` slots, or all: evenly spread, and the same ones every time. */
export function createSample(orderId: string, total: number, size: number | null): SlotSample {
  if (size === null || size >= total) return { has: () => true, size: null };
  const offset = createHash('sha256').update(orderId).digest().readUInt32BE() % total;
  const chosenBefore = (place: number) => Math.floor((place * size) / total);
  return {
    has(position) {
      const place = (position + offset) % total;
      return chosenBefore(place + 1) > chosenBefore(place);
    },
    size,
  };
}
