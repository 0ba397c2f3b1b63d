/** Chooses which slots of an order are read back when not all are. */
import { createHash } from 'node:crypto';

export interface SlotSample {
  readonly has: (position: number) => boolean;
  /** null: all slots. */
  readonly size: number | null;
}

/** Always the same slots of an order, evenly over it: exactly `size` of them, or all. */
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
