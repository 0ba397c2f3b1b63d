import * as fc from 'fast-check';
import { fillTemplate, parseTemplate } from '../../../src/delivery/mapping/templates.ts';

function fill(text: string, values: Readonly<Record<string, string>> = {}): string {
  const parsed = parseTemplate(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return fillTemplate(parsed.parts, ({ from, transform }) => values[`${from}|${transform}`] ?? values[from] ?? '');
}

describe('a template', () => {
  it('is its own text when it contains no brace', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !/[{}]/.test(text)),
        (text) => {
          expect(fill(text)).toBe(text);
        },
      ),
    );
  });

  it('is any text again when its braces are doubled', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', 'a', '|', ' ') }), (text) => {
        expect(fill(text.replaceAll(/[{}]/g, '$&$&'))).toBe(text);
      }),
    );
  });

  it('contains the values of its fields, also when a value looks like a field', () => {
    expect(
      fill('{order.title} of {slot.delivered_at|date}', { 'order.title': '{x}', 'slot.delivered_at|date': '1' }),
    ).toBe('{x} of 1');
  });

  it('is empty when all its fields are, and has no gap when one is', () => {
    expect(fill('From {a} {b}')).toBe('');
    expect(fill('From {a} {b}', { b: 'B' })).toBe('From B');
    expect(fill('{a} {b}', { a: 'A' })).toBe('A');
    expect(fill('a  constant')).toBe('a  constant');
  });

  it.each([
    ['{a', 'has a { without its counterpart at character 1'],
    ['a}', 'has a } without its counterpart at character 2'],
    ['{a{b}}', 'has a { without its counterpart at character 1'],
    ['{}', 'has {}, which is not a field with at most one transform'],
    ['{a|date|year}', 'has {a|date|year}, which is not a field with at most one transform'],
    ['{a|constructor}', 'has an unknown transform in {a|constructor}'],
  ])('is refused with its problem: %s', (text, problem) => {
    expect(parseTemplate(text)).toEqual({ problem });
  });
});
