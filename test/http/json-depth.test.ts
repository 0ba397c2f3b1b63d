import { isNestedTooDeep } from '../../src/http/json-depth.ts';

const nested = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels);

describe('isNestedTooDeep', () => {
  it('takes up to 100 levels of arrays and objects', () => {
    expect(isNestedTooDeep(nested(100))).toBe(false);
    expect(isNestedTooDeep(nested(101))).toBe(true);
    expect(isNestedTooDeep('{"a":'.repeat(101))).toBe(true);
    expect(isNestedTooDeep(`[${'{"a":[]},'.repeat(1_000)}{}]`)).toBe(false);
  });

  it('counts no bracket within a text', () => {
    expect(isNestedTooDeep(JSON.stringify({ text: nested(200), quoted: `"${'['.repeat(200)}`, slash: '\\' }))).toBe(
      false,
    );
    expect(isNestedTooDeep(`["\\\\",${nested(100)}]`)).toBe(true);
    expect(isNestedTooDeep(`["\\"",${nested(100)}]`)).toBe(true);
  });
});
