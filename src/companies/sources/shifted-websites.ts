import { joinRows, noRows, withRow, type NamedRows } from '../../base/text/named-rows.ts';
import { isNameInHost, toHostParts, type NameAndHost } from './name-in-host.ts';

/** By so many the rows of a stretch that fit another row must outnumber those that do not: fewer fit by chance. */
const leastLead = 3;

interface PlacedRow {
  readonly number: number;
  readonly words: readonly string[];
  readonly parts: readonly string[];
  readonly fitsItself: boolean;
}

/**
 * Finds stretches of rows whose website has the name of the row above, or of the row below, and not their own: one of the two columns was
 * moved alone. Rows without an own website end no stretch.
 */
export function createShiftedWebsites() {
  const [fromAbove, fromBelow] = [createStretches(), createStretches()];
  let above: PlacedRow | null = null;
  return {
    add({ nameWords: words, host }: NameAndHost, number: number): void {
      const parts = host === null ? [] : toHostParts(host);
      const row = { number, words, parts, fitsItself: isNameInHost(words, parts) };
      if (above !== null) {
        const areOdd = !above.fitsItself && !row.fitsItself;
        if (parts.length > 0) fromAbove.add(areOdd && isNameInHost(above.words, parts), number);
        if (above.parts.length > 0) fromBelow.add(areOdd && isNameInHost(words, above.parts), above.number);
      }
      above = row;
    },
    rows(): NamedRows {
      return joinRows([fromAbove.rows(), fromBelow.rows()]);
    },
  };
}

/** Counts the shifted rows of all stretches in which they are the majority. */
function createStretches() {
  let total = noRows;
  let stretch = noRows;
  let lead = 0;
  let isLong = false;
  const end = () => {
    if (isLong) total = joinRows([total, stretch]);
    [stretch, lead, isLong] = [noRows, 0, false];
  };
  return {
    add(isShifted: boolean, number: number): void {
      lead += isShifted ? 1 : -1;
      if (isShifted) stretch = withRow(stretch, number);
      isLong ||= lead >= leastLead;
      if (lead <= 0) end();
    },
    rows(): NamedRows {
      return isLong ? joinRows([total, stretch]) : total;
    },
  };
}
