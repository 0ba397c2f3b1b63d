/** Limits of external texts: their length and their number. */

/** The longest external text that a pattern is applied to, in UTF-16 units. It is also the limit of HubSpot property values. */
export const longestText = 65_536;

/**
 * The beginning of an external text, cut between characters. Values of slots, HubSpot values, cells of files and error bodies
 * are bounded before a pattern is applied to them.
 */
export function boundText(text: string): string {
  if (text.length <= longestText) return text;
  const last = text.charCodeAt(longestText - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? longestText - 1 : longestText);
}

/** JSON with every text bounded, keys included. */
export function boundTexts(json: unknown): unknown {
  if (typeof json === 'string') return boundText(json);
  if (Array.isArray(json)) return json.map(boundTexts);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [boundText(key), boundTexts(value)]));
}

// External words are statuses, reason codes, features and field names that this version may not know. Their length and number
// are limited because they enter Temporal, tallies and the terminal.

/** In UTF-16 units. */
const longestWord = 60;
/** The most unknown words in one tally. */
export const mostWords = 100;
/** The name of the sum of all further words. */
export const otherWords = 'others';
/** The longest external id. A longer one does not fit into an index of PostgreSQL, and a truncated id is not an id. */
export const longestId = 255;

/** A text of at most `longest` UTF-16 units; a truncated one ends in `…`. */
export function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

/** A word of at most 60 characters; long words with the same beginning are counted as one. */
export function boundWord(word: string): string {
  return shorten(word, longestWord);
}

/** The first 100 words, each once. */
export function boundWords(words: readonly string[]): string[] {
  return [...new Set(words.map(boundWord))].slice(0, mostWords);
}

/** Counts by word: all known words and the 100 most frequent unknown ones. The rest is summed as `others`. */
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
