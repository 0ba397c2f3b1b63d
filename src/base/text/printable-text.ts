/**
 * Makes external texts safe to display. Control characters (which a terminal executes), bidirectional characters (which reorder
 * text) and invisible ones are written as escapes: `\x1b`, `\u{202e}`.
 */

/** Control and format characters, line separators, lone surrogates and invisible characters; emoji keep their variation selectors. */
const unprintable = /(?![\u{FE00}-\u{FE0F}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

const named: ReadonlyMap<string, string> = new Map([
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
]);

/** An external value on one line. */
export function toPrintable(text: string): string {
  return text.replaceAll(unprintable, toEscape);
}

/** A text of several lines: line feeds and tabs stay. Its values must already be printable. */
export function toPrintableLines(text: string): string {
  return text.replaceAll(unprintable, (found) => (found === '\n' || found === '\t' ? found : toEscape(found)));
}

const longestKey = 60;

/** An external name, such as a field of an answer: printable and at most 60 characters. */
export function toPrintableKey(key: string): string {
  // Only this much of the key can be shown, and a longer one would take time.
  const characters = Array.from(toPrintable(key.slice(0, 2 * longestKey)));
  return characters.length > longestKey ? `${characters.slice(0, longestKey - 1).join('')}…` : characters.join('');
}

/** A path of external names, joined by dots. */
export function toPrintablePath(path: string): string {
  return path.split('.').map(toPrintableKey).join('.');
}

/** JSON that is safe to display. It parses to the same value as the output of JSON.stringify. */
export function toPrintableJson(value: unknown, indent = 0): string {
  return escapeUnprintable(JSON.stringify(value, null, indent));
}

/** JSON text that is safe to display: unprintable characters become escapes, the values stay. */
export function escapeUnprintable(json: string): string {
  return json.replaceAll(unprintable, (found) => (found === '\n' ? found : toJsonEscape(found)));
}

function toEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return named.get(character) ?? (code < 0x100 ? `\\x${toHex(code, 2)}` : `\\u{${toHex(code, 4)}}`);
}

/** JSON escapes are UTF-16 units. */
function toJsonEscape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${toHex(unit.charCodeAt(0), 4)}`)
    .join('');
}

function toHex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
