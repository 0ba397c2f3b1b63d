/** `companies` of an enrichment run: where the companies come from. */
import { z } from 'zod';
import type { ColumnSettings } from '../mapping/source-columns.ts';
import { checkCompanyFile, companyColumnsSchema, headerRowSchema, sheetSchema } from './company-file-settings.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { filePath, lifecycleStages } from './setting-values.ts';
import { childOf } from './partial-validation.ts';

export const companiesSchema = z
  .strictObject({
    csv: filePath
      .optional()
      .describe('CSV file with the column company_name, and if known website_url, city, country, external_id'),
    xlsx: filePath.optional().describe('Excel file with the same columns as a CSV file'),
    sheet: sheetSchema,
    header_row: headerRowSchema,
    columns: companyColumnsSchema,
    external_ids: z
      .enum(['record_id', 'other'])
      .optional()
      .describe('What the column external_id holds: HubSpot record ids, whose records are then updated, or other ids'),
    hubspot: z
      .strictObject({ lifecycle_stages: lifecycleStages })
      .optional()
      .describe('HubSpot companies in these lifecycle stages'),
  })
  .describe('For enrichment: source of the companies, either csv, xlsx or hubspot');

export interface FileCompanies {
  readonly from: 'csv' | 'xlsx';
  readonly path: string;
  /** Whether the external_id column of the file holds HubSpot record ids. */
  readonly externalIds: 'record_id' | 'other';
  /** Name of a sheet of the Excel file; null: the first visible one. */
  readonly sheet: string | null;
  /** Number of the header row, from 1; null: the first row that is not blank. */
  readonly headerRow: number | null;
  readonly columns: ColumnSettings | null;
}

export type CompaniesSource = FileCompanies | { readonly from: 'hubspot'; readonly lifecycleStages: readonly string[] };

export function checkCompanies(path: readonly PropertyKey[], companies: unknown): PathProblem[] {
  if (typeof companies !== 'object' || companies === null || Array.isArray(companies)) return [];
  const isSet = (key: string) => childOf(companies, key) !== undefined;
  if (['csv', 'xlsx', 'hubspot'].filter(isSet).length !== 1)
    return [problemAt(path, 'needs exactly one source', 'Write csv, xlsx or hubspot', 'key')];
  const remedy = 'Remove it: HubSpot companies carry their record id, and have no columns';
  const misplaced = isSet('hubspot') ? ['external_ids', 'columns'].filter(isSet) : [];
  return [
    ...misplaced.map((key) => problemAt([...path, key], 'goes with csv or xlsx only', remedy, 'key')),
    ...checkCompanyFile(path, companies),
  ];
}

export function toCompaniesSource(
  companies: z.infer<typeof companiesSchema>,
  toPath: (path: string) => string,
): CompaniesSource {
  const { csv, xlsx, sheet = null, header_row: headerRow = null, columns = null } = companies;
  const file = { externalIds: companies.external_ids ?? 'other', sheet, headerRow, columns } as const;
  if (csv !== undefined) return { from: 'csv', path: toPath(csv), ...file };
  if (xlsx !== undefined) return { from: 'xlsx', path: toPath(xlsx), ...file };
  return { from: 'hubspot', lifecycleStages: companies.hubspot?.lifecycle_stages ?? [] };
}

export const companiesTemplate = `    companies:                            # hubspot, csv or xlsx
      hubspot:
        lifecycle_stages: [lead]
      # xlsx: companies.xlsx              # columns: company_name, and if known website_url, city, country, external_id
      # sheet: Leads                      # by default the first visible sheet
      # header_row: 3                     # by default the first row that is not blank
      # csv: companies.csv                # the same columns
      # columns:                          # column headers that differ from these names
      #   company_name: Firma
      #   website_url: Website
      #   city: Ort
      #   country: Land
      #   external_id: Kundennummer
      #   ignore: [Notiz]                 # columns to ignore
      # external_ids: record_id           # external_id holds HubSpot record ids: those records are updated.
      #                                   # other (the default): it holds other ids
`;
