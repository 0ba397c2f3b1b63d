/** `spreadsheets` and `hubspot_lists` of a run: the files that prospect-sync writes, and the lists that get the written records. */
import { z } from 'zod';
import type { ListNames } from '../delivery/mapping/list-names.ts';
import { findFileNameProblem, findListNameProblem } from '../delivery/mapping/list-names.ts';
import { isRawPath, sourcePaths } from '../delivery/mapping/source-paths.ts';
import { toHeaderKey } from '../base/text/header-key.ts';
import { toPrintableKey } from '../base/text/printable-text.ts';
import { toSourceRowColumn } from '../delivery/files/slot-columns.ts';
import { csvFormSchema, defaultCsvForm, germanCsvForm, type CsvForm } from '../base/spreadsheet/csv-form.ts';
import { sheetLanguage, type SheetLanguage } from '../delivery/files/sheet-language.ts';
import { slotColumns } from '../delivery/files/slot-rows.ts';
import { filledText, flag, outputFolder } from './setting-values.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { childOf, namedEntries } from './partial-validation.ts';

/** A known field of the results, or a path into the raw response. */
const sourcePath = z.string().refine((path) => isRawPath(path) || sourcePaths.has(path), {
  message:
    'must be a field of docs/mapping.md such as company.city, or a path in the response of the service such as raw.company.turnover',
});

const defaultFileName = '{order.id}';

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
    directory: outputFolder.default('out').describe('Folder for the files, relative to this file'),
    file_name: z
      .string()
      .max(200)
      .default(defaultFileName)
      .describe(
        'Name of the CSV and the Excel file without its ending; contains {order.id}, and may contain {order.run} and {order.title}',
      ),
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
    language: sheetLanguage
      .optional()
      .describe(
        'Language of the headers, the names of the sheets and the summary; by default German where output_language of the profile is de, otherwise English',
      ),
    columns: z
      .record(filledText.max(100), sourcePath)
      .default({})
      .describe(
        'Additional columns: header, which no other column has, and field, for example Turnover: raw.company.turnover',
      ),
  })
  .prefault({})
  .describe('Files that the run writes');

/** null: as the files are named without the setting. */
export function toStoredFileName(name: string): string | null {
  return name === defaultFileName ? null : name;
}

/** null: no CSV file is written. */
export function toCsvForm(csv: z.infer<typeof spreadsheetsSchema>['csv']): CsvForm | null {
  if (typeof csv === 'object') return csv;
  if (csv === false) return null;
  return csv === 'excel-de' ? germanCsvForm : defaultCsvForm;
}

export function checkFileName(path: readonly PropertyKey[], spreadsheets: unknown): PathProblem[] {
  const name = z.string().safeParse(childOf(spreadsheets, 'file_name')).data;
  const problem = name === undefined ? null : findFileNameProblem(name);
  const remedy = 'Write for example "{order.run} {order.id}", and a brace itself as {{ or }}';
  return problem === null ? [] : [problemAt([...path, 'file_name'], problem, remedy)];
}

/** Columns are found by their names, whatever their letter case and punctuation. */
export function checkColumns(
  path: readonly PropertyKey[],
  spreadsheets: unknown,
  languageOfProfile: SheetLanguage,
): PathProblem[] {
  const mode = spreadsheetsSchema.unwrap().shape.rows.safeParse(childOf(spreadsheets, 'rows')).data ?? 'slot';
  const language = sheetLanguage.safeParse(childOf(spreadsheets, 'language')).data ?? languageOfProfile;
  const results = [toSourceRowColumn(language), ...slotColumns(mode, { language })];
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
    #   file_name: "{order.id}"            # may contain {order.run} and {order.title}
    #   csv:                              # or true, false, or excel-de: semicolons and decimal commas, for a German Excel
    #     delimiter: comma                # comma, semicolon or tab
    #     decimal: point                  # point or comma
    #     bom: true                       # byte order mark
    #   xlsx: true
    #   language: de                      # of the headers; by default that of the profile where it is de, otherwise en
    #   rows: slot                        # one row per company; prospect: one row per contact
    #   columns: {Turnover: raw.company.turnover}   # additional columns: header and field (docs/mapping.md), or raw. and a path
`;

const listName = filledText.max(200);

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
