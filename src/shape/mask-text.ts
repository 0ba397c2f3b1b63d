/** The service's own words, without the values of customers and the key that they may repeat. */

const longestText = 300;
/** Shorter values stand in ordinary words by chance. */
const shortestValue = 3;
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;
const email = /[^\s@"'<>()]+@[^\s@"'<>()]+/g;
const address = /https?:\/\/[^\s"'<>()]+/g;
const number = /\+?\d[\d\s()/-]{6,}\d/g;
const token = /\b[\w-]{24,}\b/g;
/** Words with a capital inside a sentence are names, also in a row; those of the interface are not: API, profile_id, searchProfileId. */
const names =
  /(?<=[\p{L}\p{N},;:)"'] )\p{Lu}[\p{Ll}'’-]+(?=[^\p{L}_]|$)(?: \p{Lu}[\p{L}'’-]*)*|(?:^|(?<=[.!?:] ))\p{Lu}[\p{Ll}'’-]+(?: \p{Lu}[\p{L}'’-]*\p{Ll}[\p{L}'’-]*)+/gu;

/**
 * `sent`: the request's body, whose texts are replaced where the service repeats them; `secret`: the API key. Names are
 * masked by their form as well: an answer may tell of somebody whom no request named.
 */
export function createMask(sent: unknown, secret = ''): (text: string) => string {
  let values: string[] | null = null;
  return (text) => {
    values ??= [...new Set([...textsIn(sent), ...textsIn(secret)])].toSorted((a, b) => b.length - a.length);
    let masked = text.slice(0, longestText * 2).replaceAll(/\s+/g, ' ');
    for (const value of values) if (masked.includes(value)) masked = masked.replaceAll(value, '…');
    return masked
      .replace(email, '…')
      .replace(address, '…')
      .replace(token, (found) => (uuid.test(found) ? found : '…'))
      .replace(number, '…')
      .replace(names, '…')
      .trim()
      .slice(0, longestText);
  };
}

/** All texts but words such as DISCOVERY or profile_id, and ids. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return value.trim().length < shortestValue || isInterfaceWord(value) ? [] : [value.trim()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function isInterfaceWord(text: string): boolean {
  return /^[A-Z][A-Z_]+$/.test(text) || uuid.test(text);
}
