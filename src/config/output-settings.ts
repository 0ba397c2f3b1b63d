/**
 * `spreadsheets`, `hubspot_lists` and `service_outputs` of a run: the files that prospect-sync writes, the lists that get the written records,
 * and the files that the service makes ("Export and output rules").
 */
import { z } from 'zod';
import type { ListNames } from '../delivery/mapping/list-names.ts';
import { findListNameProblem } from '../delivery/mapping/list-names.ts';
import { isRawPath, sourcePaths } from '../delivery/mapping/source-paths.ts';
import { toHeaderKey } from '../base/text/header-key.ts';
import { toPrintableKey } from '../base/text/printable-text.ts';
import { sourceRowColumn } from '../delivery/files/slot-columns.ts';
import { csvFormSchema, defaultCsvForm, germanCsvForm, type CsvForm } from '../base/spreadsheet/csv-form.ts';
import { slotColumns } from '../delivery/files/slot-rows.ts';
import { filePath, flag } from './setting-values.ts';
import { limits, outputTypes } from '../service/contract/index.ts';
import { checkLanguage } from './language-settings.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { childOf, namedEntries, validItems } from './partial-validation.ts';

/** A known field of the results, or a path into the raw response. */
const sourcePath = z.string().refine((path) => isRawPath(path) || sourcePaths.has(path), {
  message:
    'must be a field of docs/mapping.md such as company.city, or a path in the response of the service such as raw.company.turnover',
});

const csvForms = csvFormSchema.shape;
const csvFormSetting = z.strictObject({
  delimiter: csvForms.delimiter.default(defaultCsvForm.delimiter).describe('Sign between the values of the CSV file'),
  decimal: csvForms.decimal.default(defaultCsvForm.decimal).describe('Decimal sign of the numbers in the CSV file'),
  bom: csvForms.bom
    .default(defaultCsvForm.bom)
    .describe('Begin the CSV file with a byte order mark, without which Excel misreads umlauts'),
});

export const spreadsheetsSchema = z
  .strictObject({
    directory: filePath.default('out').describe('Folder for the files, relative to this file'),
    csv: z
      .union([flag, z.literal('excel-de'), csvFormSetting], {
        error: 'must be true, false, excel-de, or a map of delimiter, decimal and bom',
      })
      .default(true)
      .describe(
        'Write a CSV file; excel-de: in the form that a German Excel opens in columns, with semicolons and decimal commas',
      ),
    xlsx: flag.default(true).describe('Write an Excel file'),
    rows: z
      .enum(['slot', 'prospect'])
      .default('slot')
      .describe('Write one row per slot (company), or one per prospect (contact)'),
    columns: z
      .record(z.string().min(1).max(100), sourcePath)
      .default({})
      .describe(
        'Additional columns: header, which no other column has, and field, for example Turnover: raw.company.turnover',
      ),
  })
  .prefault({})
  .describe('Files that the run writes');

/** null: no CSV file is written. */
export function toCsvForm(csv: z.infer<typeof spreadsheetsSchema>['csv']): CsvForm | null {
  if (typeof csv === 'object') return csv;
  if (csv === false) return null;
  return csv === 'excel-de' ? germanCsvForm : defaultCsvForm;
}

/** Columns are found by their names, whatever their letter case and punctuation. */
export function checkColumns(path: readonly PropertyKey[], spreadsheets: unknown): PathProblem[] {
  const mode = spreadsheetsSchema.unwrap().shape.rows.safeParse(childOf(spreadsheets, 'rows')).data ?? 'slot';
  const results = [sourceRowColumn, ...slotColumns(mode)];
  const known = new Map(results.map(({ header }) => [toHeaderKey(header), `${header}, a column of the results`]));
  return namedEntries(childOf(spreadsheets, 'columns')).flatMap(([header]) => {
    const key = toHeaderKey(header);
    const other = known.get(key);
    known.set(key, other ?? `${header}, another column of this setting`);
    if (other === undefined) return [];
    const rule = `has the name of ${toPrintableKey(other)}`;
    return [problemAt([...path, 'columns', header], rule, 'Choose another name', 'key')];
  });
}

export const spreadsheetsTemplate = `    # spreadsheets:
    #   directory: out
    #   csv:                              # or true, false, or excel-de: semicolons and decimal commas, for a German Excel
    #     delimiter: comma                # comma, semicolon or tab
    #     decimal: point                  # point or comma
    #     bom: true                       # byte order mark
    #   xlsx: true
    #   rows: slot                        # one row per company; prospect: one row per contact
    #   columns: {Turnover: raw.company.turnover}   # additional columns: header and field (docs/mapping.md), or raw. and a path
`;

const listName = z.string().min(1).max(200);

export const hubspotListsSchema = z
  .strictObject({
    companies: listName
      .exactOptional()
      .describe('Name of the list that gets the written companies, for example Prospects DACH'),
    contacts: listName
      .exactOptional()
      .describe(
        'Name of the list that gets the written contacts; may contain {order.title}, {order.run} and {order.id}',
      ),
  })
  .optional()
  .describe(
    'Static HubSpot lists (segments) that get the records that the run writes; they are created when they are missing',
  );

export function checkHubSpotLists(path: readonly PropertyKey[], run: unknown): PathProblem[] {
  const lists = childOf(run, 'hubspot_lists');
  if (lists === undefined) return [];
  const at = [...path, 'hubspot_lists'];
  if (childOf(run, 'crm') === false)
    return [problemAt(at, 'has no effect, because crm is false', 'Remove one of them', 'key')];
  const names = z.object({ companies: listName, contacts: listName }).safeParse(lists).data;
  const isShared = names !== undefined && names.companies.toLowerCase() === names.contacts.toLowerCase();
  const shared = 'must not be the name of companies too, because HubSpot gives a name to one list only';
  const sharedName = isShared ? [problemAt([...at, 'contacts'], shared, 'Choose another name')] : [];
  const problems = (['companies', 'contacts'] as const).flatMap((object) => {
    const name = listName.safeParse(childOf(lists, object));
    const problem = name.success ? findListNameProblem(name.data) : null;
    if (problem === null) return [];
    const remedy = 'Write fields as {order.title}, {order.run} or {order.id}, and a brace itself as {{ or }}';
    return [problemAt([...at, object], problem, remedy)];
  });
  return [...sharedName, ...problems];
}

export function toListNames(lists: z.infer<typeof hubspotListsSchema>): ListNames | null {
  return lists === undefined || Object.keys(lists).length === 0 ? null : lists;
}

export const hubspotListsTemplate = `    # hubspot_lists:                      # static lists that get the written records; created when they are missing
    #   companies: Prospects DACH
    #   contacts: "People of {order.title}"   # may contain {order.title}, {order.run} and {order.id}
`;

/** Printable, since it becomes part of a file name. */
const language = z
  .string()
  .regex(/^[\x21-\x7e]{1,35}$/, 'must be a language such as en or de')
  .optional()
  .describe('Language of the headers and texts: a code such as de; by default the output language of the profile');

const kind = <Type extends ServiceOutput['type']>(type: Type) =>
  z.literal(type).describe('Kind of the output: csv, xlsx or google_sheets');
const fileOutput = <Type extends 'csv' | 'xlsx'>(type: Type) =>
  z.strictObject({
    type: kind(type),
    language,
    endpoint: z
      .enum(['outputs', 'export'])
      .default('outputs')
      .describe('For csv and xlsx: request a durable output of the service (outputs), or a plain export (export)'),
  });

const sheetOutput = z.strictObject({
  type: kind('google_sheets'),
  language,
  spreadsheet_id: z
    .string()
    .regex(/^[^\s/]+$/, 'must be the id of the spreadsheet: the part between /d/ and /edit in its address')
    .describe('For google_sheets: id of the spreadsheet that the service writes to'),
});

const outputSchema = z.discriminatedUnion('type', [fileOutput('csv'), fileOutput('xlsx'), sheetOutput], {
  error: (issue) => (issue.code === 'invalid_union' ? `must be one of ${outputTypes.join(', ')}` : undefined),
});

export const serviceOutputsSchema = z
  .array(outputSchema)
  .max(limits.outputsPerOrder)
  .default([])
  .describe('Files and spreadsheets that the service makes of the results, at most 20');

/** One output that the service makes. */
export interface ServiceOutput {
  readonly type: (typeof outputTypes)[number];
  readonly language: string;
  /** Google Sheets only. */
  readonly spreadsheetId: string | null;
  /** Present: a plain export of the service. Absent: a durable output. */
  readonly endpoint?: 'export';
}

/** The settings that define the destination of an output; its other settings may be invalid. */
const destinationPart = z.object({
  type: z.string(),
  language: z.string().nullish(),
  spreadsheet_id: z.string().nullish(),
});

/** `profileLanguage` is null where the profile has an invalid one. */
export function checkServiceOutputs(
  path: readonly PropertyKey[],
  outputs: unknown,
  profileLanguage: string | null,
): PathProblem[] {
  const indexOf = new Map<string, number>();
  return validItems(destinationPart, outputs).flatMap(([index, output]) => {
    const problems = checkLanguage([...path, index, 'language'], output.language);
    if (problems.length > 0) return problems;
    const language = output.language ?? profileLanguage;
    // Languages are compared in lower case (A38). One spreadsheet in two languages would be overwritten.
    const target = output.type === 'google_sheets' ? output.spreadsheet_id : language?.toLowerCase();
    if (target === undefined || target === null) return [];
    const destination = `${output.type} ${target}`;
    const earlier = indexOf.get(destination);
    indexOf.set(destination, earlier ?? index);
    if (earlier === undefined) return [];
    const rule = `has the same destination as service_outputs[${earlier}]`;
    return [problemAt([...path, index], rule, 'Remove one of them, or change its language or spreadsheet')];
  });
}

export function toServiceOutputs(
  outputs: z.infer<typeof serviceOutputsSchema>,
  profileLanguage: string,
): ServiceOutput[] {
  return outputs.map((output) => ({
    type: output.type,
    language: output.language ?? profileLanguage,
    spreadsheetId: output.type === 'google_sheets' ? output.spreadsheet_id : null,
    ...(output.type !== 'google_sheets' && output.endpoint === 'export' ? { endpoint: 'export' as const } : {}),
  }));
}

export const serviceOutputsTemplate = `    # service_outputs:                    # outputs that the service makes of the results, at most 20
    #   -
    #     type: csv                       # or xlsx; the files go to the directory of the spreadsheets
    #     language: de                    # by default the output language of the profile
    #     endpoint: outputs               # a durable output; export: a plain export
    #   -
    #     type: google_sheets
    #     spreadsheet_id: 1AbC            # the part between /d/ and /edit in its address
`;
