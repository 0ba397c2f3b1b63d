// Files of exclusions as people have them. test/fixtures/source-files holds invented companies.
import path from 'node:path';
import { readSource, type FileSource } from '../../src/companies/company-source.ts';
import { createFieldCleaner } from '../../src/companies/field-values.ts';
import { toCandidateFromRow, type Candidate } from '../../src/exclusions/exclusion-candidate.ts';
import { sourceFields, type FieldValues } from '../../src/mapping/source-columns.ts';

const folder = path.resolve(import.meta.dirname, '../fixtures/source-files');

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
