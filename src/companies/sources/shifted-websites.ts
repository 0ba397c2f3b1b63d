import { joinRows, noRows, toNamedRows, withRow, type NamedRows } from '../../base/text/named-rows.ts';
import { isMost } from './crowded-values.ts';
import { isNameInHost, significantLength, toHostParts, type NameAndHost } from './name-in-host.ts';

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
 * moved alone. Rows without an own website end no stretch. Where most rows have the website of some other row, it was sorted alone.
 */
export function createShiftedWebsites() {
  const [fromAbove, fromBelow] = [createStretches(), createStretches()];
  const sorted = createSortedRows();
  let above: PlacedRow | null = null;
  return {
    add({ nameWords: words, host }: NameAndHost, number: number): void {
      const parts = host === null ? [] : toHostParts(host);
      const row = { number, words, parts, fitsItself: isNameInHost(words, parts) };
      sorted.add(row);
      if (above !== null) {
        const areOdd = !above.fitsItself && !row.fitsItself;
        if (parts.length > 0) fromAbove.add(areOdd && isNameInHost(above.words, parts), number);
        if (above.parts.length > 0) fromBelow.add(areOdd && isNameInHost(words, above.parts), above.number);
      }
      above = row;
    },
    rows(): NamedRows {
      const stretches = joinRows([fromAbove.rows(), fromBelow.rows()]);
      return stretches.rows === 0 ? sorted.rows() : stretches;
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

/** Fewer may be renamed companies. */
const fewestSorted = 5;

/** Names and hosts are compared by their beginnings, so that the time does not grow with the square of the rows. */
function createSortedRows() {
  const names = new Set<string>();
  const odd: { readonly number: number; readonly hostNames: readonly string[] }[] = [];
  let withHost = 0;
  return {
    add({ number, words, parts, fitsItself }: PlacedRow): void {
      for (const name of [words[0] ?? '', words.join('')]) if (name.length >= significantLength) names.add(name);
      if (parts.length === 0) return;
      withHost += 1;
      if (!fitsItself) odd.push({ number, hostNames: [parts[0] ?? '', parts.join('')] });
    },
    rows(): NamedRows {
      const found = odd.filter(({ hostNames }) => hostNames.some((name) => names.has(name)));
      // Many rows with one website were not sorted.
      const hosts = new Set(found.map(({ hostNames }) => hostNames.join(' ')));
      return hosts.size >= fewestSorted && isMost(found.length, withHost)
        ? toNamedRows(found.map(({ number }) => number))
        : noRows;
    },
  };
}
