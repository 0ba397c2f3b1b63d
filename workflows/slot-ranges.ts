/** One activity moves so many slots: 100,000 slots cost about 125 events, and a lost worker at most this much work. */
const slotsPerActivity = 5_000;

export interface SlotRangeLabelled {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** As a person counts, for the Temporal UI: `5,001 to 10,000 of 25,000`. */
  readonly label: string;
}

export function toRanges(total: number): SlotRangeLabelled[] {
  return Array.from({ length: Math.ceil(total / slotsPerActivity) }, (_, index) => {
    const from = index * slotsPerActivity;
    const to = Math.min(from + slotsPerActivity, total);
    return { from, to, label: `${shown(from + 1)} to ${shown(to)} of ${shown(total)}` };
  });
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
