import { toKnownWord } from '../../src/cli/known-word.ts';

describe('toKnownWord', () => {
  it.each([
    ['a misspelt word', 'creatd', ['created', 'updated'], 'Did you mean created?'],
    ['the beginning of a code in capitals', 'NO_EMAIL', ['no_email', 'NO_EMAIL_FOUND'], 'no_email or NO_EMAIL_FOUND?'],
    ['the beginning of a code in small letters', 'no_emai', ['NO_EMAIL_FOUND'], 'Did you mean NO_EMAIL_FOUND?'],
  ])('names near words for %s', (_, word, known, hint) => {
    expect(() => toKnownWord('--reason', known, word)).toThrow(hint);
  });
});
