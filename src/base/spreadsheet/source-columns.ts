/** Assigns the columns of a user's file to fields, and finds columns that are probably meant as a field. */
import { isHeaderName, isNearHeader, rankOf, sourceFields, type SourceField } from './header-names.ts';
import { toHeaderKey } from '../text/header-key.ts';
import { toNameList } from './table.ts';

/** Headers by field, and headers to ignore: `{ company_name: 'Firma', ignore: ['Notiz'] }`. */
export type ColumnSettings = { readonly [F in SourceField]?: string | undefined } & {
  readonly ignore?: readonly string[] | undefined;
};

/** Values of a row by field; a field without a column is absent. */
export type FieldValues = Readonly<Partial<Record<SourceField, string>>>;

export interface SourceColumns {
  /** Headers by field. */
  readonly used: Readonly<Partial<Record<SourceField, string>>>;
  /** Headers without a field. */
  readonly ignored: readonly string[];
}

interface Fields {
  /** Fields to read from the file. */
  readonly fields: readonly SourceField[];
  readonly settings: ColumnSettings;
  /** Path of the settings in the configuration, for messages. */
  readonly settingsPath: string;
  /** The headers are the columns of a query: no row of data. */
  readonly isQuery?: boolean;
}

/**
 * A field is read from the column in the settings; without a setting from the column with the field's name, unless the settings ignore it. A
 * configured header that the file does not have is a problem. So is a column with a similar name when the field has no column, because it would be ignored silently.
 * Messages list all headers only when one of them is a header for companies: without a header row, the first row contains data.
 * `summary`: the problem without proposals, for a row that is not the header.
 */
export function resolveColumns(
  headers: readonly string[],
  { fields, settings, settingsPath, isQuery = false }: Fields,
) {
  const byKey = Map.groupBy(headers, toHeaderKey);
  const ignore = new Set((settings.ignore ?? []).map(toHeaderKey));
  const find = (header: string) => byKey.get(toHeaderKey(header)) ?? [];
  const used: Partial<Record<SourceField, string>> = {};
  const missing: string[] = [];
  const repeated: string[] = [];
  for (const field of fields) {
    const wanted = settings[field] ?? field;
    const isIgnored = settings[field] === undefined && ignore.has(toHeaderKey(field));
    const similar = isIgnored ? [] : find(wanted);
    const same = settings[field] === undefined ? [] : similar.filter((header) => header === wanted);
    const found = same.length > 0 ? same : similar;
    const [header, second] = found;
    if (header !== undefined) used[field] = header;
    else if (settings[field] !== undefined)
      missing.push(`it has no column ${quote(wanted)} (${settingsPath}.${field})`);
    if (second !== undefined) repeated.push(`it has ${found.length} columns for ${field}: ${toNameList(found)}`);
  }
  if (repeated.length > 0) {
    const summary = repeated.join('. ');
    return { isHeader: true, summary, problem: `${summary}. Rename all but one of them${isQuery ? ' with AS' : ''}` };
  }
  const taken = new Set(Object.values(used));
  const others = headers.filter((header) => !taken.has(header));
  const open = fields.filter((field) => used[field] === undefined);
  const candidates = others.filter((header) => !ignore.has(toHeaderKey(header)));
  const suspects: Suspect[] = [];
  // One column is meant as one field.
  for (const field of open) {
    const left = candidates.filter((header) => suspects.every((suspect) => suspect.header !== header));
    suspects.push(...findSuspect(field, settings[field], left));
  }
  const lacksName = used.company_name === undefined && settings.company_name === undefined;
  const nameProblem = ignore.has(toHeaderKey('company_name'))
    ? `${settingsPath}.ignore names its column company_name, and no setting names another`
    : 'it has no column company_name';
  const problems = [...missing, ...(lacksName ? [nameProblem] : [])];
  if (problems.length === 0 && suspects.length === 0) return { isHeader: true, columns: { used, ignored: others } };
  const isSetFound = fields.some((field) => used[field] !== undefined && settings[field] !== undefined);
  const isHeader = used.company_name !== undefined || isSetFound || suspects.some(isCertain);
  const found = isHeader
    ? `Its columns are ${toNameList(headers)}`
    : isQuery
      ? `Its columns are ${toNameList(headers)}. Name them in the query, for example SELECT ${toExample(headers)} AS company_name`
      : `The first row must name the columns; ${toNameList([...taken]) || 'none'} of its ${headers.length} cells ${taken.size === 1 ? 'is a known name' : 'are known names'}`;
  const [sign] = headers.length === 1 && !isQuery ? (/[\^~¦§:]/.exec(headers[0] ?? '') ?? []) : [];
  const unseparated =
    sign === undefined
      ? []
      : [
          `If ${quote(sign)} separates its columns, save it with a comma or a semicolon between them: this sign separates none`,
        ];
  const required =
    !lacksName || suspects.length === 0 || suspects.some(({ field }) => field === 'company_name')
      ? []
      : ['A column with the names of the companies is required: add one'];
  const remedies = [...required, ...toRemedies(suspects, { used, settings, settingsPath })];
  return {
    isHeader,
    summary: problems.join('. ') || 'it has columns that are not read',
    problem: [...problems, ...suspects.map(toProblem), found, ...unseparated, ...remedies].join('. '),
  };
}

/** The first column if it is a name, and no expression. */
function toExample([header = '']: readonly string[]): string {
  return /^[A-Za-z_]\w*$/.test(header) ? header : 'firma';
}

/** A column that is probably meant as the field. */
interface Suspect {
  readonly header: string;
  readonly field: SourceField;
  /** Columns with this header. */
  readonly columns: number;
  /** The setting of the field has nearly this header. */
  readonly isNearSetting: boolean;
}

/** The column that is most likely meant as the field, if there is one: first what the setting nearly names, and one that can be read. */
function findSuspect(field: SourceField, wanted: string | undefined, headers: readonly string[]): Suspect[] {
  const ranked = headers
    .map((header) => {
      const isNearSetting = wanted !== undefined && isNearHeader(header, wanted);
      const columns = headers.filter((other) => other === header).length;
      return { header, field, columns, isNearSetting, rank: isNearSetting ? -1 : rankOf(header, field) };
    })
    .filter(({ rank }) => rank !== null)
    .sort(
      (left, right) => Number(left.columns > 1) - Number(right.columns > 1) || (left.rank ?? 0) - (right.rank ?? 0),
    );
  return ranked.slice(0, 1);
}

function toProblem({ header, field, columns, isNearSetting }: Suspect): string {
  if (columns > 1) return `The ${columns} columns ${quote(header)} are not read, and one of them may be ${field}`;
  return `The column ${quote(header)} is not read, and may be ${field}${isNearSetting ? ': its name is similar to that of the setting' : ''}`;
}

/** Only an exact synonym for companies, or nearly the header of a setting, proves that the row is a header. */
function isCertain({ field, header, isNearSetting }: Suspect): boolean {
  return isNearSetting || (field === 'company_name' && isHeaderName(field, header));
}

interface Known {
  readonly used: SourceColumns['used'];
  readonly settings: ColumnSettings;
  readonly settingsPath: string;
}

/** The complete setting to copy, with its present values. */
export function toColumnsSetting(
  added: readonly { readonly field: SourceField; readonly header: string }[],
  { used, settings, settingsPath }: Known,
  ignored: readonly string[] = [],
): string {
  const kept = sourceFields.flatMap((field) => {
    const header = settings[field] === undefined ? undefined : used[field];
    return header === undefined ? [] : [{ field, header }];
  });
  const ignore = [...(settings.ignore ?? []), ...ignored].map(toYaml);
  const names = [
    ...[...kept, ...added].map(({ field, header }) => `${field}: ${toYaml(header)}`),
    ...(ignore.length === 0 ? [] : [`ignore: [${ignore.join(', ')}]`]),
  ];
  return `${settingsPath}: {${names.join(', ')}}`;
}

/** A header that occurs twice cannot be read, so it is never proposed for a field. */
function toRemedies(suspects: readonly Suspect[], { used, settings, settingsPath }: Known): string[] {
  if (suspects.length === 0)
    return used.company_name === undefined && settings.company_name === undefined ? [] : [`Correct ${settingsPath}`];
  const single = suspects.filter(({ columns }) => columns === 1);
  const repeated = suspects.filter(({ columns }) => columns > 1).map(({ header }) => header);
  const setting = toColumnsSetting(single, { used, settings, settingsPath }, repeated);
  if (repeated.length > 0)
    return [`Rename all but one of the columns ${toNameList(repeated)}, or ignore them: set ${setting}`];
  // Where a setting names another header, ignoring the column would not correct it.
  const ignorable = suspects.findLast(({ field }) => settings[field] === undefined);
  if (ignorable === undefined) return [`Set ${setting}`];
  return [
    `Set ${setting}`,
    `Put a column that is something else into ignore instead, for example ignore: [${toYaml(ignorable.header)}]`,
  ];
}

function quote(header: string): string {
  return JSON.stringify(header);
}

/** Whether the user has decided that the column is not read. */
export function isIgnoredColumn(header: string, { ignore = [] }: ColumnSettings): boolean {
  return ignore.some((name) => toHeaderKey(name) === toHeaderKey(header));
}

export function toYaml(header: string): string {
  return /^[\p{L}][\p{L}\p{N} _-]*$/u.test(header) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(header)
    ? header
    : JSON.stringify(header);
}
