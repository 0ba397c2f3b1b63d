/**
 * Words of others: statuses, reason codes, features and names of fields that this version may not know. They enter
 * Temporal, the tallies and the terminal, so that their length and their number have a limit.
 */

/** In UTF-16 units. */
const longestWord = 60;
/** Of the words of one tally that are not known. */
export const mostWords = 100;
/** Holds the counts of all further words. */
export const otherWords = 'others';
/** The longest id of others: a longer one does not fit into an index of PostgreSQL, and no part of it is an id. */
export const longestId = 255;

/**
 * A word of at most 60 characters. What was cut ends in `…`: it never equals a word that was sent whole, and two long
 * words with the same beginning are counted as one.
 */
export function boundWord(word: string): string {
  return word.length <= longestWord ? word : `${word.slice(0, longestWord - 1).toWellFormed()}…`;
}

/** The first 100 words, each once. */
export function boundWords(words: readonly string[]): string[] {
  return [...new Set(words.map(boundWord))].slice(0, mostWords);
}

/** Counts by word: known words always, of others the 100 most frequent; what remains is summed as `others`. */
export function boundTally(
  counts: readonly (readonly [word: string, count: number])[],
  known: readonly string[],
): Record<string, number> {
  const kept = new Set(
    counts
      .filter(([word]) => !known.includes(word))
      .toSorted(([a, most], [b, less]) => less - most || (a < b ? -1 : 1))
      .slice(0, mostWords)
      .map(([word]) => word),
  );
  const tally = new Map<string, number>();
  for (const [word, count] of counts) {
    const name = known.includes(word) || kept.has(word) ? boundWord(word) : otherWords;
    tally.set(name, (tally.get(name) ?? 0) + count);
  }
  return Object.fromEntries(tally);
}
