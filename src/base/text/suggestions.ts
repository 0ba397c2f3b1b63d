import { distance } from 'fastest-levenshtein';

/** Longer words are not misspelt names, and comparing them would be slow. */
const longestWord = 100;

/** The known word that a misspelt word most likely means; null when none is similar. */
export function closestMatch(word: string, known: readonly string[]): string | null {
  return suggestions(word, known)[0] ?? null;
}

/** Up to three known words that a misspelt word may mean, most similar first. */
export function suggestions(word: string, known: readonly string[]): string[] {
  if (word.length > longestWord) return [];
  const candidates = known
    .filter((candidate) => candidate.length <= longestWord)
    .map((candidate) => ({
      candidate,
      edits: distance(plain(word), plain(candidate)),
      isLonger: hasAllParts(candidate, word),
      allowed: Math.max(2, Math.floor((word.length - sharedLength(word, candidate)) / 3)),
    }))
    .filter(({ edits, isLonger, allowed }) => edits <= allowed || isLonger)
    .sort((a, b) => Number(b.isLonger) - Number(a.isLonger) || a.edits - b.edits);
  return candidates.slice(0, 3).map(({ candidate }) => candidate);
}

/** The length of the first parts that both have, such as `prospect_sync_`: equal ones do not make the others similar. */
function sharedLength(word: string, candidate: string): number {
  const [parts, others] = [toParts(word), toParts(candidate)];
  const different = parts.findIndex((part, index) => part !== others[index]);
  return parts.slice(0, different === -1 ? undefined : different).join('').length;
}

/** Each with its separators; without the last one, which may be the one at fault. */
function toParts(text: string): string[] {
  return text
    .toLowerCase()
    .split(/(?<=[^a-z0-9])(?=[a-z0-9])/)
    .slice(0, -1);
}

const shortestPart = 3;

/** `linkedin_page` is probably `linkedin_company_page`, although other words differ less. */
function hasAllParts(candidate: string, word: string): boolean {
  const parts = word.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const text = candidate.toLowerCase();
  return parts.length > 1 && parts.every((part) => part.length >= shortestPart && text.includes(part));
}

/** `apiKey`, `api-key` and `API_KEY` count as equal. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Whether the texts differ by two neighbouring letters in the wrong order: `Austira`. */
export function isSwapped(left: string, right: string): boolean {
  const index = Array.from(left).findIndex((letter, place) => letter !== right[place]);
  const swapped = `${left.slice(0, index)}${left[index + 1] ?? ''}${left[index] ?? ''}${left.slice(index + 2)}`;
  return index !== -1 && swapped === right;
}
