/** Undoes the encodings in which an address stands in Markdown, HTML, addresses of pages and JSON. */
import { normalizeText } from '../../base/text/normalize-text.ts';

/** Text that was encoded twice (`%2540`, `&amp;#64;`) is decoded twice; more levels do not occur. */
const rounds = 3;

const encoded = /[%&\\<]/;
const percentBytes = /(?:%[0-9a-f]{2})+/gi;
const entity =
  /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(commat|period|lowbar|amp|colon|sol|num|quot|apos|nbsp|lt|gt|shy));?/gi;
const jsonEscape = /\\u([0-9a-f]{4})/gi;
const lineBreakTag = /<wbr ?\/?>/gi;
const invisible = /\p{Default_Ignorable_Code_Point}+/gu;
const ideographicStop = /\u3002/g;

const namedEntities: Readonly<Record<string, string>> = {
  commat: '@',
  period: '.',
  lowbar: '_',
  amp: '&',
  colon: ':',
  sol: '/',
  num: '#',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lt: '<',
  gt: '>',
  shy: '',
};

/** The text in lower case and in one spelling, without encodings and invisible characters. Linear time. */
export function toPlainText(text: string): string {
  let plain = text;
  for (let round = 0; round < rounds && encoded.test(plain); round += 1) {
    const decoded = decode(plain);
    if (decoded === plain) break;
    plain = decoded;
  }
  if (isAscii(plain)) return plain.toLowerCase();
  return normalizeText(plain.replaceAll(invisible, ''), 'NFKC')
    .replaceAll(invisible, '')
    .replaceAll(ideographicStop, '.')
    .toLowerCase();
}

function decode(text: string): string {
  return text
    .replaceAll(percentBytes, (bytes) => decodePercent(bytes))
    .replaceAll(
      entity,
      (whole: string, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
        if (name !== undefined) return namedEntities[name.toLowerCase()] ?? whole;
        return toCharacter(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ?? whole;
      },
    )
    .replaceAll(jsonEscape, (whole, hex: string) => toCharacter(Number.parseInt(hex, 16)) ?? whole)
    .replaceAll(lineBreakTag, '');
}

/** Bytes that are no UTF-8 stay as they are. */
function decodePercent(bytes: string): string {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return bytes;
  }
}

function toCharacter(code: number): string | null {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : null;
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
