import { boundText, boundTexts, longestText } from '../../../src/base/text/bound-text.ts';
import { normalizeText, trimEndOf, withSentence } from '../../../src/base/text/normalize-text.ts';
import { describeRecords, describeRows, listFirst } from '../../../src/base/text/named-rows.ts';

describe('boundText', () => {
  it('keeps 65,536 characters, and never splits one', () => {
    const whole = 'a'.repeat(longestText);
    expect(boundText(whole)).toBe(whole);
    expect(boundText(`${whole}b`)).toBe(whole);
    expect(boundText(`${whole.slice(1)}😀`)).toBe(whole.slice(1));
  });
});

describe('boundTexts', () => {
  it('shortens texts and keys at every level', () => {
    const long = 'a'.repeat(longestText + 1);
    const cut = long.slice(1);
    expect(boundTexts({ [long]: [long, 1, null, { b: long }] })).toEqual({ [cut]: [cut, 1, null, { b: cut }] });
  });
});

describe('normalizeText', () => {
  it('normalizes texts of every language like Unicode', () => {
    for (const text of ['Ärzte ﬁn ＡＢ', 'ệ̣', 'ประเทศไทย', 'हिन्दी', '한국어']) {
      expect(normalizeText(text, 'NFKC')).toBe(text.normalize('NFKC'));
      expect(normalizeText(text, 'NFD')).toBe(text.normalize('NFD'));
    }
  });

  it('removes excessive combining marks', () => {
    expect(normalizeText(`a${'\u0300\u0323'.repeat(5_000)}b`, 'NFD')).toHaveLength(32);
  });
});

describe('trimEndOf', () => {
  it.each([
    ['https://a.example///', '/', 'https://a.example'],
    ['. a. .', '. ', '. a'],
    ['...', '.', ''],
    ['', '.', ''],
  ])('returns for %j and %j the text %j', (text, characters, trimmed) => {
    expect(trimEndOf(text, characters)).toBe(trimmed);
  });
});

describe('withSentence', () => {
  it.each(['It failed', 'It failed.', 'It failed. \n'])('puts one full stop behind %j', (text) => {
    expect(withSentence(text, 'Try again.')).toBe('It failed. Try again.');
  });
});

describe('listFirst', () => {
  it('lists the first items and says how many others there are', () => {
    expect(listFirst(['a', 'b', 'c'], 3)).toBe('a, b, c');
    expect(listFirst(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
    expect(listFirst(['a', 'b'], 2, 1_202)).toBe('a, b and 1,200 more');
    expect(describeRows({ rows: 7, first: [3, 4, 5, 6, 9] })).toBe('7 (row 3, 4, 5, 6, 9 and 2 more)');
    expect(describeRecords({ records: 2, first: ['101', '102'] })).toBe('2 (record 101, 102)');
  });
});
