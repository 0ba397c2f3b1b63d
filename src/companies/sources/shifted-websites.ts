import { joinRows, noRows, toNamedRows, withRow, type NamedRows } from '../../base/text/named-rows.ts';
import { isMost } from './crowded-values.ts';
import { isNameInHost, significantLength, toHostParts, type NameAndHost } from './name-in-host.ts';

/** By so many the rows of a stretch that fit another row must outnumber those that do not: fewer fit by chance. */
const leastLead = 3;

interface PlacedRow {
  readonly number: number;
  readonly words: readonly string[];
  readonly parts: readonly string[];
}

/** So many names have a word that says nothing about one of them: `Technik` */
const fewestSharing = 3;
/** Rows that are read before a row is compared, to know the words that names share. */
const rowsAhead = 200;
/** After so many rows, words that fewer names share are forgotten: memory does not grow with the file. */
const rowsCounted = 10_000;

function createSharedWords() {
  const counts = new Map<string, number>();
  let rows = 0;
  return {
    add(words: readonly string[]): void {
      for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
      rows += 1;
      if (rows % rowsCounted !== 0) return;
      for (const [word, count] of counts) if (count < fewestSharing) counts.delete(word);
    },
    has: (word: string): boolean => (counts.get(word) ?? 0) >= fewestSharing,
  };
}

/**
 * Finds stretches of rows whose website has the name of the row above, or of the row below, and not their own: one of the two columns was
 * moved alone. Words that several names share are no agreement. Rows without an own website end no stretch. Where most rows have the website of some other row, it was sorted alone.
 */
export function createShiftedWebsites() {
  const [fromAbove, fromBelow] = [createStretches(), createStretches()];
  const shared = createSharedWords();
  const isIgnored = (word: string) => shared.has(word);
  const fits = ({ words }: PlacedRow, { parts }: PlacedRow) => isNameInHost(words, parts, isIgnored);
  const sorted = createSortedRows(isIgnored);
  const waiting: PlacedRow[] = [];
  let above: { readonly row: PlacedRow; readonly isOdd: boolean } | null = null;
  const compare = (row: PlacedRow) => {
    const isOdd = !fits(row, row);
    sorted.add(row, isOdd);
    if (above !== null) {
      const areOdd = above.isOdd && isOdd;
      if (row.parts.length > 0) fromAbove.add(areOdd && fits(above.row, row), row.number);
      if (above.row.parts.length > 0) fromBelow.add(areOdd && fits(row, above.row), above.row.number);
    }
    above = { row, isOdd };
  };
  return {
    add({ nameWords: words, host }: NameAndHost, number: number): void {
      shared.add(words);
      waiting.push({ number, words, parts: host === null ? [] : toHostParts(host) });
      if (waiting.length >= 2 * rowsAhead) waiting.splice(0, rowsAhead).forEach(compare);
    },
    rows(): NamedRows {
      waiting.splice(0).forEach(compare);
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
function createSortedRows(isIgnored: (word: string) => boolean) {
  const names = new Set<string>();
  const odd: { readonly number: number; readonly hostNames: readonly string[] }[] = [];
  let withHost = 0;
  return {
    add({ number, words, parts }: PlacedRow, isOdd: boolean): void {
      for (const name of [words.find((word) => !isIgnored(word)) ?? '', words.join('')])
        if (name.length >= significantLength) names.add(name);
      if (parts.length === 0) return;
      withHost += 1;
      if (isOdd) odd.push({ number, hostNames: [parts[0] ?? '', parts.join('')] });
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
