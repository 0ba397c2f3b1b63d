// Files as people have them: what is ordered, or what the error says. test/fixtures/source-files holds invented companies.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { readFromTable } from '../../../src/companies/sources/table-companies.ts';
import { toSourceDocument } from '../../../src/proof/report/source-document.ts';
import { toSourceText } from '../../../src/proof/report/source-text.ts';
import { craftXlsx, header } from '../../base/spreadsheet/craft-xlsx.ts';
import { createFolder } from '../../base/spreadsheet/temporary-folder.ts';
import type { FileSource } from '../../../src/companies/sources/company-source.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/source-files');
const temporary = createFolder();

async function read(name: string, settings: Partial<FileSource> = {}) {
  const source = {
    kind: name.endsWith('.csv') ? ('csv' as const) : ('xlsx' as const),
    path: path.resolve(folder, name),
    settingsPath: 'runs.leads.companies.columns',
    ...settings,
  };
  const context = { signal: new AbortController().signal, recordProgress: () => {} };
  const {
    rows,
    source: draft,
    rejected,
  } = await readFromTable(source, { runName: 'leads', maxBriefings: null }, context);
  const companies = rows.map(({ company }) => company);
  return { companies, report: draft.report, headers: draft.headers, rejected };
}

const customerColumns = {
  company_name: 'Firmenname',
  website_url: 'Webseite',
  city: 'Ort',
  country: 'Land',
  external_id: 'Kd.-Nr.',
};

async function problemOf(name: string, settings?: Partial<FileSource>): Promise<string> {
  return read(name, settings).then(
    ({ companies }) => `read ${JSON.stringify(companies)}`,
    (error: Error) => error.message,
  );
}

describe('an ordinary file of companies', () => {
  it.each<[string, Partial<FileSource>]>([
    ['kundenstamm.xlsx', { sheet: 'Kundenstamm', headerRow: 3, columns: customerColumns }],
    ['e3-rows.csv', {}],
    ['c01-sep-line.csv', {}],
    ['c08-invisible.csv', { badRows: 'reject' }],
  ])('has no row that is announced because of its neighbours: %s', async (name, settings) => {
    const { report } = await read(name, settings);
    expect(report.ordered).toBeGreaterThan(0);
    for (const note of [
      'crowdedWebsites',
      'crowdedNames',
      'cityNames',
      'shiftedWebsites',
      'numberedWebsites',
      'numberedNames',
      'personalIds',
    ])
      expect(report).not.toHaveProperty(note);
  });
});

describe('a CSV file of companies', () => {
  it('is read below the line sep= of Excel', async () => {
    const { companies } = await read('c01-sep-line.csv');
    expect(companies).toContainEqual({
      company_name: 'Alpha Bau',
      website_url: 'https://alpha-c1.example',
      city: 'Ulm',
      external_id: '1',
    });
  });

  it('is split at the separator of its rows when the header has as many commas', async () => {
    const { companies, report } = await read('c03-commas-in-header.csv');
    expect(companies[0]).toMatchObject({ company_name: 'Beta Bau' });
    expect(report.columns?.ignored).toContain('Umsatz, EUR');
    expect(toSourceText(report).at(-1)).toMatch(/^columns not read: .*"Umsatz, EUR"/);
    const { report: other } = await read('c03-commas-in-header.csv', { columns: { city: 'Umsatz, EUR' } });
    expect(toSourceText(other).join('\n')).toContain('city from "Umsatz, EUR"');
  });

  it('needs header_row when a title is above the header, and the error names the row', async () => {
    expect(await problemOf('c04-preamble.csv')).toContain(
      'The header was read from row 1; row 4 looks like the header: set runs.leads.companies.header_row: 4',
    );
    const { companies } = await read('c04-preamble.csv', { headerRow: 4 });
    expect(companies[0]).toMatchObject({ company_name: 'Delta Bau', external_id: '1' });
  });

  it('has different columns when headers differ in a sign', async () => {
    const { headers, companies } = await read('c06-symbol-headers.csv');
    expect(headers).toEqual(['company_name', 'website_url', 'Umsatz (€)', 'Umsatz ($)', 'Anteil', 'Anteil %']);
    expect(companies).toHaveLength(1);
    const settings = { columns: { city: 'Anteil %' } };
    expect((await read('c06-symbol-headers.csv', settings)).companies[0]).toMatchObject({ city: '50' });
  });

  it('is read with repeated headers, unless a repeated column is read', async () => {
    const { companies } = await read('c07-repeated-headers.csv');
    expect(companies).toEqual([{ company_name: 'Zeta Bau', website_url: 'https://zeta-c7.example' }]);
    expect(await problemOf('c07-repeated-headers.csv', { columns: { city: 'Phone' } })).toContain(
      'it has 2 columns for city: "Phone", "Phone". Rename all but one of them',
    );
  });
});

describe('the values of a file', () => {
  it('lose invisible characters, which are counted, and a name of them alone is refused', async () => {
    expect(await problemOf('c08-invisible.csv')).toContain('row 3: company_name: ');
    const { companies, report } = await read('c08-invisible.csv', { badRows: 'reject' });
    expect(companies).toEqual([
      { company_name: 'Eta Bau', website_url: 'https://eta-c8.example', city: 'Ulm', external_id: 'C8-1' },
      { company_name: 'Iota Bau' },
    ]);
    expect(report).toMatchObject({ cleaned: 7, rejected: { rows: 1 } });
  });

  it('are refused where a cell has several web addresses', async () => {
    expect(await problemOf('c11-two-addresses.csv')).toContain(
      'row 2: website_url: several web addresses in one cell; keep one of them',
    );
  });

  it('are announced where a row has a name only, such as the footer of a report', async () => {
    const { report } = await read('c13-footer.csv');
    expect(report.nameOnly).toEqual({ rows: 2, first: [3, 4] });
    expect(toSourceText(report)).toContain('rows with a name only: 2 (row 3, 4). Check that they are companies');
  });
});

describe('the names of a file', () => {
  it('are announced where they look wrong', async () => {
    const file = path.join(temporary, 'names.csv');
    const lines = [
      'company_name,website_url',
      'Alpha,alpha.example',
      'MÃ¼ller GmbH,',
      '4711,',
      'Summe:,',
      'Total,total.example',
    ];
    await writeFile(file, lines.join('\n'));
    const { report } = await read('names.csv', { path: file });
    expect(toSourceText(report)).toContain(
      'rows whose name looks wrong (broken characters, a number or signs only, added symbols, a register number, a web address, several names or lines, a legal form, a header, a country or a region only, a total): 3 (row 3, 4, 5)',
    );
  });
});

describe('the columns that are read and those that are not', () => {
  const write = async (...lines: string[]) => {
    const file = path.join(temporary, 'columns.csv');
    await writeFile(file, `${lines.join('\n')}\n`);
    return file;
  };

  it('are announced where cities are telephone numbers, addresses or countries', async () => {
    const cities = ['+49 731 12345', 'ulm@eta-x.example', 'Germany', 'Ulm'];
    const file = await write('company_name,city', ...cities.map((city, index) => `Alpha ${'ABCD'[index]},${city}`));
    const { report } = await read(file);
    expect(report.doubtfulCities).toEqual({ rows: 3, first: [2, 3, 4] });
  });

  it('are announced where the names are those of an industry or a city', async () => {
    const rows = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map((host) => `Maschinenbau,${host}.de,Ulm`);
    const file = await write('Branche,Website,Ort', ...rows, 'Ulm,,ULM');
    const { report } = await read(file, { columns: { company_name: 'Branche', website_url: 'Website', city: 'Ort' } });
    expect(toSourceText(report)).toEqual(
      expect.arrayContaining([
        'rows of one name with several different websites: 5 (row 2, 3, 4, 5, 6). Another column may have been read as company_name, such as that of the industry; or it is a chain',
        'rows whose name is a city: 1 (row 7). Another column may have been read as company_name, or their name and city are swapped',
      ]),
    );
    expect(toSourceDocument(report)).toMatchObject({ crowded_names: { rows: 5 }, city_names: { rows: 1, first: [7] } });
  });

  it.each([
    ['Ansprechpartner', ['Firma'], 'Firma. company_name is read from Ansprechpartner, a column of people'],
    ['Contact Last Name', ['Company'], 'Company. company_name is read from Contact Last Name, a column of people'],
    ['Name', ['Company', 'Unternehmen'], 'Company, Unternehmen. company_name is read from Name'],
    ['company_name', ['Firma'], null],
    ['Firma', ['Company'], null],
    ['Kunde', ['Name', 'Account', 'Firma (alt)'], null],
  ])('are announced where names are read from %s and not from %j', async (name, others, found) => {
    const file = await write([name, ...others].join(','), ['Anna Schmidt', ...others.map(() => 'Alpha')].join(','));
    const lines = toSourceText((await read(file, { columns: { company_name: name } })).report);
    const expected = `columns of companies that are not read: ${found}: check that it has the names of companies`;
    expect(lines.filter((line) => line.startsWith('columns of companies'))).toEqual(found === null ? [] : [expected]);
  });

  it.each([
    ['Nachname', [], true],
    ['Last name', ['City'], true],
    ['Contact person 1', [], true],
    ['Contact', [], true],
    ['E-Mail', [], true],
    ['Name', ['Vorname', 'Telefon'], true],
    ['Name', ['Vorname', 'Nachname'], false],
    ['Name', ['Kontakt'], false],
    ['Kunde', ['Vorname', 'Nachname'], false],
    ['Firma', ['Ansprechpartner'], false],
  ])('are announced where names are read from %s beside %j, a column of people: %p', async (name, others, isFound) => {
    const file = await write([name, ...others].join(','), ['Alpha', ...others.map(() => 'Anna')].join(','));
    const lines = toSourceText((await read(file, { columns: { company_name: name } })).report);
    const expected = `company_name is read from ${name}, a column of people: check that it has the names of companies`;
    expect(lines.filter((line) => line.includes('check that it'))).toEqual(isFound ? [expected] : []);
  });

  it.each([
    ['rot = nicht anschreiben', true],
    ['Rot: gesperrt', true],
    ['rote Zeilen nicht kontaktieren', true],
    ['Red = do not contact', true],
    ['yellow rows are not to be called', true],
    ['Legende: Farben siehe Blatt 2', true],
    ['Grün → Kunde', true],
    ['Farbe', false],
    ['Color', false],
    ['Rotation: 5', false],
    ['Kredit: Status', false],
    ['Red List', false],
    ['Nicht anschreiben', false],
  ])('are announced where a header that is not read explains colours: %s, %p', async (header, isFound) => {
    const file = await write(`company_name,${header}`, 'Alpha,');
    const lines = toSourceText((await read(file)).report).filter((line) => line.includes('colours'));
    const expected = `headers that explain colours, which are not read: ${header}. Take out the rows that they mark`;
    expect(lines).toEqual(isFound ? [expected] : []);
  });

  it('are announced where most names are those of people', async () => {
    const file = await write(
      'Name,E-Mail,Telefon',
      'Anna Schmidt,anna.schmidt@alpha.de,1',
      'Dr. Peter von Berg,pvb@gmail.com,2',
      'Yıldız Özgür,y.oezguer@beta.de,3',
      'Gamma GmbH,info@gamma.de,4',
    );
    const columns = { company_name: 'Name', website_url: 'E-Mail', ignore: ['Telefon'] };
    const { report } = await read(file, { columns });
    expect(toSourceText(report)).toContain(
      'rows whose name is that of a person, as most names of the source are: 3 (row 2, 3, 4). The service looks for companies: read company_name from a column of companies',
    );
    expect(toSourceDocument(report)).toMatchObject({ people_names: { rows: 3, first: [2, 3, 4] } });
  });

  it('are announced where they mark rows as not to be contacted', async () => {
    const file = await write(
      'company_name,Status,"Opt-out, Mail",city',
      'Alpha,do not contact,,Ulm',
      'Beta,Kunde,,Widerspruch',
      'Gamma,gesperrt,ja,Ulm',
      'Delta,,x,Ulm',
    );
    const { report } = await read(file);
    expect(toSourceText(report)).toContain(
      'rows that a column which is not read marks as not to be contacted, or as closed or deleted: 3 (row 2, 4, 5) in column Status, "Opt-out, Mail". Take them out, or import them as suppressions',
    );
    const expected = { rows: 3, first: [2, 4, 5], columns: ['Status', 'Opt-out, Mail'] };
    expect(toSourceDocument(report)).toMatchObject({ do_not_contact: expected });
  });
});

describe('the rows of a CSV file', () => {
  it('are announced where values are missing, a country is misspelt or an id may have lost digits', async () => {
    const file = path.join(temporary, 'short.csv');
    const lines = [
      'company_name,country,external_id',
      'Alpha,Austria,12345678901234500',
      'Beta',
      'Gamma,Deutschlnd,7',
      '',
    ];
    await writeFile(file, lines.join('\n'));
    const { report } = await read(file);
    expect(toSourceText(report)).toEqual(
      expect.arrayContaining([
        'rows with fewer values than the header, whose last cells are read as empty: 1 (row 3)',
        'ids of more than 15 digits that end in zeros, as Excel writes ids whose last digits it has lost: 1 (row 2). Compare them with the system that issued them',
      ]),
    );
    expect(toSourceDocument(report)).toMatchObject({
      short_rows: { rows: 1, first: [3] },
      doubtful_countries: { rows: 1, first: [4] },
      rounded_ids: { rows: 1, first: [2] },
    });
  });

  it.each([
    ['company_name;website_url;city', ',', ['Alpha,alpha.de,Ulm', 'Beta,,']],
    ['company_name,city', ';', ['Alpha;Ulm']],
    ['company_name,city', '\\t', ['Alpha\tUlm', 'Beta\tBonn']],
  ])('are refused where the header %s has another separator than the rows, %s', async (header, sign, rows) => {
    const file = path.join(temporary, 'separators.csv');
    await writeFile(file, [header, ...rows, ''].join('\n'));
    expect(await problemOf(file)).toContain(
      `in line 1: the rows below the header are separated by another sign ("${sign}") than it, so that each is one value. Separate all lines by the same sign`,
    );
  });

  it.each([[['Alpha, Inc.', 'Beta']], [['Alpha, Inc.;', 'Beta, Ltd.;']], [['Alpha, Beta, and Co.', 'Gamma, Inc.']]])(
    'are read where they are names with commas: %j',
    async (rows) => {
      const file = path.join(temporary, 'commas.csv');
      await writeFile(file, ['company_name;city', ...rows, ''].join('\n'));
      expect((await read(file)).companies).toHaveLength(2);
    },
  );

  it('are refused with the error of the spreadsheet program that a name is', async () => {
    const file = path.join(temporary, 'ref.csv');
    await writeFile(file, 'company_name,city\n#REF!,Ulm\n');
    expect(await problemOf(file)).toContain(
      'was not used: row 2: company_name: the cell holds the spreadsheet error #REF!; correct the formula or enter the name. No order',
    );
  });
});

describe('an Excel file of companies', () => {
  it.each(['x05-shared-strings-elsewhere.xlsx', 'x06-workbook22.xlsx'])(
    'is read when its parts have other names (%s)',
    async (name) => {
      const { companies } = await read(name);
      expect(companies.map((company) => Object.keys(company))).toEqual(
        Array.from({ length: 2 }, () => ['company_name', 'website_url', 'city', 'country', 'external_id']),
      );
    },
  );

  it.each([
    ['x08-formulas-without-results.xlsx', 'in line 2: the column "website_url" has formulas without a stored result'],
    ['x09a-password.xlsx', 'it is protected by a password; remove the password'],
    ['x09b-really-xls.xlsx', 'it is an Excel file in the old format (.xls)'],
    ['x09c-html-table.xlsx', 'it is an HTML or XML file under another name'],
    ['x09d-really-csv.xlsx', 'it is a text file under another name; rename it to .csv'],
    ['x18-date-as-id.xlsx', 'row 2: external_id: the cell holds a date; format the column as text'],
    ['x19-long-numbers.xlsx', 'row 2: external_id: the cell holds a number of more than 15 digits'],
  ])('is refused where %s', async (name, problem) => {
    expect(await problemOf(name)).toContain(problem);
  });

  it('names the sheet that is read and the others, unless a setting chooses one', async () => {
    const workbook = new ExcelJS.Workbook();
    for (const name of ['Leads', 'Old, 2025'])
      workbook.addWorksheet(name).addRows([['company_name'], [`${name} GmbH`]]);
    const file = path.join(temporary, 'two-sheets.xlsx');
    await workbook.xlsx.writeFile(file);
    const texts = async (sheet?: string) => {
      const { report } = await read(file, { sheet });
      return toSourceText(report).filter((text) => text.includes('sheet'));
    };
    expect(await texts()).toEqual([
      'sheet read: Leads; sheets not read: "Old, 2025". The setting sheet chooses another',
    ]);
    expect(await texts('Leads')).toEqual([]);
  });

  it('is refused where a CSV file is expected', async () => {
    expect(await problemOf('x06-workbook22.xlsx', { kind: 'csv' })).toContain('write xlsx instead of csv');
  });
});

describe('a German list of customers', () => {
  const columns = {
    company_name: 'Firmenname',
    website_url: 'Webseite',
    city: 'Ort',
    country: 'Land',
    external_id: 'Kd.-Nr.',
  };

  it('is refused with the row of its header, and read with the settings that the error names', async () => {
    expect(await problemOf('kundenstamm.xlsx', { sheet: 'Kundenstamm' })).toContain('row 3 looks like the header');
    const settings = { sheet: 'Kundenstamm', headerRow: 3, columns };
    const { companies, report } = await read('kundenstamm.xlsx', settings);
    expect(report).toMatchObject({ rows: 204, blank: 4, ordered: 200 });
    expect(companies[0]).toEqual({
      company_name: 'Müller Maschinenbau GmbH & Co. KG',
      website_url: 'https://mueller0.website-unreachable.example',
      city: 'Wien',
      country: 'Österreich',
      external_id: '000001',
    });
  });
});

describe('the rows of an Excel file', () => {
  it.each([
    [
      'shown',
      {},
      ['KD-00042', 'KD-00043'],
      'ids read as their number format shows them: 2, for example KD-00042, stored as 42. external_id_form: stored reads the other form',
    ],
    [
      'stored',
      { externalIdForm: 'stored' },
      ['42', '43'],
      'ids read as they are stored: 2, for example 42, shown as KD-00042',
    ],
  ] as const)(
    'are announced with both forms of the id where a number format shows another one, and have the %s one',
    async (_, settings, ids, note) => {
      const { companies, report } = await read('x12-id-format-prefix.xlsx', settings);
      expect(companies.map(({ external_id: id }) => id)).toEqual(ids);
      expect(toSourceText(report)).toContain(note);
    },
  );

  it.each([
    [
      {},
      ['1001.0', '1002.0', '1003', '1.10'],
      'ids read with the ending .0, which programs add to numbers: 2, for example 1001.0. external_id_form: stored reads 1001',
    ],
    [
      { externalIdForm: 'stored' },
      ['1001', '1002', '1003', '1.10'],
      'ids read without the ending .0: 2, for example 1001',
    ],
  ] as const)('are announced where ids end in .0, with %j', async (settings, ids, note) => {
    const file = path.join(temporary, 'decimal-ids.csv');
    const lines = ['Alpha GmbH,1001.0', 'Beta GmbH,1002.0', 'Gamma GmbH,1003', 'Delta GmbH,1.10'];
    await writeFile(file, `company_name,external_id\n${lines.join('\n')}\n`);
    const { companies, report } = await read('decimal-ids.csv', { path: file, ...settings });
    expect(companies.map(({ external_id: id }) => id)).toEqual(ids);
    expect(toSourceText(report)).toContain(note);
  });

  it('are announced where a number format shows an id as another text that is not read', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Kunden');
    sheet.addRows([
      ['company_name', 'external_id', 'Umsatz'],
      ['Alpha GmbH', 0.5, 1],
      ['Beta GmbH', 12345, 1],
      ['Gamma GmbH', 12345, 12345],
      ['Delta GmbH', 7, 1],
    ]);
    for (const [cell, format] of Object.entries({ B2: '0%', B3: '#,##0', C4: '#,##0 "EUR"', B5: '#,##0' }))
      sheet.getCell(cell).numFmt = format;
    const file = path.join(temporary, 'formatted-ids.xlsx');
    await workbook.xlsx.writeFile(file);
    const { companies, report } = await read(file);
    expect(companies.map(({ external_id: id }) => id)).toEqual(['0.5', '12345', '12345', '7']);
    expect(toSourceText(report)).toContain(
      'ids whose number format shows another text, which are read as they are stored: 2 (row 2, 3). If people use the other form, format the column as text and enter the ids again',
    );
    expect(toSourceDocument(report)).toMatchObject({ stored_ids: { rows: 2, first: [2, 3] } });
    expect(toSourceDocument(report)).not.toHaveProperty('formatted_ids');
  });

  it('are announced where cells are merged or a column has no header, and hidden columns that are read are named', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Kunden');
    sheet.addRows([
      ['Liste 2026'],
      ['company_name', 'website_url', 'Adresse', null, 'country'],
      ['Alpha GmbH', 'alpha.example', 'Hauptstr. 1', 'Köln', 'Germany'],
      ['Beta GmbH', 'beta.example', 'Ring 2', 'Bonn', 'Germany', 'seen'],
      ['Gamma GmbH', 'gamma.example', null, null, null],
      ['Delta GmbH', 'delta.example'],
    ]);
    for (const range of ['A1:E1', 'C2:D2', 'E4:E5', 'H3:H4', 'A9:E9']) sheet.mergeCells(range);
    sheet.getColumn(2).hidden = true;
    const file = path.join(temporary, 'merged-cells.xlsx');
    await workbook.xlsx.writeFile(file);
    const { companies, report } = await read(file, { headerRow: 2 });
    expect(companies.map(({ city, country }) => [city, country])).toEqual([
      [undefined, 'Germany'],
      [undefined, 'Germany'],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    const texts = toSourceText(report);
    expect(texts).toContain(
      'rows with values in columns without a header, which are not read: 2 (row 3, 4) in column D, F. Give each column its own header',
    );
    expect(texts).toContain(
      'merged cells, which are read as a value in the first cell and empty ones: 2 (C2:D2, E4:E5). Unmerge them, and fill in each cell',
    );
    expect(texts).toContain('columns read although the file hides them: website_url');
    expect(toSourceDocument(report)).toMatchObject({
      unnamed_columns: { rows: 2, first: [3, 4], columns: ['D', 'F'] },
      merged_cells: { ranges: 2, first: ['C2:D2', 'E4:E5'] },
      columns_hidden: ['website_url'],
    });
  });

  async function readText(name: string, text: string, columns = {}) {
    await writeFile(path.join(temporary, name), text);
    return (await read(path.join(temporary, name), { columns })).report;
  }

  it('names a column with web addresses in most rows where no website is read, and the setting that reads it', async () => {
    const rows = ['A-Nr', 'www.alpha.de', 'https://beta.at/de', '', 'gamma.com'].map(
      (cell, row) => `Firma ${row};x;${cell}`,
    );
    const report = await readText('unread-websites.csv', `Firma;Notiz;Kotisivu\n${rows.join('\n')}\n`, {
      company_name: 'Firma',
    });
    const setting = 'runs.leads.companies.columns: {company_name: Firma, website_url: Kotisivu}';
    expect(toSourceText(report)).toContain(
      `no website is read, and the column Kotisivu has web addresses in most rows: set ${setting}`,
    );
    expect(toSourceDocument(report)).toMatchObject({ unread_websites: { column: 'Kotisivu', setting } });
  });

  it.each([
    ['fewer than half of the rows', 'Notiz', ['alpha.de', '', 'x'], {}],
    ['addresses of mailboxes', 'Kontakt', ['a@alpha.de', 'b@beta.de', 'c@gamma.de'], {}],
    ['links to one system', 'CRM', ['https://crm.acme.com/1', 'https://crm.acme.com/2', 'https://crm.acme.com/3'], {}],
    [
      'pages of a network',
      'Profil',
      ['linkedin.com/company/a', 'linkedin.com/company/b', 'linkedin.com/company/c'],
      {},
    ],
    ['names, dates and numbers', 'Datei', ['rechnung.pdf', '01.02.2024', '1.234'], {}],
    ['a column that is ignored', 'Link2', ['alpha.de', 'beta.de', 'gamma.de'], { ignore: ['Link2'] }],
    ['another column that is read', 'Link2', ['alpha.de', 'beta.de', 'gamma.de'], { website_url: 'Umsatz' }],
  ])('names no such column for %s', async (_, header, cells, columns) => {
    const rows = cells.map((cell, row) => `Firma ${row};;${cell}`);
    const report = await readText('read-websites.csv', `company_name;Umsatz;${header}\n${rows.join('\n')}\n`, columns);
    expect(report.unreadWebsites).toBeUndefined();
  });

  it.each([
    ['two rows', 1, 'row 3: company_name: ', 'A2:A3'],
    [
      'more rows than the message names',
      700,
      'row 24: company_name: ',
      'A2:A3, A5:A6, A8:A9, A11:A12, A14:A15 and 695 more',
    ],
  ])('are refused with the merged cells that leave %s without a name', async (_, companies, row, ranges) => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Kunden');
    sheet.addRow(['company_name', 'city', 'country']);
    for (let index = 0; index < companies; index += 1)
      for (const city of ['Köln', 'Bonn', 'Ulm']) sheet.addRow([`Company ${index} ${city}`, city, 'Germany']);
    for (let top = 2; top < 3 * companies; top += 3) sheet.mergeCells(`A${top}:A${top + 1}`);
    sheet.mergeCells('C3:C4');
    const file = path.join(temporary, 'merged-names.xlsx');
    await workbook.xlsx.writeFile(file);
    const problem = await problemOf(file);
    expect(problem).toContain(row);
    expect(problem).toContain(
      `; names are merged over several rows, and only the first row of each has the name: ${ranges}. Unmerge them, and fill the names down. No order`,
    );
  });

  it.each([
    [10, ''],
    [11, '; and 1 more row'],
    [2_500, '; and 2,490 more rows'],
  ])('are refused with the problems of ten of %i invalid rows, and how many more there are', async (count, more) => {
    const file = path.join(temporary, `nameless-${count}.csv`);
    await writeFile(file, `company_name,city\n${',Ulm\n'.repeat(count)}Acme,Ulm\n`);
    const problem = await problemOf(file);
    expect(problem.match(/row \d+: company_name/g)).toHaveLength(10);
    expect(problem).toContain(
      `row 11: company_name: at least 1 character, found an empty text${more}. No order was placed`,
    );
  });

  it('are refused for a missing name without a word of cells that are merged elsewhere', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Kunden');
    sheet.addRows([
      ['company_name', 'city', 'country'],
      ['Alpha', 'Köln', 'Germany'],
      ['Beta', 'Köln', 'Germany'],
      [null, null, 'Germany'],
    ]);
    for (const range of ['B3:B4', 'A2:B2']) sheet.mergeCells(range);
    const file = path.join(temporary, 'other-ranges.xlsx');
    await workbook.xlsx.writeFile(file);
    const problem = await problemOf(file);
    expect(problem).toContain('row 4: company_name: ');
    expect(problem).not.toContain('merged');
  });

  it('are announced where their name or most of their values are struck through', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Kunden');
    sheet.addRows([
      ['external_id', 'company_name', 'website_url', 'city'],
      [1, 'Alpha', 'alpha.example', 'Köln'],
      [2, 'Beta', 'beta.example', 'Bonn'],
      [3, 'Gamma', 'gamma.example', 'Ulm'],
      [4, 'Delta', 'delta.example', 'Ulm'],
      [5, 'Epsilon'],
    ]);
    const strike = (...cells: string[]) => cells.forEach((cell) => (sheet.getCell(cell).font = { strike: true }));
    // The old city of Alpha, the name of Beta, all of Gamma but its name, an empty cell of Epsilon.
    strike('D2', 'B3', 'A4', 'C4', 'D4', 'C6', 'D6');
    sheet.getCell('B5').font = { strike: false, bold: true };
    const file = path.join(temporary, 'struck.xlsx');
    await workbook.xlsx.writeFile(file);
    const { companies, report } = await read(file);
    expect(companies).toHaveLength(5);
    expect(toSourceText(report)).toContain(
      'rows that are struck through, which are read like the others: 2 (row 3, 4). Delete them if they no longer count',
    );
    expect(toSourceDocument(report)).toMatchObject({ struck_rows: { rows: 2, first: [3, 4] } });
  });

  it('are announced where they have comments, and where a comment says not to contact the company', async () => {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('Other').addRow(['company_name']).getCell(1).note = 'do not contact';
    const sheet = workbook.addWorksheet('Kunden');
    sheet.addRows([
      ['company_name', 'city'],
      ['Alpha', 'Köln'],
      ['Beta', 'Bonn'],
      [],
      ['Gamma', 'Ulm'],
      ['Delta', 'Ulm'],
    ]);
    sheet.getCell('A1').note = 'Widerspruch';
    sheet.getCell('A2').note = 'Umsatz geschätzt';
    sheet.getCell('B3').note = {
      texts: [{ text: 'M. Muster:\n' }, { text: 'Nicht mehr ' }, { text: 'kontaktieren!' }],
    };
    sheet.getCell('C4').note = 'do not contact';
    sheet.getCell('F6').note = 'Bitte prüfen';
    const file = path.join(temporary, 'comments.xlsx');
    await workbook.xlsx.writeFile(file);
    const { companies, report } = await read(file, { sheet: 'Kunden' });
    expect(companies).toHaveLength(4);
    const texts = toSourceText(report);
    expect(texts).toContain(
      'rows with comments on their cells, which are not read: 3 (row 2, 3, 6). Write what matters into a column',
    );
    expect(texts).toContain(
      'rows whose comment says not to contact the company: 1 (row 3). Take them out, or import them as suppressions',
    );
    expect(toSourceDocument(report)).toMatchObject({
      commented_rows: { rows: 3, first: [2, 3, 6] },
      do_not_contact_comments: { rows: 1, first: [3] },
    });
    expect(JSON.stringify(report)).not.toMatch(/kontaktieren|Muster/);
  });

  it('are announced where they are hidden', async () => {
    const file = path.join(temporary, 'hidden.xlsx');
    const text = (column: string, row: number) =>
      `<c r="${column}${row}" t="inlineStr"><is><t>Company ${row}</t></is></c>`;
    craftXlsx(file, `${header}<row r="2">${text('A', 2)}</row><row r="3" hidden="1">${text('A', 3)}</row>`);
    const { companies, report } = await read('hidden.xlsx', { path: file });
    expect(companies).toHaveLength(2);
    expect(toSourceText(report)).toContain('hidden or filtered rows, which are ordered too: 1');
  });
});

describe('the header of a file', () => {
  const write = async (name: string, ...lines: string[]) => {
    const file = path.join(temporary, name);
    await writeFile(file, `${lines.join('\n')}\n`);
    return file;
  };

  it.each([
    [['company_name,city', 'Name,Ort', 'Alpha,Köln']],
    [['company_name,website_url,city', 'Name,Website,Ort', 'Alpha,alpha.example,Köln']],
    [['company_name,city,country', 'Bezeichnung,Ort,Land', 'Alpha,Köln,Deutschland']],
    [['company_name,Umsatz,Typ', 'Firma,Betrag,Nr', 'Alpha,12,Kunde']],
    [['company_name', 'Firma', 'Alpha']],
  ])('is refused where a second one follows: %j', async (lines) => {
    const file = await write('two-headers.csv', ...lines);
    expect(await problemOf(file)).toContain(
      'row 2 looks like a second header, because its cells are names of columns. The header was read from row 1. Delete one of the two rows, or set runs.leads.companies.header_row: 2. If row 2 is a company, set runs.leads.companies.header_row: 1',
    );
    expect(await problemOf(file, { headerRow: 1 })).not.toContain('second header');
  });

  it.each([
    ['a column between others', ['company_name,,city', 'Alpha,,Köln', 'Beta,Bonn,'], '1 (row 3) in column B'],
    ['the last column', ['company_name;Adresse;', 'Alpha;Ring 1;Köln'], '1 (row 2) in column C'],
  ])('is missing above values, which is announced: %s', async (_, lines, found) => {
    const { report } = await read(await write('no-header.csv', ...lines));
    expect(toSourceText(report)).toContain(
      `rows with values in columns without a header, which are not read: ${found}. Give each column its own header`,
    );
  });

  it.each([
    [['"company_name,website_url,city"', '"Alpha,alpha.example,Köln"'], {}],
    [['"Firma;Ort"', '"Alpha GmbH;Köln"'], {}],
    [['"Kontoinhaber;Wo"', '"Alpha;Köln"'], { columns: { company_name: 'Kontoinhaber' } }],
  ])('is refused where each row is quoted as a whole: %j', async (lines, settings) => {
    expect(await problemOf(await write('quoted.csv', ...lines), settings)).toContain(
      'its header is one quoted cell that holds several names with separators between them. The header was read from row 1. Probably each row is in quotes as a whole: export it again',
    );
  });

  it.each([
    ['names of companies', ['"Müller, Schmidt"', '"Beta, Söhne"'], {}, 'none of its 1 cells are known names'],
    ['one name that the settings have', ['"Firma, Ort"', 'A'], { columns: { company_name: 'Firma, Ort' } }, 'read ['],
    ['two columns', ['"Firma, Ort";Land', 'A;B'], {}, 'may be country'],
  ])('is no row that is quoted as a whole where it has %s', async (_, lines, settings, problem) => {
    expect(await problemOf(await write('not-quoted.csv', ...lines), settings)).toContain(problem);
  });

  it.each(['{"external_id": "K1"}', '[{"a": 1}]', '\uFEFF[\n  {\n    "a": 1 } ]', '{\n"a": [1, 2]}', '[["a"]]', '[]'])(
    'is missing in a JSON file: %j',
    async (json) => {
      expect(await problemOf(await write('json.csv', json))).toContain(
        'it is a JSON file under another name; export it as CSV',
      );
    },
  );

  it('may be in brackets', async () => {
    const columns = { company_name: '[Firma]', city: '{Ort}' };
    const file = await write('brackets.csv', '[Firma];{Ort}', 'Alpha;Köln');
    expect((await read(file, { columns })).companies).toEqual([{ company_name: 'Alpha', city: 'Köln' }]);
  });

  it('is no second one where a company has a known word in columns that are not read', async () => {
    const file = await write('words.csv', 'company_name,city,Typ,Quelle', 'Alpha GmbH,Köln,Kunde,Link');
    expect((await read(file)).companies).toEqual([{ company_name: 'Alpha GmbH', city: 'Köln' }]);
  });

  it('is proposed alone where a lower row is more like it', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Kunden');
    sheet.addRows([
      ['Firma', null, 'Adresse'],
      ['Name', 'Website', 'Ort', 'Land', 'Nr'],
      ['Alpha', 'alpha.example'],
    ]);
    sheet.mergeCells('C1:E1');
    const file = path.join(temporary, 'merged.xlsx');
    await workbook.xlsx.writeFile(file);
    const problem = await problemOf(file);
    expect(problem).toContain('row 2 looks like the header: set runs.leads.companies.header_row: 2');
    expect(problem).not.toContain('Firma');
  });

  it('is the first row where a lower one has a known word only as a value', async () => {
    const file = await write('type.csv', 'Firma,Website,Typ', 'Alpha,alpha.example,Kunde');
    const problem = await problemOf(file);
    expect(problem).toContain('Set runs.leads.companies.columns: {company_name: Firma, website_url: Website}');
    expect(problem).not.toContain('looks like the header');
  });

  it('is missed where the row has values', async () => {
    const row = 'Gruber Stahl GmbH,https://gruber-stahl.example,Linz,Austria,5001';
    const file = await write('no-header.csv', row, 'Adler Bau AG,https://adler-bau.example,Ulm,Germany,5002');
    const problem = await problemOf(file);
    expect(problem).toContain(
      'row 1 looks like data, not like headers, because most of its cells are web addresses, countries, numbers or names with a legal form. Add a row above it that names the columns (company_name, website_url',
    );
    expect(problem).toContain('or set runs.leads.companies.header_row to the row that names them');
    expect(problem).not.toMatch(/columns: \{|Gruber/);
    const below = await write('below.csv', 'company_name,website_url,city,country,external_id', row);
    expect(await problemOf(below, { headerRow: 2 })).toContain(
      'row 2 looks like data, not like headers, because most of its cells are web addresses, countries, numbers or names with a legal form. Set runs.leads.companies.header_row to the row that names the columns, found 2; or remove it, if that is the first row',
    );
    const years = await write('years.csv', 'Firma,2023,2024,2025', 'Alpha,1,2,3');
    expect(await problemOf(years)).not.toContain('looks like data');
  });

  it('is found below a title by the names of the settings', async () => {
    const file = await write('title.csv', 'Liste 2026,', 'Kontoinhaber,Telefon', 'Alpha,1');
    expect(await problemOf(file, { columns: { company_name: 'Kontoinhaber' } })).toContain(
      'row 2 looks like the header',
    );
  });
});
