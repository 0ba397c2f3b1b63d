import {
  toPrintable,
  toPrintableJson,
  toPrintableKey,
  toPrintableLines,
  toPrintablePath,
} from '../../../src/base/text/printable-text.ts';

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe('toPrintable', () => {
  it.each([
    ['the title of a window', '\u001B]0;owned\u0007', String.raw`\x1b]0;owned\x07`],
    ['a cleared screen', '\u001B[2J\u009B2J', String.raw`\x1b[2J\x9b2J`],
    ['an overwritten line', 'failed\rdone\u007F', String.raw`failed\rdone\x7f`],
    ['a line of its own', 'a\nreconciled 1 of 1\tb', String.raw`a\nreconciled 1 of 1\tb`],
    ['line separators', 'a\u2028b\u2029c', String.raw`a\u{2028}b\u{2029}c`],
    ['another direction', 'a\u202Egnp.\u2066\u200F\u061C', String.raw`a\u{202e}gnp.\u{2066}\u{200f}\u{061c}`],
    ['what nobody sees', 'a\u200B\u2060\uFEFF\u3164\u{E0041}', String.raw`a\u{200b}\u{2060}\u{feff}\u{3164}\u{e0041}`],
    ['half a character', 'a\uD800b', String.raw`a\u{d800}b`],
  ])('escapes %s', (_, text, expected) => {
    expect(toPrintable(text)).toBe(expected);
  });

  it('keeps other texts', () => {
    const text = 'Müller & Söhne GmbH – «Größe» 株式会社 שלום ❤️ 👍🏽 C:\\out';
    expect(toPrintable(text)).toBe(text);
  });
});

describe('toPrintableLines', () => {
  it('keeps line feeds and tabs only', () => {
    expect(toPrintableLines('a\n\tb\r\u001B[2J')).toBe('a\n\tb\\r\\x1b[2J');
  });
});

describe('toPrintableKey', () => {
  it('shortens a key to 60 characters', () => {
    expect(toPrintableKey('company_name')).toBe('company_name');
    expect(toPrintableKey('x'.repeat(60))).toBe('x'.repeat(60));
    expect(toPrintableKey('x'.repeat(1_000_000))).toBe(`${'x'.repeat(59)}…`);
    expect(Array.from(toPrintableKey('\u001B'.repeat(60)))).toHaveLength(60);
    expect(toPrintablePath(`data.${'y'.repeat(100)}`)).toBe(`data.${'y'.repeat(59)}…`);
  });
});

describe('toPrintableJson', () => {
  it('parses to the same value, and contains no terminal control characters', () => {
    const value = { 'key\u009B2J': ['\u001B]0;x\u0007\n', '\u202E\u2028', '\u{E0041}👍', 1, null], fits: '❤️' };
    for (const indent of [0, 2]) {
      const json = toPrintableJson(value, indent);
      expect(JSON.parse(json)).toEqual(value);
      expect(json.replaceAll('\n', '')).not.toMatch(hidden);
    }
    expect(toPrintableJson(value, 2)).toContain('\n');
  });
});
