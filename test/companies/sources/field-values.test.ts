import {
  cleanRecord,
  createFieldCleaner,
  findCellProblem,
  isRoundedId,
} from '../../../src/companies/sources/field-values.ts';

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

describe('createFieldCleaner', () => {
  it.each([
    'nan',
    'NaN',
    '-- Bitte wählen --',
    'Bitte auswählen',
    'Select...',
    '--None--',
    '- please select -',
    '(leer)',
    '(Leer)',
    '[NULL]',
    '<null>',
    '\\N',
    'keine Angabe',
    'sans objet',
    'brak',
    'NULL',
  ])('leaves out %s, which stands for nothing', (text) => {
    const cleaner = createFieldCleaner();
    expect(cleaner.clean(text)).toBe('');
    expect(cleaner.corrections().placeholders).toBe(1);
  });

  it.each([
    'Loading...',
    'Loading…',
    'Wird geladen...',
    'Chargement…',
    'Cargando...',
    'Caricamento in corso...',
    'Bezig met laden...',

    'Ładowanie...',
    'Requesting Data...',
    '#N/A Requesting Data',
    '#N/A Requesting Data...',
    '#N/A N/A',
    '#N/A (Timeout)',
    '#BUSY!',

    '#NOM?',
    '#¿NOMBRE?',
    '#¡VALOR!',
    '#NOME?',
    '#NAAM?',
    '#NAZWA?',
    '#N/D',
    '#N/D!',
    '#DEEL/0!',
    '#ERROR!',
    '#REFRESH',
  ])('leaves out %s, which a spreadsheet shows in place of a value, in every field', (text) => {
    const cleaner = createFieldCleaner();
    expect([cleaner.clean(text), cleaner.cleanName(text), cleaner.cleanWebsite(text)]).toEqual(['', '', '']);
    expect(cleaner.corrections()).toEqual({ cleaned: 0, placeholders: 3, invalidWebsites: 0 });
    expect(findCellProblem('company_name', text, 'xlsx')).toMatch(/^company_name: the cell holds /);
  });

  it.each(['Loading', 'Refreshing', 'Wird geladen', 'Inconnue', 'n.d.', 'b/d', 'n.v.t.'])(
    'leaves out %s, unless it is a name',
    (text) => {
      const cleaner = createFieldCleaner();
      expect([cleaner.clean(text), cleaner.cleanName(text)]).toEqual(['', text]);
      expect(findCellProblem('company_name', text, 'csv')).toBeNull();
    },
  );

  it.each([
    'Loading Dock...',
    'Laden & Co…',
    'Updating Systems',
    '#N/Ord',
    '#neuland',
    '#1 Pizza',
    'Pending',
    'A...',
    '...',
    'Chargé',
  ])('keeps %s as a name and as a city', (text) => {
    const cleaner = createFieldCleaner();
    expect([cleaner.clean(text), cleaner.cleanName(text)]).toEqual([text, text]);
  });

  it.each(['Leer', 'None', 'Nantes', 'Brake', 'NA', 'Nil', 'Keine GmbH', "O'Brien", 'Trier', '1001'])(
    'keeps %s',
    (text) => expect(createFieldCleaner().clean(text)).toBe(text),
  );

  it('keeps a name that is a word for a missing value, because companies have such names', () => {
    const cleaner = createFieldCleaner();
    expect(['Brak', 'NaN', 'Unbekannt', 'NULL'].map(cleaner.cleanName)).toEqual(['Brak', 'NaN', 'Unbekannt', '']);
  });
});

describe('isRoundedId', () => {
  it.each(['12345678901234500', '1234567890123450'])('is true for %s', (id) => expect(isRoundedId(id)).toBe(true));

  it.each(['12345678901234501', '123456789012340', '0123456789012345000', 'KD12345678901234500'])(
    'is false for %s',
    (id) => expect(isRoundedId(id)).toBe(false),
  );
});

describe('findCellProblem', () => {
  it.each([
    ['#REF!', 'company_name: the cell holds the spreadsheet error #REF!; correct the formula or enter the name'],
    ['#NV', 'company_name: the cell holds the spreadsheet error #NV; correct the formula or enter the name'],
    [
      'Loading...',
      'company_name: the cell holds "Loading...", which a spreadsheet shows until it has the value; open the file, wait, and save it again',
    ],
    ['n/a', 'company_name: the cell holds "n/a", which stands for no value; enter the name'],
  ])('names the word that stands in place of a name: %s', (text, problem) => {
    expect(findCellProblem('company_name', text, 'csv')).toBe(problem);
    expect(findCellProblem('city', text, 'csv')).toBeNull();
  });

  it('finds formulas, and an id with the sign of a text', () => {
    expect(findCellProblem('city', '=A2', 'csv')).toContain('city: the cell holds a formula');
    expect(findCellProblem('external_id', "'00042", 'csv')).toContain('begins with an apostrophe');
    expect(findCellProblem('company_name', "'t Hof", 'csv')).toBeNull();
  });

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
