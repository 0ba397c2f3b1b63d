import type { CompaniesSource, CrmCompanies, FileCompanies } from '../../src/config/enrichment-source-settings.ts';

/** A CSV file, with the defaults of its settings. */
export function fileCompanies(path: string, changes: Partial<FileCompanies> = {}): CompaniesSource {
  const table = { externalIds: null, columns: null, badRows: 'refuse', repeatedRows: 'order' } as const;
  return { from: 'csv', path, sheet: null, headerRow: null, externalIdForm: null, ...table, ...changes };
}

/** A selection of the CRM that selects nothing by default. */
export function crmCompanies(changes: Partial<CrmCompanies> = {}): CrmCompanies {
  return { from: 'hubspot', lifecycleStages: [], lists: null, without: null, filterGroups: null, ...changes };
}
