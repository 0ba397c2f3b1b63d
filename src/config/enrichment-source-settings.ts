/** `companies` of an enrichment run: where the companies come from. */
import type { Environment } from '../base/host/environment-variables.ts';
import { z } from 'zod';
import type { ColumnSettings } from '../base/spreadsheet/source-columns.ts';
import { findOperandProblems } from '../hubspot/filter-values.ts';
import { operands, searchOperators, type FilterGroups } from '../hubspot/search-filter.ts';
import {
  checkCompanyFile,
  companyColumnsSchema,
  externalIdFormSchema,
  headerRowSchema,
  sheetSchema,
} from './company-file-settings.ts';

import { problemAt, type PathProblem } from './problems.ts';
import { companyProperty, filePath, hubspotListId, lifecycleStages } from './setting-values.ts';
import { childOf, validItems } from './partial-validation.ts';
import { checkSql, sqlSchema, sqlTemplate, toSqlQuery, type SqlQuerySettings } from './sql-source-settings.ts';

const filterSchema = z.strictObject({
  propertyName: companyProperty.describe('Internal name of a company property'),
  operator: z.enum(searchOperators).describe("Operator of HubSpot's search"),
  value: z.string().exactOptional().describe('For operators with one value; times in milliseconds since 1970'),
  values: z.array(z.string()).min(1).max(100).exactOptional().describe('For IN and NOT_IN; in lower case for texts'),
  highValue: z.string().exactOptional().describe('For BETWEEN, the upper end'),
});

/** HubSpot's limits; one filter of each group is needed for paging. */
const mostGroups = 5;
const mostFilters = 5;

const hubspotSchema = z.strictObject({
  lifecycle_stages: lifecycleStages.optional(),
  lists: z
    .array(hubspotListId)
    .min(1)
    .optional()
    .describe('Ids of HubSpot company lists (segments), whose members are enriched'),
  without: companyProperty
    .optional()
    .describe('Internal name of a company property: companies without it are enriched'),
  filter_groups: z
    .array(
      z.strictObject({ filters: z.array(filterSchema).min(1).max(mostFilters).describe('All of them must match') }),
    )
    .min(1)
    .max(mostGroups)
    .optional()
    .describe("Search of HubSpot's API: companies that match all filters of any group"),
});

const hubspotKeys = Object.keys(hubspotSchema.shape);

export const companiesSchema = z
  .strictObject({
    csv: filePath
      .optional()
      .describe('CSV file with the column company_name, and if known website_url, city, country, external_id'),
    xlsx: filePath.optional().describe('Excel file with the same columns as a CSV file'),
    sheet: sheetSchema,
    header_row: headerRowSchema,
    external_id_form: externalIdFormSchema,
    columns: companyColumnsSchema,
    external_ids: z
      .enum(['record_id', 'other'])
      .optional()
      .describe('What the column external_id holds: HubSpot record ids, whose records are then updated, or other ids'),
    sql: sqlSchema.optional().describe('Rows of a query in a SQLite or PostgreSQL database, with the same columns'),
    bad_rows: z
      .enum(['refuse', 'reject'])
      .optional()
      .describe(
        'Rows that break a limit of the service: refuse (the default) orders nothing; reject leaves them out, and writes them with their reasons to a CSV file in the output directory',
      ),
    repeated_rows: z
      .enum(['order', 'reject'])
      .optional()
      .describe(
        'Rows of the same company as an earlier row, by domain and name or city, or without a domain by name, city and country: order (the default) announces them; reject leaves out those that certainly are, and lists them like bad rows',
      ),
    hubspot: hubspotSchema.optional().describe('HubSpot companies: by exactly one of these settings'),
  })
  .describe('For enrichment: source of the companies, either csv, xlsx, sql or hubspot');

/** Settings of all sources with columns. */
interface TableSettings {
  /** Whether the column external_id holds HubSpot record ids. null: not set; a column that holds them is then refused. */
  readonly externalIds: 'record_id' | 'other' | null;
  readonly columns: ColumnSettings | null;
  readonly badRows: 'refuse' | 'reject';
  readonly repeatedRows: 'order' | 'reject';
}

export interface FileCompanies extends TableSettings {
  readonly from: 'csv' | 'xlsx';
  readonly path: string;
  /** Name of a sheet of the Excel file; null: the first visible one. */
  readonly sheet: string | null;
  /** Number of the header row, from 1; null: the first row that is not blank. */
  readonly headerRow: number | null;
  /** null: ids are read as they are shown. */
  readonly externalIdForm: 'shown' | 'stored' | null;
}

interface SqlCompanies extends TableSettings {
  readonly from: 'sql';
  /** In JSON, as in Temporal, the address of PostgreSQL is `***`. */
  readonly sql: SqlQuerySettings;
}

/** A file or a query, whose rows are the companies. */
export type TableCompanies = FileCompanies | SqlCompanies;

/** Selection of CRM companies: exactly one field is set. `lifecycleStages` is empty, and the others are null, if another one is set. */
export interface CrmCompanies {
  readonly from: 'hubspot';
  readonly lifecycleStages: readonly string[];
  /** Ids of HubSpot lists, of which the companies are members. */
  readonly lists: readonly string[] | null;
  /** A property that the companies do not have. */
  readonly without: string | null;
  readonly filterGroups: FilterGroups | null;
}

/** The source of an enrichment: the CRM, one file, or one query. */
export type CompaniesSource = TableCompanies | CrmCompanies;

export function checkCompanies(path: readonly PropertyKey[], companies: unknown, env: Environment): PathProblem[] {
  if (typeof companies !== 'object' || companies === null || Array.isArray(companies)) return [];
  const isSet = (key: string) => childOf(companies, key) !== undefined;
  if (['csv', 'xlsx', 'sql', 'hubspot'].filter(isSet).length !== 1)
    return [problemAt(path, 'needs exactly one source', 'Write csv, xlsx, sql or hubspot', 'key')];
  const given = hubspotKeys.filter((key) => childOf(childOf(companies, 'hubspot'), key) !== undefined);
  if (isSet('hubspot') && given.length !== 1) {
    const remedy = `Write one of ${hubspotKeys.join(', ')}; filter_groups combines conditions`;
    return [problemAt([...path, 'hubspot'], 'needs exactly one selection', remedy, 'key')];
  }
  const remedy =
    'Remove it: HubSpot companies carry their record id, have no columns, and are left out when they are unusable';
  const misplaced = isSet('hubspot') ? ['external_ids', 'columns', 'bad_rows', 'repeated_rows'].filter(isSet) : [];
  return [
    ...misplaced.map((key) => problemAt([...path, key], 'goes with csv, xlsx or sql only', remedy, 'key')),
    ...checkFilters([...path, 'hubspot', 'filter_groups'], childOf(childOf(companies, 'hubspot'), 'filter_groups')),
    ...checkCompanyFile(path, companies),
    ...checkSql([...path, 'sql'], childOf(companies, 'sql'), env),
  ];
}

/** HubSpot would reject the search only when the run has started, or take it and find nothing. */
function checkFilters(path: readonly PropertyKey[], groups: unknown): PathProblem[] {
  return validItems(z.unknown(), groups).flatMap(([group, settings]) =>
    validItems(filterSchema, childOf(settings, 'filters')).flatMap(([index, filter]) => {
      const { propertyName, operator } = filter;
      const missing = operands[operator].filter((key) => filter[key] === undefined);
      const place = [...path, group, 'filters', index];
      const rule = `${propertyName} ${operator} needs ${missing.join(' and ')}`;
      if (missing.length > 0) return [problemAt(place, rule, `Write ${operands[operator].join(' and ')}`)];
      return findOperandProblems(filter).map(({ key, problem, remedy }) => problemAt([...place, key], problem, remedy));
    }),
  );
}

export function toCompaniesSource(
  companies: z.infer<typeof companiesSchema>,
  place: { readonly env: Environment; readonly toPath: (path: string) => string },
): CompaniesSource {
  const { toPath } = place;
  const { csv, xlsx, sql, sheet = null, header_row: headerRow = null, columns = null } = companies;
  const { external_id_form: externalIdForm = null } = companies;
  const table = {
    externalIds: companies.external_ids ?? null,
    columns,
    badRows: companies.bad_rows ?? 'refuse',
    repeatedRows: companies.repeated_rows ?? 'order',
  } as const;
  const file = { ...table, sheet, headerRow, externalIdForm };
  if (csv !== undefined) return { from: 'csv', path: toPath(csv), ...file };
  if (xlsx !== undefined) return { from: 'xlsx', path: toPath(xlsx), ...file };
  if (sql !== undefined) return { from: 'sql', sql: toSqlQuery(sql, place), ...table };
  const { lifecycle_stages: lifecycleStages = [], lists = null, without = null } = companies.hubspot ?? {};
  const filterGroups = companies.hubspot?.filter_groups?.map(({ filters }) => filters) ?? null;
  return { from: 'hubspot', lifecycleStages, lists, without, filterGroups };
}

export const companiesTemplate = `    companies:                            # hubspot, sql, csv or xlsx
      hubspot:
        lifecycle_stages: [lead]          # or one of lists, without, filter_groups
        # lists: [1234]                   # ids of company lists (segments)
        # without: linkedin_company_page  # companies without this property
        # filter_groups:                  # a search as in HubSpot's API
        #   -
        #     filters:
        #       -
        #         propertyName: country
        #         operator: EQ
        #         value: Germany
        #         # values: [germany, austria]   # for IN and NOT_IN
        #         # highValue: '100'      # for BETWEEN
${sqlTemplate}      # xlsx: companies.xlsx              # columns: company_name, and if known website_url, city, country, external_id
      # sheet: Leads                      # by default the first visible sheet
      # header_row: 3                     # by default the first row that is not blank
      # external_id_form: shown           # or stored: of ids that a number format shows differently
      # csv: companies.csv                # the same columns
      # columns:                          # column headers that differ from these names
      #   company_name: Firma
      #   website_url: Website
      #   city: Ort
      #   country: Land
      #   external_id: Kundennummer
      #   ignore: [Notiz]                 # columns to ignore
      # external_ids: record_id           # external_id holds HubSpot record ids: those records are updated.
      #                                   # other: it holds other ids
      # bad_rows: reject                  # leave invalid rows out, and list them in a CSV file; by default refuse the source
      # repeated_rows: reject             # leave out rows that repeat an earlier one; by default they are announced and ordered
`;
