import { cleanRecord, createFieldCleaner, findCellProblem } from '../../../src/companies/sources/field-values.ts';

describe('cleanRecord', () => {
  it('cleans the properties of a CRM company, and counts what it changes', () => {
    const cleaner = createFieldCleaner();
    const properties = {
      name: 'Acme\u200B',
      domain: 'siehe.Notiz',
      website: 'acme.example',
      city: 'n/a',
      country: null,
    };
    expect(cleanRecord({ id: '1', properties }, cleaner)).toEqual({
      id: '1',
      properties: { name: 'Acme', domain: '', website: 'acme.example', city: '', country: null },
    });
    expect(cleaner.corrections()).toEqual({ cleaned: 1, placeholders: 1, invalidWebsites: 1 });
  });

  it.each([
    ['Acme_x000D_\nAG', 'Acme\nAG'],
    ['Acme\r\nAG', 'Acme\nAG'],
    ['a_x005F_x000D_', 'a_x000D_'],
    ['\u00A0Acme\u00AD ', 'Acme'],
  ])('turns %j into %j', (text, clean) => {
    const cleaner = createFieldCleaner();
    expect(cleaner.clean(text)).toBe(clean);
    expect(cleaner.corrections().cleaned).toBe(1);
  });
});

describe('findCellProblem', () => {
  it.each(['1,23457E+12', '1.5e+3', '4E+21'])('finds an id in scientific notation: %s', (text) => {
    expect(findCellProblem('external_id', text, 'csv')).toContain('scientific notation');
  });

  it.each(['01.02.2024', '1/2/24', '2024-02-01', 'Feb 24', 'Feb-24', '01-Feb', '1. Feb', 'Mär 24', '1 Februar 2024'])(
    'finds an id of which Excel made a date: %s',
    (text) => {
      expect(findCellProblem('external_id', text, 'csv')).toContain('holds a date');
      expect(findCellProblem('city', text, 'csv')).toBeNull();
    },
  );

  it.each(['1.2.3', '10-2024', 'KD-01-02', 'Mai', 'May GmbH 24', '2024', '01.2024.02', 'Dec-1234567', '1-2-3456x'])(
    'accepts an id that is no date: %s',
    (text) => {
      expect(findCellProblem('external_id', text, 'csv')).toBeNull();
    },
  );

  it.each(['12E4', 'KD-1E+3', '1e5'])('accepts an id that is no such number: %s', (text) => {
    expect(findCellProblem('external_id', text, 'csv')).toBeNull();
  });

  it('accepts dates where they are expected, and all values of a query', () => {
    const date = new Date('2027-03-31');
    expect(findCellProblem('expires_at', date, 'xlsx')).toBeNull();
    expect(findCellProblem('external_id', date, 'sql')).toBeNull();
    expect(findCellProblem('external_id', 999_999_999_999_999, 'xlsx')).toBeNull();
  });
});
