import { digest } from '../../../src/base/json/canonical-json.ts';
import { toStorable, toStorableText } from '../../../src/base/text/storable.ts';

describe('toStorableText', () => {
  it('replaces NUL and lone surrogates, and nothing else', () => {
    expect(toStorableText('a\0b\uD800c\uDC00d')).toBe('a\uFFFDb\uFFFDc\uFFFDd');
    expect(toStorableText('ä😀\u0001\uFFFF\uFFFD')).toBe('ä😀\u0001\uFFFF\uFFFD');
  });
});

describe('toStorable', () => {
  it('replaces characters in values and keys at every level, and counts them by record', () => {
    const clean = { text: 'a' };
    const answer = JSON.parse('{"a\\u0000":[{"b":"\\u0000\\ud800","__proto__":"\\u0000"}],"n":null}') as object;
    const { value, replacedIn } = toStorable({ ...answer, clean }) ?? {};
    expect(JSON.stringify(value)).toBe(
      '{"a\uFFFD":[{"b":"\uFFFD\uFFFD","__proto__":"\uFFFD"}],"n":null,"clean":{"text":"a"}}',
    );
    expect([...(replacedIn ?? [])].map(([, count]) => count)).toEqual([3, 3, 4]);
    expect((value as { clean: unknown }).clean).toBe(clean);
  });

  it('returns clean JSON unchanged, so its digest stays the same', () => {
    const answer = { a: ['ä😀', 1, null], b: { c: '\u0001' } };
    const storable = toStorable(answer);
    expect(storable?.value).toBe(answer);
    expect(storable?.replacedIn.size).toBe(0);
    expect(digest(storable?.value)).toBe(digest(answer));
  });

  it('rejects JSON with more than 100 levels', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(toStorable(nested(100))).not.toBeNull();
    expect(toStorable(nested(101))).toBeNull();
    expect(toStorable(nested(100_000))).toBeNull();
  });
});
