/** Settings of a CSV or Excel file with companies: its sheet, header row and columns. */
import { z } from 'zod';
import { toHeaderKey } from '../base/text/header-key.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { childOf, validEntries, validItems } from './partial-validation.ts';

const header = z.string().min(1).max(500);
const columnOf = (field: string) => header.optional().describe(`Header of the column that holds ${field}`);

const companyColumns = {
  company_name: columnOf('the name of the company'),
  website_url: columnOf('the website or domain of the company'),
  city: columnOf('the city of the company'),
  country: columnOf('the country of the company'),
  external_id: columnOf('your own id of the company'),
};

const ignore = z.array(header).optional().describe('Headers of columns to ignore');

const columnsDescription = 'Column headers that differ from the standard names, for example {company_name: Firma}';

export const companyColumnsSchema = z
  .strictObject({ ...companyColumns, ignore })
  .optional()
  .describe(columnsDescription);

export const exclusionColumnsSchema = z
  .strictObject({
    ...companyColumns,
    reason: columnOf('the reason of the exclusion'),
    expires_at: columnOf('the last day of the exclusion'),
    ignore,
  })
  .optional()
  .describe(columnsDescription);

/** The limits are Excel's. A name that YAML reads as a number is taken as text. */
export const sheetSchema = z
  .union([z.string().min(1).max(31), z.int()], { error: 'must be the name of a sheet, 1 to 31 characters' })
  .transform(String)
  .optional()
  .describe('Name of the sheet in the Excel file; by default the first visible sheet');

export const headerRowSchema = z
  .int()
  .min(1)
  .max(1_048_576)
  .optional()
  .describe('Number of the header row in the file, from 1; by default the first row that is not blank');

export const externalIdFormSchema = z
  .enum(['shown', 'stored'])
  .optional()
  .describe(
    'Which form of an id is read where the number format of an Excel file shows another one than is stored, such as KD-00042 for 42, or where an id ends in .0, such as 1001.0 for 1001: shown (the default) or stored',
  );

export function checkCompanyFile(path: readonly PropertyKey[], source: unknown): PathProblem[] {
  return [...checkSheet(path, source), ...checkColumns([...path, 'columns'], childOf(source, 'columns'))];
}

function checkSheet(path: readonly PropertyKey[], source: unknown): PathProblem[] {
  const isSet = (key: string) => childOf(source, key) !== undefined;
  const toProblem = (key: string, rule: string, remedy: string) => problemAt([...path, key], rule, remedy, 'key');
  const problems: PathProblem[] = [];
  if (isSet('sheet') && !isSet('xlsx'))
    problems.push(toProblem('sheet', 'goes with xlsx only', 'Remove it, or add xlsx'));
  if (isSet('external_id_form') && !isSet('csv') && !isSet('xlsx'))
    problems.push(toProblem('external_id_form', 'goes with csv or xlsx only', 'Remove it, or add csv or xlsx'));
  if (isSet('header_row') && isSet('csv') === isSet('xlsx'))
    problems.push(toProblem('header_row', 'goes with one file only', 'Write one of csv and xlsx, or remove it'));
  return problems;
}

/** One column cannot hold two fields. */
function checkColumns(path: readonly PropertyKey[], columns: unknown): PathProblem[] {
  const fieldOf = new Map<string, string>();
  for (const [, ignored] of validItems(header, childOf(columns, 'ignore'))) fieldOf.set(toHeaderKey(ignored), 'ignore');
  return validEntries(header, columns).flatMap(([field, text]) => {
    const earlier = fieldOf.get(toHeaderKey(text));
    fieldOf.set(toHeaderKey(text), field);
    if (earlier === undefined) return [];
    const rule = `has the same column as ${earlier}`;
    return [problemAt([...path, field], rule, 'Name another column, or remove one of them')];
  });
}
