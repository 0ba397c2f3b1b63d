/** CRM companies and rows of files as the submitted rows of an enrichment order. */
import { companyRowSchema, describeViolation, domainOf, violations, type CompanyRow } from '../contract/index.ts';
import { toEntryFromCrm, toEntryFromFile } from './blacklist-entry.ts';
import type { FieldValues } from '../mapping/source-columns.ts';

/** Fields that are read from a file. */
export const companyFields = [
  'company_name',
  'website_url',
  'city',
  'country',
  'external_id',
] as const satisfies readonly (keyof CompanyRow)[];

/** The record id comes back as the company's source_id, so that the result finds its record. */
export function toCompanyRowFromCrm(record: Parameters<typeof toEntryFromCrm>[0]): CompanyRow | null {
  return toEntryFromCrm(record, null);
}

export function toCompanyRowFromFile(row: FieldValues): CompanyRow {
  const { reason: _reason, ...companyRow } = toEntryFromFile(row, null);
  return companyRow;
}

/** Problems of a row, without values; empty for a valid row. */
export function companyRowProblems(row: CompanyRow): string[] {
  const { website_url: website } = row;
  const hasNoDomain = Boolean(website) && domainOf(website) === null;
  return [
    ...violations(companyRowSchema, row).map(describeViolation),
    ...(hasNoDomain
      ? ['website_url: is no web address such as www.example.com; leave the cell empty if there is none']
      : []),
  ];
}
