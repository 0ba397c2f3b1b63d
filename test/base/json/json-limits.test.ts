import { isBeyondJsonLimits } from '../../../src/base/json/json-limits.ts';

const nested = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels);

describe('isBeyondJsonLimits', () => {
  it('is false for up to 100 levels of arrays and objects', () => {
    expect(isBeyondJsonLimits(nested(100))).toBe(false);
    expect(isBeyondJsonLimits(nested(101))).toBe(true);
    expect(isBeyondJsonLimits('{"a":'.repeat(101))).toBe(true);
    expect(isBeyondJsonLimits(`[${'{"a":[]},'.repeat(1_000)}{}]`)).toBe(false);
  });

  it('ignores brackets within a text', () => {
    expect(isBeyondJsonLimits(JSON.stringify({ text: nested(200), quoted: `"${'['.repeat(200)}`, slash: '\\' }))).toBe(
      false,
    );
    expect(isBeyondJsonLimits(`["\\\\",${nested(100)}]`)).toBe(true);
    expect(isBeyondJsonLimits(`["\\"",${nested(100)}]`)).toBe(true);
  });

  it('is false for up to 250,000 values, and ignores commas within a text', () => {
    expect(isBeyondJsonLimits(JSON.stringify(Array.from({ length: 250_000 }, () => 0)))).toBe(false);
    expect(isBeyondJsonLimits(JSON.stringify(Array.from({ length: 250_001 }, () => 0)))).toBe(true);
    expect(isBeyondJsonLimits(JSON.stringify({ text: ','.repeat(300_000) }))).toBe(false);
  });

  it('is false for texts of up to 8 MB, whatever comes before and after them', () => {
    const json = (bytes: number) =>
      JSON.stringify({ before: 'a'.repeat(5_000_000), text: 'é'.repeat(bytes / 2), after: [] });
    expect(isBeyondJsonLimits(json(8_000_000))).toBe(false);
    expect(isBeyondJsonLimits(json(8_100_000))).toBe(true);
    expect(isBeyondJsonLimits(Array.from({ length: 90 }, () => Buffer.alloc(100_000, '"a')))).toBe(false);
    expect(
      isBeyondJsonLimits([Buffer.from('"'), ...Array.from({ length: 90 }, () => Buffer.alloc(100_000, 'a'))]),
    ).toBe(true);
  });
});
