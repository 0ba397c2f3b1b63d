// Files of exclusions as people have them. test/fixtures/source-files holds invented companies.
import path from 'node:path';
import { readSource, type FileSource } from '../../../src/companies/sources/company-source.ts';
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
    kept: 'fields' as const,
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
