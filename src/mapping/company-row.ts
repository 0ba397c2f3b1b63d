/** CRM companies and CSV rows as the submitted rows of an enrichment order. */
import { companyRowSchema, describeViolation, violations, type CompanyRow } from '../contract/index.ts';
import { toEntryFromCrm, toEntryFromCsv } from './exclusion-entry.ts';

/** Columns of a file; other ones are ignored. */
export const companyColumns = Object.keys(companyRowSchema.shape);

/** The record id comes back as the company's source_id, so that the result finds its record. */
export function toCompanyRowFromCrm(record: Parameters<typeof toEntryFromCrm>[0]): CompanyRow | null {
  return toEntryFromCrm(record, null);
}

export function toCompanyRowFromCsv(row: Readonly<Record<string, string>>): CompanyRow {
  const { reason: _reason, ...companyRow } = toEntryFromCsv(row, null);
  return companyRow;
}

/** What the contract has against a row, in words without its values; empty when nothing. */
export function companyRowProblems(row: CompanyRow): string[] {
  return violations(companyRowSchema, row).map(describeViolation);
}
