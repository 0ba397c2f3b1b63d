/** The longest external text that a pattern is applied to, in UTF-16 units; HubSpot takes no longer property value either. */
export const longestText = 65_536;

/**
 * The beginning of an external text; never half a character. Values of slots, HubSpot values, cells of files and error
 * bodies pass here before any pattern is applied to them.
 */
export function boundText(text: string): string {
  if (text.length <= longestText) return text;
  const last = text.charCodeAt(longestText - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? longestText - 1 : longestText);
}

/** JSON with every text cut so. */
export function boundTexts(json: unknown): unknown {
  if (typeof json === 'string') return boundText(json);
  if (Array.isArray(json)) return json.map(boundTexts);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [boundText(key), boundTexts(value)]));
}

// External words are statuses, reason codes, features and field names that this version may not know. They enter Temporal, tallies and
// the terminal, so that their length and number have a limit.

/** In UTF-16 units. */
const longestWord = 60;
/** Of the words of one tally that are not known. */
export const mostWords = 100;
/** Holds the counts of all further words. */
export const otherWords = 'others';
/** The longest external id: a longer one does not fit into an index of PostgreSQL, and no part of it is an id. */
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

/** Marks that no character of any language has so many of (UAX #15, stream-safe text). */
const needlessMarks = /(?<=\p{M}{30})\p{M}+/gu;

/** `text.normalize(form)`, which takes the square of the marks on one character: those beyond the 30th are left out. */
export function normalizeText(text: string, form: 'NFD' | 'NFKC'): string {
  return text.replaceAll(needlessMarks, '').normalize(form);
}

/** A text without any of these characters at its end; a pattern would look through a long row of them again from each one. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
