/**
 * Texts of others in a form that is safe to show. A terminal obeys control characters, bidirectional ones reorder what a
 * person reads, invisible ones hide text: each is written as an escape (`\x1b`, `\u{202e}`).
 */

/** Controls, formats, line separators, lone surrogates and what no font shows; emoji keep their variation selectors. */
const unprintable = /(?![\u{FE00}-\u{FE0F}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

const named: ReadonlyMap<string, string> = new Map([
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
]);

/** A value of somebody else, in one line. */
export function toPrintable(text: string): string {
  return text.replaceAll(unprintable, toEscape);
}

/** A text of several lines, whose values are printable already: line feeds and tabs stay. */
export function toPrintableLines(text: string): string {
  return text.replaceAll(unprintable, (found) => (found === '\n' || found === '\t' ? found : toEscape(found)));
}

const longestKey = 60;

/** A name that another program chose, such as a field of an answer: printable, and at most 60 characters. */
export function toPrintableKey(key: string): string {
  // An escape takes up to nine characters: no more of the key than this can be shown.
  const characters = Array.from(toPrintable(key.slice(0, 2 * longestKey)));
  return characters.length > longestKey ? `${characters.slice(0, longestKey - 1).join('')}…` : characters.join('');
}

/** A path of such names, joined by dots. */
export function toPrintablePath(path: string): string {
  return path.split('.').map(toPrintableKey).join('.');
}

/** JSON whose texts are safe to show, too; it parses to the same value as what JSON.stringify makes. */
export function toPrintableJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent);
  return json.replaceAll(unprintable, (found) => (found === '\n' ? found : toJsonEscape(found)));
}

function toEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return named.get(character) ?? (code < 0x100 ? `\\x${toHex(code, 2)}` : `\\u{${toHex(code, 4)}}`);
}

/** JSON knows units of UTF-16 only. */
function toJsonEscape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${toHex(unit.charCodeAt(0), 4)}`)
    .join('');
}

function toHex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
