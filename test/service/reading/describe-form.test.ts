import * as fc from 'fast-check';
import { describeForm } from '../../../src/service/reading/describe-shape.ts';
import { anyGrapheme } from '../../helpers/random-text.ts';

describe('describeForm', () => {
  it.each([
    ['anna schmidt', '"xxxx xxxxxxx"'],
    ['anna.schmidt@nordwind.example', '"xxxx.xxxxxxx@xxxxxxxx.xx…"'],
    ['+49 30 1234567', '"+00 00 0000000"'],
    ['11-50', '"00-00"'],
    ['özlem yılmaz', '"xxxxx xxxxxx"'],
    ['  x  ', '"x"'],
    ['東京٣', '"xx0"'],
    [152, 'a whole number'],
    [0.5, 'a number'],
    [true, 'true or false'],
    [{ min: 1, max: 2 }, 'a range'],
    [['Anna'], 'a list'],
    [{ name: 'Anna' }, 'a record'],
  ])('shows the form of %j', (value, expected) => {
    expect(describeForm(value)).toBe(expected);
  });

  it('contains no letter of a text but X and x, and no digit but 0', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyGrapheme, maxLength: 60 }), fc.emailAddress()), (text) => {
        expect(describeForm(text)).not.toMatch(/(?![Xx])\p{L}|(?!0)\p{N}/u);
      }),
    );
  });

  it('is a fixed description for values that are not texts', () => {
    const value = fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.jsonValue());
    const forms = ['a whole number', 'a number', 'true or false', 'a range', 'a list', 'a record'];
    fc.assert(
      fc.property(
        value.filter((sent) => typeof sent !== 'string'),
        (sent) => {
          expect(forms).toContain(describeForm(sent));
        },
      ),
    );
  });
});
