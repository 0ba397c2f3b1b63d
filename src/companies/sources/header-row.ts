/** Decides which row of a source is its header, and which of its columns are read. */
import { judgeCountry } from '../../base/countries/judge-country.ts';
import { isHeaderName, isKnownHeader, sourceFields, type SourceField } from '../../base/spreadsheet/header-names.ts';
import { resolveColumns, type ColumnSettings, type SourceColumns } from '../../base/spreadsheet/source-columns.ts';
import { toHeaderKey } from '../../base/text/header-key.ts';
import { type RowTexts, type SourceHeader } from '../../base/spreadsheet/table.ts';
import { isPlaceWithLegalForm } from './legal-form.ts';
import { ownDomain } from '../../service/contract/website-domain.ts';

interface HeaderSettings {
  readonly kind: 'csv' | 'xlsx' | 'sql';
  readonly headerRow?: number | undefined;
  readonly columns?: ColumnSettings | undefined;
  /** Path of the column settings in the configuration, for messages. */
  readonly settingsPath: string;
}

/** Throws what `refuse` returns when a field has no certain column, or when another row looks like the header. */
export function toColumns(
  header: SourceHeader,
  { kind, headerRow, columns: settings = {}, settingsPath }: HeaderSettings,
  fields: readonly SourceField[],
  refuse: (reason: string) => Error,
): SourceColumns {
  const { headers, place, rowsBelow = [] } = header;
  const context = { fields, settings, settingsPath, isQuery: kind === 'sql' };
  const { columns, problem, summary } = resolveColumns(headers, context);
  const setting = settingsPath.replace(/columns$/, 'header_row');
  if (columns !== undefined) {
    const [second] = rowsBelow;
    // Who has set the row has decided.
    if (headerRow !== undefined || second === undefined || !isSecondHeader(second, header, columns)) return columns;
    throw refuse(
      `row ${second.number} looks like a second header, because its cells are names of columns. The header was read from ${place}. Delete one of the two rows, or set ${setting}: ${second.number}. If row ${second.number} is a company, set ${setting}: ${header.headerNumber}`,
    );
  }
  if (place === undefined) throw refuse(problem);
  if (kind === 'csv' && isQuotedAsWhole(headers, settings))
    throw refuse(
      `its header is one quoted cell that holds several names with separators between them. The header was read from ${place}. Probably each row is in quotes as a whole: export it again with quotes around single values only, or take out the quotes at the beginning and end of each line`,
    );
  const lower = rowsBelow.find((row) => isBetterHeader(row, headers, context));
  if (lower !== undefined)
    throw refuse(
      `${summary}. The header was read from ${place}; row ${lower.number} looks like the header: set ${setting}: ${lower.number}`,
    );
  if (isRowOfData(headers)) {
    const remedy =
      headerRow === undefined
        ? `Add a row above it that names the columns (${fields.join(', ')}), or set ${setting} to the row that names them`
        : `Set ${setting} to the row that names the columns, found ${headerRow}; or remove it, if that is the first row`;
    throw refuse(
      `${place} looks like data, not like headers, because most of its cells are web addresses, countries, numbers or names with a legal form. ${remedy}`,
    );
  }
  const choices = kind === 'xlsx' ? 'sheet or header_row' : 'header_row';
  throw refuse(`${problem}. The header was read from ${place}; set ${choices} to use another`);
}

/** Years alone can be headers, and a known name proves that the row is one. */
function isRowOfData(headers: readonly string[]): boolean {
  const values = headers.filter(
    (text) => ownDomain(text) !== null || judgeCountry(text).kind === 'country' || isPlaceWithLegalForm(text),
  );
  const numbers = headers.filter((text) => /^[\d ./+-]+$/.test(text));
  const isMost = (values.length + numbers.length) * 2 > headers.length;
  return values.length > 0 && isMost && !headers.some(isKnownHeader);
}

/** `"company_name,website_url"` */
function isQuotedAsWhole(headers: readonly string[], settings: ColumnSettings): boolean {
  const [first = ''] = headers;
  const names = first.split(/[,;\t|]/);
  return headers.length === 1 && names.length > 1 && names.some((name) => isColumnName(name, settings));
}

function isColumnName(text: string, settings: ColumnSettings): boolean {
  const key = toHeaderKey(text);
  return isKnownHeader(text) || sourceFields.some((field) => toHeaderKey(settings[field] ?? field) === key);
}

/** Names of columns in two columns that are read, in that of the name and any other one, or in all cells: no row of a company. */
function isSecondHeader(
  { texts }: RowTexts,
  { headers, indexes = [] }: SourceHeader,
  { used }: SourceColumns,
): boolean {
  const cellOf = (header: string | undefined) => texts[indexes[headers.indexOf(header ?? '')] ?? -1] ?? '';
  const known = texts.filter(isKnownHeader).length;
  const knownRead = Object.values(used).filter((column) => isKnownHeader(cellOf(column))).length;
  const isNameKnown = isHeaderName('company_name', cellOf(used.company_name));
  return knownRead >= 2 || (isNameKnown && known >= 2) || (known > 0 && known === countFilled(texts));
}

interface Context {
  readonly fields: readonly SourceField[];
  readonly settings: ColumnSettings;
  readonly settingsPath: string;
}

/** A cell of a company can be a known name, for example the type `Kunde`: a lower row must be more like a header than the first one. */
function isBetterHeader({ texts }: RowTexts, headers: readonly string[], context: Context): boolean {
  const filled = texts.filter((text) => text !== '');
  if (!resolveColumns(filled, context).isHeader) return false;
  const countKnown = (row: readonly string[]) => row.filter((text) => isColumnName(text, context.settings)).length;
  const known = countKnown(filled);
  if (known <= countKnown(headers)) return false;
  return known >= 2 || known === filled.length || filled.length > headers.length;
}

function countFilled(texts: readonly string[]): number {
  return texts.filter((text) => text !== '').length;
}
