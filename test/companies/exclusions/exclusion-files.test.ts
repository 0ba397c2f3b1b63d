// Files of exclusions as people have them. test/fixtures/source-files holds invented companies.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readExclusionFiles } from '../../../src/companies/exclusions/exclusion-files.ts';
import type { ExclusionPlan } from '../../../src/config/run-plan.ts';
import { createFolder } from '../../base/spreadsheet/temporary-folder.ts';
import { readSource, type FileSource } from '../../../src/companies/sources/company-source.ts';
import { createExclusionNotes } from '../../../src/companies/exclusions/exclusion-notes.ts';
import { createFieldCleaner } from '../../../src/companies/sources/field-values.ts';
import { toCandidateFromRow, type Candidate } from '../../../src/companies/exclusions/exclusion-candidate.ts';
import { createBlacklistIndex } from '../../../src/service/contract/index.ts';
import { sourceFields } from '../../../src/base/spreadsheet/header-names.ts';
import type { FieldValues } from '../../../src/base/spreadsheet/source-columns.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/source-files');

async function read(file: Omit<FileSource, 'settingsPath'>) {
  const cleaner = createFieldCleaner();
  const mapping = {
    fields: sourceFields,
    keeps: () => false,
    fromRow: (values: FieldValues) => toCandidateFromRow(values, { reason: 'File', now: new Date('2026-11-26') }),
    cleaner,
    problems: ({ problems }: Candidate) => problems,
  };
  const source = { ...file, path: path.join(folder, file.path), settingsPath: 'exclusions.customers.columns' };
  const pages = await Array.fromAsync(readSource(source, mapping, new AbortController().signal));
  return pages.flatMap(({ rows }) => rows.map(({ row }) => row.entry));
}

describe('a file of exclusions', () => {
  it('is read when its headers have line breaks', async () => {
    const columns = { website_url: 'website_url (Firma)' };
    const entries = await read({ kind: 'xlsx', path: 'e3-exclusions-header.xlsx', columns });
    expect(entries).toEqual([
      {
        company_name: 'Ganz Anders Holding',
        website_url: 'https://kunde-e3.example',
        city: 'Wien',
        reason: 'File',
      },
    ]);
  });

  it('excludes the rows with its domains, whatever their names', async () => {
    const columns = { website_url: 'website_url (Firma)' };
    const index = createBlacklistIndex();
    for (const entry of await read({ kind: 'xlsx', path: 'e3-exclusions-header.xlsx', columns }))
      index.add('e3', entry);
    const rows = await read({ kind: 'csv', path: 'e3-rows.csv' });
    expect(rows.map((row) => [row.company_name, index.match(row)?.tier ?? null])).toEqual([
      ['Kunde GmbH', 'website_domain'],
      ['Frei Zwei AG', null],
    ]);
  });

  it('is read from a German list with a title, leading zeros and dates', async () => {
    const columns = {
      company_name: 'Firma',
      website_url: 'Web',
      city: 'Ort',
      country: 'Land',
      external_id: 'Kunden-Nr.',
      reason: 'Sperrgrund',
      expires_at: 'Gültig bis',
    };
    const file = { kind: 'xlsx', path: 'sperrliste.xlsx', sheet: 'Sperrliste', columns } as const;
    await expect(read(file)).rejects.toThrow('row 4 looks like the header: set exclusions.customers.header_row: 4');
    const entries = await read({ ...file, headerRow: 4 });
    expect(entries).toHaveLength(40);
    expect(entries[0]).toEqual({
      company_name: 'Strauß Maschinenbau GmbH & Co. KG',
      website_url: 'www.strauss-maschinenbau.example',
      city: 'Köln',
      country: 'Deutschland',
      external_id: '000151',
      reason: 'File',
    });
  });

  it('is refused when a header with a line break may be the website', async () => {
    await expect(read({ kind: 'xlsx', path: 'e3-exclusions-header.xlsx' })).rejects.toThrow(
      'The column "website_url (Firma)" is not read, and may be website_url',
    );
  });

  it('is refused when a website is no address, which would match by the name alone', async () => {
    await expect(read({ kind: 'csv', path: 'c11-two-addresses.csv' })).rejects.toThrow(
      'row 2: website_url: several web addresses in one cell',
    );
  });
});

describe('readExclusionFiles', () => {
  const target = createFolder();

  async function readPages(text: string, columns = {}, rowNotes = createExclusionNotes()) {
    const csv = path.join(target, 'excluded.csv');
    await writeFile(csv, text);
    const source = { csv, xlsx: null, sheet: undefined, headerRow: undefined, externalIdForm: 'shown', columns };
    const exclusion = { name: 'list', source, reasons: { csv: 'File' } } as unknown as ExclusionPlan;
    const reading = {
      cleaner: createFieldCleaner(),
      rowNotes,
      now: new Date('2026-11-26'),
      signal: new AbortController().signal,
    };
    return Array.fromAsync(readExclusionFiles(exclusion, reading));
  }

  async function exclude(text: string, columns = {}) {
    const pages = await readPages(text, columns);
    return pages.flatMap(({ page }) => page.rows.map(({ row }) => row.entry.company_name));
  }

  function toText(header: string, answers: string): string {
    const [one, two, three] = answers.split(',');
    return `company_name;city;${header}\nAlpha GmbH;Wien;${one}\nBeta AG;Graz;${two}\nGamma KG;Linz;${three}\n`;
  }

  it.each([
    ['Sperre', 'nein,ja,nein', 'row 2 says "nein" in the column "Sperre", where other rows say "ja"'],
    ['ausschließen', '0,1,1', 'row 2 says "0" in the column "ausschließen", where other rows say "1"'],
    ['Exclude?', 'yes,no,yes', 'row 3 says "no" in the column "Exclude?"'],
    ['Gesperrt (ja/nein)', 'ja,ja,Nein', 'row 4 says "nein" in the column "Gesperrt (ja/nein)"'],
    ['Sperre', 'J,N,J', 'row 3 says "n" in the column "Sperre", where other rows say "j"'],
    ['blocked', 'TRUE,FALSE,TRUE', 'row 3 says "false" in the column "blocked"'],
    ['Kontaktsperre', 'x,,', 'row 3 is empty in the column "Kontaktsperre", where other rows say "x"'],
    ['do not contact', 'true,,true', 'row 3 is empty in the column "do not contact"'],
  ])('refuses a column %s of %s', async (header, answers, refused) => {
    await expect(exclude(toText(header, answers))).rejects.toThrow(refused);
  });

  it.each([
    ['Sperre', 'ja,ja,ja'],
    ['Sperre', 'nein,nein,nein'],
    ['Sperre', ',,'],
    ['Sperre', 'Zahlungsverzug,nein,'],
    ['gesperrt', '2026-01-01,2026-02-01,'],
    ['Sperrgruppe', '0,1,0'],
    ['Newsletter', 'ja,nein,ja'],
    ['Email Opt Out', '0,1,0'],
    ['Aktiv', 'ja,nein,ja'],
    ['Blocker', 'yes,no,yes'],
  ])('reads an ordinary list with a column %s of %s', async (header, answers) => {
    expect(await exclude(toText(header, answers))).toEqual(['Alpha GmbH', 'Beta AG', 'Gamma KG']);
  });

  it('reads such a file when its column is ignored, as the message says', async () => {
    const text = 'company_name;Sperre\nAlpha GmbH;ja\nBeta AG;nein\n';
    await expect(exclude(text)).rejects.toThrow('set exclusions.list.columns.ignore: [Sperre]');
    expect(await exclude(text, { ignore: ['Sperre'] })).toEqual(['Alpha GmbH', 'Beta AG']);
  });

  it('refuses a file whose external ids are those of other companies; a few are named', async () => {
    const toRows = (ids: readonly string[]) =>
      `company_name;reason\n${ids.map((id, index) => `${['Alpha', 'Beta', 'Gamma', 'Delta'][index % 4]}${index} GmbH;${id}\n`).join('')}`;
    const columns = { external_id: 'reason' };
    await expect(exclude(toRows(Array.from({ length: 12 }, () => 'Partner')), columns)).rejects.toThrow(
      'almost all rows have the external_id of a row of another company, in the column "reason": it does not hold ids, and would replace those that the blacklist has. Write the header of the ids at exclusions.list.columns.external_id, or set exclusions.list.columns.ignore: [reason]',
    );
    const notes = createExclusionNotes();
    await readPages(toRows(['1', '2', '3', '2', '4', '5']), columns, notes);
    expect(notes.notes()).toMatchObject({ sharedIds: { rows: 1, first: [5] } });
  });

  it('is refused when a name is a text that a spreadsheet shows until it has the value; other cells with one are left out', async () => {
    const text = 'company_name;city\nLoading...;Ulm\n#NOM?;Ulm\n';
    await expect(exclude(text)).rejects.toThrow(
      'row 2: company_name: the cell holds "Loading...", which a spreadsheet shows until it has the value; open the file, wait, and save it again; row 3: company_name: the cell holds the spreadsheet error #NOM?',
    );
    const [{ page } = {}] = await readPages('company_name;city\nAlpha GmbH;Wird geladen...\nBeta AG;#¡VALOR!\n');
    expect(page?.rows.map(({ values }) => values.city)).toEqual(['', '']);
  });

  it('keeps the cells that may be websites where none is read, so that they can be named', async () => {
    const notes = createExclusionNotes();
    await readPages('company_name;Kotisivu\nAlpha GmbH;alpha.de\nBeta AG;www.beta.de\n', {}, notes);
    const setting = 'exclusions.list.columns: {website_url: Kotisivu}';
    expect(notes.notes()).toMatchObject({ unreadWebsites: { column: 'Kotisivu', setting } });
  });
});
