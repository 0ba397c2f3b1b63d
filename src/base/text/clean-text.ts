/**
 * The one form in which external texts are compared, sent and stored: no carriage returns, no invisible characters, no escapes of
 * Office files, no white space at the ends. Texts are cleaned where they enter: in headers, fields, CRM properties and identifiers.
 */

/** Characters of class Cf have no shape: zero width spaces, soft hyphens, byte order marks, marks for the direction of writing. */
const invisible = /\p{Cf}/gu;

/** `_x000D_`: how Office files write a character that XML cannot carry (ECMA-376-1, 22.9.2.19). */
const officeEscape = /_x([0-9A-F]{4})_/gi;

/** A quick test that spares most texts the replacements. */
const mayBeUnclean = /[\r\p{Cf}]|_x[0-9A-F]{4}_/iu;

export function cleanText(text: string): string {
  if (!mayBeUnclean.test(text)) return text.trim();
  return decodeOfficeEscapes(text).replaceAll(/\r\n?/g, '\n').replaceAll(invisible, '').trim();
}

function decodeOfficeEscapes(text: string): string {
  return text.replaceAll(officeEscape, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
