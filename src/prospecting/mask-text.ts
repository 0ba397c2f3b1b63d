/** The service's own words, without the values of customers that they may repeat. */

const longestText = 300;
/** Shorter values stand in ordinary words by chance. */
const shortestValue = 3;
const email = /[^\s@"'<>()]+@[^\s@"'<>()]+/g;
const address = /https?:\/\/[^\s"'<>()]+/g;
const number = /\+?\d[\d\s()/-]{6,}\d/g;

/** `sent`: the request's body, whose texts are replaced where the service repeats them. Words of the interface stay. */
export function createMask(sent: unknown): (text: string) => string {
  let values: string[] | null = null;
  return (text) => {
    values ??= [...new Set(textsIn(sent))].toSorted((a, b) => b.length - a.length);
    let masked = text.slice(0, longestText * 2);
    for (const value of values) if (masked.includes(value)) masked = masked.replaceAll(value, '…');
    return masked
      .replace(email, '…')
      .replace(address, '…')
      .replace(number, '…')
      .replaceAll(/\s+/g, ' ')
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
  return /^[A-Z][A-Z_]+$/.test(text) || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text);
}
