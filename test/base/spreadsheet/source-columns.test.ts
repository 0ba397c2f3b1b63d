import * as fc from 'fast-check';
import { tableFields } from '../../../src/companies/sources/table-companies.ts';
import { sourceFields, type SourceField } from '../../../src/base/spreadsheet/header-names.ts';
import { resolveColumns, type ColumnSettings } from '../../../src/base/spreadsheet/source-columns.ts';

const settingsPath = 'runs.leads.companies.columns';

const resolve = (
  headers: readonly string[],
  settings: ColumnSettings = {},
  fields: readonly SourceField[] = tableFields,
) => resolveColumns(headers, { fields, settings, settingsPath });

describe('resolveColumns', () => {
  it('reads columns that are named like the fields, in any spelling', () => {
    expect(resolve(['Company Name', 'website-url', ' CITY', 'Umsatz']).columns).toEqual({
      used: { company_name: 'Company Name', website_url: 'website-url', city: ' CITY' },
      ignored: ['Umsatz'],
    });
  });

  it.each([
    [false, 'Rename all but one of them'],
    [true, 'Rename all but one of them with AS'],
  ])('says how to rename columns of one field, with a query %p', (isQuery, remedy) => {
    const { problem } = resolveColumns(['company_name', 'Ort', 'Ort'], {
      fields: tableFields,
      settings: { city: 'Ort' },
      settingsPath,
      isQuery,
    });
    expect(problem).toBe(`it has 2 columns for city: "Ort", "Ort". ${remedy}`);
  });

  it('reads the columns that the settings name', () => {
    const settings = { company_name: 'firma', website_url: 'Website', external_id: 'Kunden-Nr.' };
    expect(resolve(['Firma', 'Website', 'Kunden-Nr.', 'Notiz'], settings).columns).toEqual({
      used: { company_name: 'Firma', website_url: 'Website', external_id: 'Kunden-Nr.' },
      ignored: ['Notiz'],
    });
  });

  it.each([
    ['website_url', 'Website url Domain HOMEPAGE Webseite website_ur www Company-Website'],
    ['city', 'Ort Stadt town citty PLZ Postleitzahl'],
    ['country', 'Land nation contry Länderkennzeichen'],
    ['external_id', 'id ID Kundennummer Kunden-Nr. customer_number externalid Kundennumer'],
  ])('rejects a column that may be %s, and proposes a setting', (field, names) => {
    for (const name of names.split(' ')) {
      const { columns, problem } = resolve(['company_name', name]);
      expect({ name, columns }).toEqual({ name, columns: undefined });
      expect(problem).toContain(`The column ${JSON.stringify(name)} is not read, and may be ${field}`);
      expect(problem).toContain(`${settingsPath}: {${field}: `);
    }
  });

  it.each([
    ['French', 'Site web;Ville;Pays;Code client'],
    ['Polish', 'Strona WWW;Miasto;Kraj;Nr klienta'],
    ['Italian', 'Sito web;Città;Paese;Codice cliente'],
    ['Spanish', 'Página web;Ciudad;País;Código de cliente'],
    ['Portuguese', 'Sitio;Cidade;País;Código do cliente'],
    ['Dutch', 'Webadres;Plaats;Land;Klantnummer'],
    ['Swedish', 'Hemsida;Postort;Land;Kundnummer'],
    ['SAP', 'URI_ADDR;ORT01;LAND1;KUNNR'],
  ])('proposes one setting that is enough to read a file with headers in %s', (_, names) => {
    const [website = '', city = '', country = '', id = ''] = names.split(';');
    const headers = ['company_name', website, city, country, id, 'Umsatz'];
    const settings = { website_url: website, city, country, external_id: id };
    const { problem } = resolve(headers);
    for (const [field, header] of Object.entries(settings))
      expect(problem).toMatch(new RegExp(`${field}: "?${header}"?[,}]`));
    expect(resolve(headers, settings).columns).toMatchObject({ ignored: ['Umsatz'] });
  });

  it.each(['NAME1', 'Raison sociale', 'Nazwa firmy', 'Ragione sociale', 'Razón social', 'Bedrijfsnaam'])(
    'proposes a column %s for the names of the companies',
    (name) => expect(resolve([name, 'city']).problem).toContain(`${settingsPath}: {company_name: ${name}}`),
  );

  it.each([
    'Aktion',
    'Station',
    'Days',
    'Stato',
    'Phase',
    'Plan',
    'Pais code',
    'Platz',
    'Village',
    'Site manager',
    'Nom',
    'Code',
  ])('does not take a column %s for a field', (name) =>
    expect(resolve(['company_name', name]).columns).toMatchObject({ ignored: [name] }),
  );

  it.each([
    'Firma',
    'name',
    'Unternehmen',
    'company',
    'Firmenname',
    'organisation',
    'compny_name',
    'Firma (Kunde)',
    'Firma / Company *',
    'Firmenname lt. Handelsregister',
  ])('rejects a file whose company names are in a column %s, and proposes a setting', (name) => {
    const { problem } = resolve([name, 'city']);
    expect(problem).toMatch(/^it has no column company_name\. /);
    expect(problem).toContain(`${settingsPath}: {company_name: `);
  });

  it('proposes one setting that is enough to read a German file', () => {
    const headers = ['Firma', 'Website', 'PLZ', 'Ort', 'Kundennummer', 'Umsatz'];
    const columns = 'company_name: Firma, website_url: Website, city: Ort, external_id: Kundennummer';
    expect(resolve(headers).problem).toContain(`Set ${settingsPath}: {${columns}}`);
    const settings = Object.fromEntries(columns.split(', ').map((pair) => pair.split(': ')));
    expect(resolve(headers, settings).columns).toMatchObject({ ignored: ['PLZ', 'Umsatz'] });
  });

  it('includes the existing settings in its proposal, which can be copied', () => {
    const settings = { company_name: 'Firma', website_url: 'Website', ignore: ['Notiz'] };
    expect(resolve(['Firma', 'Website', 'Ort', 'Notiz'], settings).problem).toContain(
      `Set ${settingsPath}: {company_name: Firma, website_url: Website, city: Ort, ignore: [Notiz]}`,
    );
  });

  it('says so when a sign that separates no columns stands between them', () => {
    expect(resolve(['Firma^Website^Ort']).problem).toContain(
      'If "^" separates its columns, save it with a comma or a semicolon between them',
    );
  });

  it('shows no value when the first row is not a header', () => {
    const row = ['Müller & Söhne 1 AG', 'www.firma-01.example', 'München', '1001', 'Firma Geheim'];
    for (const settings of [{}, { company_name: 'Firma', website_url: 'Website' }]) {
      const { problem = '' } = resolve(row, settings);
      expect(problem).not.toMatch(/Müller|firma-01|München|1001/);
    }
  });

  it('ignores a column that the settings ignore', () => {
    const { columns } = resolve(['company_name', 'ID', 'Website'], { ignore: ['id', 'Website'] });
    expect(columns).toEqual({ used: { company_name: 'company_name' }, ignored: ['ID', 'Website'] });
  });

  it('ignores a column with the name of a field that the settings ignore, and never that of the names alone', () => {
    const headers = ['company_name', 'Website_URL', 'city', 'city'];
    expect(resolve(headers, { ignore: ['website_url', 'city'] }).columns).toEqual({
      used: { company_name: 'company_name' },
      ignored: ['Website_URL', 'city', 'city'],
    });
    const other = { company_name: 'Firma', ignore: ['company_name', 'website_url'] };
    expect(resolve([...headers, 'Firma'], { ...other, city: 'Website_URL' }).columns?.used).toEqual({
      company_name: 'Firma',
      city: 'Website_URL',
    });
    expect(resolve(['company_name', 'website_url'], { ignore: ['company_name'] }).problem).toContain(
      `${settingsPath}.ignore names its column company_name, and no setting names another`,
    );
  });

  it('ignores a similar column when the exact one exists', () => {
    expect(resolve(['company_name', 'website_url', 'Website']).columns?.ignored).toEqual(['Website']);
  });

  it('rejects a setting for a column that does not exist, also where the field itself exists', () => {
    const settings = { company_name: 'Firma', city: 'Ort' };
    expect(resolve(['Name', 'Notiz', 'city'], settings).problem).toContain(
      `it has no column "Firma" (${settingsPath}.company_name)`,
    );
    expect(resolve(['company_name', 'city'], settings).problem).toBe(
      [
        `it has no column "Firma" (${settingsPath}.company_name). it has no column "Ort" (${settingsPath}.city)`,
        'The column "company_name" is not read, and may be company_name. The column "city" is not read, and may be city',
        'Its columns are "company_name", "city"',
        `Set ${settingsPath}: {company_name: company_name, city: city}`,
      ].join('. '),
    );
  });

  it('proposes the header that is similar to that of a setting, before the name of the field', () => {
    const headers = ['website_url', 'Internetseite', 'company_name', 'Kontoinhaber'];
    const { problem } = resolve(headers, { website_url: 'Internetsite', external_id: 'Kontoinhabr' });
    expect(problem).toContain(
      'The column "Internetseite" is not read, and may be website_url: its name is similar to that of the setting',
    );
    expect(problem).toContain('Its columns are "website_url", "Internetseite", "company_name", "Kontoinhaber"');
    expect(problem).toContain(`Set ${settingsPath}: {website_url: Internetseite, external_id: Kontoinhaber}`);
  });

  it.each([
    ['Firma\n(lt. SAP)', 'Firma'],
    ['Firma (lt. SAP)', 'firma'],
    ['Firma\nCompany', 'Firma'],
    ['Firma [Pflichtfeld]', 'Firma (lt. SAP)'],
    ['Debitor', 'Debitor (Name)'],
  ])('proposes the header %j, but does not read it, for the setting %j', (header, wanted) => {
    const { columns, problem } = resolve([header, 'Web', 'Ort'], {
      company_name: wanted,
      website_url: 'Web',
      city: 'Ort',
    });
    expect(columns).toBeUndefined();
    const quoted = JSON.stringify(header);
    expect(problem).toBe(
      [
        `it has no column ${JSON.stringify(wanted)} (${settingsPath}.company_name)`,
        `The column ${quoted} is not read, and may be company_name: its name is similar to that of the setting`,
        `Its columns are ${quoted}, "Web", "Ort"`,
        `Set ${settingsPath}: {website_url: Web, city: Ort, company_name: ${/^\w+$/.test(header) ? header : quoted}}`,
      ].join('. '),
    );
  });

  it('lists all columns where a setting names one of them, which proves that the row is a header', () => {
    const { problem } = resolve(['Bezeichnung', 'Web'], { company_name: 'Firma', website_url: 'Web' });
    expect(problem).toContain('Its columns are "Bezeichnung", "Web"');
  });

  it('ignores a column with a remark where no setting names it', () => {
    const headers = ['company_name', 'Ort (Lieferung)', 'Name\n(Kontakt)', 'Nr. (lfd.)', 'Land\n(Rechnung)'];
    expect(resolve(headers).columns?.ignored).toEqual(headers.slice(1));
    expect(resolve(['Firma\n(lt. SAP)']).problem).toContain('"Firma\\n(lt. SAP)" is not read, and may be company_name');
  });

  it('proposes no setting that leaves a configured column out without a word', () => {
    const { problem } = resolve(['company_name', 'Notiz'], { city: 'Standort' });
    expect(problem).toBe(
      `it has no column "Standort" (${settingsPath}.city). Its columns are "company_name", "Notiz". Correct ${settingsPath}`,
    );
  });

  it('says that the column of the name is required where no column may be it', () => {
    const required = 'A column with the names of the companies is required: add one';
    expect(resolve(['domain']).problem).toContain(required);
    expect(resolve(['Firma', 'domain']).problem).not.toContain(required);
  });

  it('proposes no header that two columns have', () => {
    const { problem } = resolve(['Firma', 'Website', 'Website', 'Ort']);
    expect(problem).toContain('The 2 columns "Website" are not read, and one of them may be website_url');
    const setting = 'company_name: Firma, city: Ort, ignore: [Website]';
    expect(problem).toMatch(
      `Rename all but one of the columns "Website", or ignore them: set ${settingsPath}: {${setting}}`,
    );
    expect(resolve(['Website', 'company_name', 'Homepage', 'Website']).problem).toContain('{website_url: Homepage}');
  });

  it.each([
    'Art',
    'Umsatz',
    'Branche',
    'Telefon',
    'Rang',
    'Mitarbeiter',
    'Umsatzsteuer-ID',
    'LinkedIn URL',
    'Unternehmensgröße',
  ])('maps %s to no field', (name) => {
    expect(resolve(['company_name', name]).columns?.ignored).toEqual([name]);
  });

  it('names no cell of a file without a header row', () => {
    const problem = resolve(['Geheim GmbH', 'https://geheim.example', 'Berlin']).problem ?? '';
    expect(problem).toBe(
      'it has no column company_name. The first row must name the columns; none of its 3 cells are known names',
    );
    expect(resolve(['Geheim GmbH', 'City', 'country']).problem).toContain(
      '"City", "country" of its 3 cells are known names',
    );
  });

  it('reads reason and expiry for exclusions only', () => {
    const headers = ['company_name', 'Gültig bis', 'Grund'];
    expect(resolve(headers).columns?.ignored).toEqual(['Gültig bis', 'Grund']);
    expect(resolve(headers, {}, sourceFields).problem).toContain(
      `Set ${settingsPath}: {reason: Grund, expires_at: Gültig bis}`,
    );
  });

  it('uses or ignores every column exactly once, or rejects the file', () => {
    const header = fc.oneof(
      fc.constantFrom('Firma', 'website_url', 'Ort', 'ID', 'city', 'x'),
      fc.string({ minLength: 1 }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(header, { maxLength: 8 }), fc.boolean(), (others, isIgnored) => {
        const headers = ['company_name', ...others.filter((name) => name !== 'company_name')];
        const { columns, problem } = resolve(headers, isIgnored ? { ignore: headers.slice(1) } : {});
        expect(columns === undefined).toBe(problem !== undefined);
        expect(isIgnored && problem !== undefined).toBe(false);
        if (columns === undefined) return;
        expect([...Object.values(columns.used), ...columns.ignored].toSorted()).toEqual(headers.toSorted());
      }),
    );
  });
});
