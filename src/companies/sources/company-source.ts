/** Reads companies page by page from files and queries. */
import { nonRetryable } from '../../base/failures/application-failure.ts';
import type { SourceField } from '../../base/spreadsheet/header-names.ts';
import type { ColumnSettings, FieldValues, SourceColumns } from '../../base/spreadsheet/source-columns.ts';
import { toColumns } from './header-row.ts';
import { readQuery, type NamedQuery } from './sql/read-query.ts';
import { readTable, type TableFile } from '../../base/spreadsheet/reader-thread.ts';
import {
  toCellText,
  type MergedCells,
  type Sheets,
  type SourceCell,
  type SourceHeader,
  type SourceRow,
} from '../../base/spreadsheet/table.ts';
import { findCellProblem, isRoundedId, type FieldCleaner } from './field-values.ts';
import type { TallRange } from '../../base/spreadsheet/cell-range.ts';
import { createProblemList } from './problem-list.ts';
import { describeMergedNames } from './merged-names.ts';
import { boundText } from '../../base/text/bound-text.ts';
import { countUnstorable, toStorableText } from '../../base/text/storable.ts';
import { withSentence } from '../../base/text/normalize-text.ts';

/** Cancellation and progress of a long step. */
export interface ActivityContext {
  readonly signal: AbortSignal;
  /** `count`: rows of this step that are finished so far. */
  readonly recordProgress: (count: number) => void;
}

export type ExternalIdForm = 'shown' | 'stored';

interface SourceSettings {
  readonly columns?: ColumnSettings | undefined;
  /** Path of the column settings in the configuration, for messages. */
  readonly settingsPath: string;
  /** Which form of an id is read where a number format shows another one than is stored. Absent: as it is shown. */
  readonly externalIdForm?: ExternalIdForm | undefined;
  /** Of an enrichment; the files of exclusions are always refused. */
  readonly badRows?: 'refuse' | 'reject';
}

export type FileSource = TableFile & SourceSettings;

export type QuerySource = SourceSettings & { readonly kind: 'sql'; readonly query: NamedQuery };

export type TableSource = FileSource | QuerySource;

export interface FileMapping<Row> {
  readonly fields: readonly SourceField[];
  /** Whether a row also keeps the cell of a column that is not read. */
  readonly keeps: (header: string, columns: SourceColumns) => boolean;
  readonly fromRow: (values: FieldValues) => Row;
  /** Cleans and counts the values of the fields. */
  readonly cleaner: FieldCleaner;
  /** Violations of the contract, without values. */
  readonly problems: (row: Row) => readonly string[];
  /** Whether a source with an invalid row is refused as a whole, or only the row is rejected. Default: refuse. */
  readonly badRows?: 'refuse' | 'reject' | undefined;
}

/** A company and its row in the source. */
export interface SourceFileRow<Row> {
  readonly row: Row;
  /** The clean values of the fields, before a row is made of them. */
  readonly values: FieldValues;
  readonly source: SourceRow;
  readonly idForms: IdForms | null;
  /** The id has zeros where Excel loses digits. */
  readonly isIdRounded: boolean;
}

/** An id that a number format, or the ending `.0`, shows differently than it is stored. `shown`: null if that text is not known, such as 50 % for 0.5. */
export interface IdForms {
  readonly shown: string | null;
  readonly stored: number;
}

/** A row that breaks the contract. */
export interface InvalidRow {
  readonly source: SourceRow;
  readonly problems: readonly string[];
}

export interface FilePage<Row> {
  readonly headers: readonly string[];
  readonly columns: SourceColumns;
  readonly headerNumber: number;
  /** Of an Excel file with several sheets, when no setting names one. */
  readonly sheets?: Sheets | undefined;
  /** Headers of columns that the spreadsheet program hides. */
  readonly hiddenHeaders?: readonly string[] | undefined;
  readonly merged?: MergedCells | undefined;
  readonly rows: readonly SourceFileRow<Row>[];
  /** Empty unless invalid rows are rejected. */
  readonly rejected: readonly InvalidRow[];
  /** Characters of these rows that no database can store, and that were replaced by U+FFFD. */
  readonly replaced: number;
}

/** The path of the file, or that of the setting. */
export function placeOf(source: TableSource): string {
  return source.kind === 'sql' ? source.query.setting : source.path;
}

/** The source is refused as a whole. */
export function refusal(source: TableSource, reason: string) {
  return nonRetryable('FileRefused', withSentence(`${placeOf(source)} was not used: ${reason}`, 'No order was placed'));
}

/** Reads a file or a query. A source with invalid rows is refused as a whole, unless they are rejected; the message names the first ten problems, and how many rows more there are. */
export async function* readSource<Row>(
  file: TableSource,
  { fields, keeps, fromRow, cleaner, problems, badRows = 'refuse' }: FileMapping<Row>,
  signal: AbortSignal,
): AsyncGenerator<FilePage<Row>> {
  const refuse = (reason: string) => refusal(file, reason);
  const invalid = createProblemList();
  let columns: SourceColumns = { used: {}, ignored: [] };
  const select = (header: SourceHeader) => {
    const headers = header.headers.map(toHeader);
    columns = toColumns({ ...header, headers }, file, fields, refuse);
    const used = new Set(Object.values(columns.used));
    const isKept = (text: string) => used.has(text) || keeps(text, columns);
    return [...headers.keys()].filter((index) => isKept(headers[index] ?? ''));
  };
  /** Rows without a name. */
  const nameless: number[] = [];
  let nameAt = -1;
  let ranges: readonly TallRange[] = [];
  let hasRows = false;
  const pages = file.kind === 'sql' ? readQuery(file.query, { signal, select }) : readTable(file, { signal, select });
  for await (const { rows: cells, tallRanges = [], ...page } of pages) {
    ranges = tallRanges;
    const { headers: names, headerNumber, sheets, hiddenHeaders, merged } = page;
    const headers = names.map(toHeader);
    const { rows, replaced } = cleanRows(cells);
    const places = fields.flatMap((field): FieldPlace[] => {
      const header = columns.used[field];
      return header === undefined ? [] : [{ field, index: headers.indexOf(header) }];
    });
    const checked = rows.map((source) => {
      const idForms = file.kind === 'sql' ? null : findIdForms(source, places);
      const values = toValues(source, places, { cleaner, idForms, file });
      const row = fromRow(values);
      const isIdRounded = file.kind !== 'sql' && isRoundedId(values.external_id ?? '');
      const cellProblems = findCellProblems(source, places, file.kind);
      return { row, values, source, idForms, isIdRounded, problems: withoutRepeats(cellProblems, problems(row)) };
    });
    const valid = checked.filter((each) => each.problems.length === 0);
    const bad = checked.filter((each) => each.problems.length > 0);
    hasRows ||= rows.length > 0;
    const read = { headers, columns, headerNumber, sheets, merged, hiddenHeaders: hiddenHeaders?.map(toHeader) };
    const checkedPage = { ...read, rows: valid, rejected: bad, replaced };
    if (badRows === 'reject') {
      yield checkedPage;
      continue;
    }
    for (const each of bad) invalid.add(each);
    nameAt = places.find(({ field }) => field === 'company_name')?.index ?? -1;
    nameless.push(...bad.filter(({ values }) => !values.company_name).map(({ source }) => source.number));
    if (invalid.rows() === 0) yield checkedPage;
  }
  const merged = describeMergedNames(ranges, { column: nameAt, rows: nameless });
  if (invalid.rows() > 0) throw refuse([invalid.text(), ...merged].join('; '));
  if (!hasRows)
    throw emptySource(
      file.kind === 'sql' ? `${placeOf(file)} returns no row` : `${file.path} has no row below its header`,
    );
}

/** Limits the length of cells, and replaces characters that a database cannot store. */
function cleanRows(rows: readonly SourceRow[]): { rows: SourceRow[]; replaced: number } {
  let replaced = 0;
  const clean = (cell: SourceCell): SourceCell => {
    if (typeof cell !== 'string') return cell;
    const bound = boundText(cell);
    // A copy: V8 keeps the whole cell in memory for a slice of it, and for slices of that.
    const text = bound === cell ? bound : structuredClone(bound);
    replaced += countUnstorable(text);
    return toStorableText(text);
  };
  const cleaned = rows.map(({ cells, ...row }) => ({ ...row, cells: cells.map(clean) }));
  return { rows: cleaned, replaced };
}

function toHeader(header: string): string {
  return toStorableText(boundText(header));
}

interface FieldPlace {
  readonly field: SourceField;
  readonly index: number;
}

function toValues(
  { cells }: SourceRow,
  places: readonly FieldPlace[],
  { cleaner, idForms, file }: { cleaner: FieldCleaner; idForms: IdForms | null; file: TableSource },
): FieldValues {
  const readsStored = idForms !== null && file.externalIdForm === 'stored';
  const toText = ({ field, index }: FieldPlace) =>
    field === 'external_id' && readsStored ? String(idForms.stored) : toCellText(cells[index] ?? '');
  const clean = (place: FieldPlace) =>
    place.field === 'company_name' ? cleaner.cleanName(toText(place)) : cleaner.clean(toText(place));
  return Object.fromEntries(places.map((place) => [place.field, clean(place)]));
}

/** `1001.0`: what programs make of the ids of a column in which some are missing. */
const decimalId = /^[1-9]\d{0,14}\.0$/;

function findIdForms({ cells, formatted }: SourceRow, places: readonly FieldPlace[]): IdForms | null {
  const index = places.find(({ field }) => field === 'external_id')?.index ?? -1;
  const stored = formatted?.[index];
  const cell = cells[index] ?? '';
  if (typeof cell === 'string' && decimalId.test(cell)) return { shown: cell, stored: Number(cell) };
  if (stored === undefined) return null;
  return { shown: typeof cell === 'number' ? null : toCellText(cell), stored };
}

function findCellProblems({ cells }: SourceRow, places: readonly FieldPlace[], kind: TableSource['kind']): string[] {
  return places.flatMap(({ field, index }) => findCellProblem(field, cells[index] ?? '', kind) ?? []);
}

/** The contract finds a field invalid whose cell is: the first problem says why. */
function withoutRepeats(cellProblems: readonly string[], problems: readonly string[]): string[] {
  const fieldOf = (problem: string) => problem.slice(0, problem.indexOf(':'));
  const known = new Set(cellProblems.map(fieldOf));
  return [...cellProblems, ...problems.filter((problem) => !known.has(fieldOf(problem)))];
}

/** An empty source is an error: it is far more often a mistake than a fact. */
export function emptySource(problem: string) {
  return nonRetryable('SourceEmpty', `${problem}: nothing was changed or ordered`);
}
