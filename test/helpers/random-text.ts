// Texts for properties. The units of fast-check (`binary`, `grapheme`) and its web addresses build a table of a million
// characters for every arbitrary: half a second and a hundred megabytes.
import * as fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/** Any code point but a surrogate. A unit of `fc.string`. */
export const anyCharacter = fc.nat(0x10_ffff - surrogates.count).map(toCharacter, toIndex);

/** Visible characters, of several code points too. A unit of `fc.string`. */
export const anyGrapheme = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }).map(String.fromCodePoint),
  fc.integer({ min: 0xc0, max: 0x24f }).map(String.fromCodePoint),
  fc.integer({ min: 0x4e00, max: 0x9fff }).map(String.fromCodePoint),
  fc.integer({ min: 0x1f600, max: 0x1f64f }).map(String.fromCodePoint),
  fc.constantFrom('e\u0301', 'A\u0308', 'n\u0303', '👩‍👩‍👧', '🇩🇪', '👍🏽', '한', '\u1112\u1161\u11ab', 'ﷺ', 'ß', 'नि'),
);

/** A URL with a path and a query of any characters. */
export const anyWebUrl = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    domain: fc.domain(),
    path: fc.array(fc.string({ unit: anyCharacter, maxLength: 5 }), { maxLength: 3 }),
    query: fc.option(fc.string({ unit: anyCharacter, maxLength: 5 }), { nil: undefined }),
  })
  .map(({ scheme, domain, path, query }) => {
    const segments = path.map((segment) => `/${encodeURIComponent(segment)}`).join('');
    return `${scheme}://${domain}${segments}${query === undefined ? '' : `?${encodeURIComponent(query)}`}`;
  });

function toCharacter(index: number): string {
  return String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count);
}

/** Lets fast-check try and shrink texts of its own, for example `__proto__`. */
function toIndex(character: unknown): number {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (point === undefined || character !== String.fromCodePoint(point)) throw new Error('not a character');
  return point < surrogates.first ? point : point - surrogates.count;
}
