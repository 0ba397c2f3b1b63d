/** With this size 100,000 slots cost about 125 history events, and a lost worker loses at most one range. */
const slotsPerActivity = 5_000;

export interface SlotRangeLabelled {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** For the Temporal UI, counted from 1: `5,001 to 10,000 of 25,000`. */
  readonly label: string;
}

export function toRanges(total: number): SlotRangeLabelled[] {
  return Array.from({ length: Math.ceil(total / slotsPerActivity) }, (_, index) => {
    const from = index * slotsPerActivity;
    const to = Math.min(from + slotsPerActivity, total);
    return { from, to, label: `${formatCount(from + 1)} to ${formatCount(to)} of ${formatCount(total)}` };
  });
}

function formatCount(count: number): string {
  return count.toLocaleString('en');
}
