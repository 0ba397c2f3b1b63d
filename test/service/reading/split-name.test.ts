import * as fc from 'fast-check';
import { splitName } from '../../../src/service/reading/read-slot.ts';
import { anyCharacter } from '../../helpers/random-text.ts';

describe('splitName', () => {
  it.each([
    ['Anna Schmidt', 'Anna', 'Schmidt'],
    ['  Anna   Schmidt ', 'Anna', 'Schmidt'],
    ['Anna\tSchmidt', 'Anna', 'Schmidt'],
    ['Anna Maria Schmidt', 'Anna Maria', 'Schmidt'],
    ['Hans-Peter Meyer-Landrut', 'Hans-Peter', 'Meyer-Landrut'],
    ['Özlem Yılmaz', 'Özlem', 'Yılmaz'],
  ])('uses the last word of %j as the last name', (full, firstName, lastName) => {
    expect(splitName(full)).toEqual({ firstName, lastName });
  });

  it.each([
    ['Markus von Arnim', 'Markus', 'von Arnim'],
    ['Anna Maria von der Heide', 'Anna Maria', 'von der Heide'],
    ['Ludwig Van Beethoven', 'Ludwig', 'Van Beethoven'],
    ['Maria de la Cruz', 'Maria', 'de la Cruz'],
    ['João da Silva Santos', 'João', 'da Silva Santos'],
    ['Karl zu Guttenberg', 'Karl', 'zu Guttenberg'],
  ])('keeps the particles of %j in the last name', (full, firstName, lastName) => {
    expect(splitName(full)).toEqual({ firstName, lastName });
  });

  it.each([
    ['Dr. Sebastian Aigner', 'Sebastian', 'Aigner'],
    ['Dr Sebastian Aigner', 'Sebastian', 'Aigner'],
    ['Prof. Dr. Anna Schmidt', 'Anna', 'Schmidt'],
    ['Prof. Dr. rer. nat. Anna Schmidt', 'Anna', 'Schmidt'],
    ['Dr. med. Anna von Arnim', 'Anna', 'von Arnim'],
    ['Dr.-Ing. Anna Schmidt', 'Anna', 'Schmidt'],
    ['Dr. h.c. Anna Schmidt', 'Anna', 'Schmidt'],
    ['Herr Schmidt', null, 'Schmidt'],
    ['Frau Anna Schmidt', 'Anna', 'Schmidt'],
    ['Ms. Anna Schmidt', 'Anna', 'Schmidt'],
    ['MR John Smith', 'John', 'Smith'],
  ])('removes the titles of %j', (full, firstName, lastName) => {
    expect(splitName(full)).toEqual({ firstName, lastName });
  });

  it.each([
    ['Schmidt, Anna', 'Anna', 'Schmidt'],
    ['Schmidt , Anna Maria', 'Anna Maria', 'Schmidt'],
    ['von der Heide, Anna', 'Anna', 'von der Heide'],
    ['Aigner, Dr. Sebastian', 'Sebastian', 'Aigner'],
    ['Dr. Aigner, Sebastian', 'Sebastian', 'Aigner'],
    ['Schmidt,', null, 'Schmidt'],
    [', Anna', 'Anna', null],
  ])('splits %j at its comma', (full, firstName, lastName) => {
    expect(splitName(full)).toEqual({ firstName, lastName });
  });

  it.each([
    ['Schmidt', null, 'Schmidt'],
    ['Dr. Schmidt', null, 'Schmidt'],
    ['Dr.', null, 'Dr.'],
    ['', null, null],
    ['   ', null, null],
    [',', null, null],
  ])('uses the only word of %j as the last name', (full, firstName, lastName) => {
    expect(splitName(full)).toEqual({ firstName, lastName });
  });

  it('keeps all words but titles, in their order', () => {
    const titles = ['Dr.', 'Prof.', 'Frau', 'Mag.'];
    // No word of more than five letters is a title.
    const word = fc.stringMatching(/^[A-ZÄÖÜ][a-zäöüß]{5,9}$/);
    const particle = fc.constantFrom('von', 'van', 'de', 'der', 'zu');
    const words = fc.array(fc.oneof({ weight: 3, arbitrary: word }, particle), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.subarray(titles), words, fc.constantFrom(' ', '  ', '\t'), (before, names, blank) => {
        const { firstName, lastName } = splitName([...before, ...names].join(blank));
        expect([firstName, lastName].filter(Boolean).join(' ')).toBe(names.join(' '));
        expect(lastName).not.toBeNull();
      }),
    );
  });

  it('keeps all words of a name with a comma', () => {
    const words = fc.array(fc.stringMatching(/^[A-Z][a-z]{5,9}$/), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(words, words, (last, first) => {
        expect(splitName(`${last.join(' ')}, ${first.join(' ')}`)).toEqual({
          firstName: first.join(' '),
          lastName: last.join(' '),
        });
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (full) => {
        const { firstName, lastName } = splitName(full);
        expect([firstName, lastName].every((name) => name === null || name.length > 0)).toBe(true);
      }),
    );
  });
});

describe('splitName for words that can be names or titles', () => {
  it.each([
    ['Anna Schmidt, MBA', 'Anna', 'Schmidt'],
    ['Schmidt, Anna, MBA', 'Anna', 'Schmidt'],
    ['Phil Collins', 'Phil', 'Collins'],
    ['Nat King Cole', 'Nat King', 'Cole'],
    ['Dr. Phil Meyer', 'Phil', 'Meyer'],
  ])('reads %s', (full, firstName, lastName) => {
    expect(splitName(full)).toEqual({ firstName, lastName });
  });
});
