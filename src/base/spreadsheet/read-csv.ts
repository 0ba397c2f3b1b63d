import { assertNotCutOff, type CsvRecord, readCsvRecords } from './csv-records.ts';
import { findOtherSeparator } from './csv-separator.ts';
import { fileLimits, formatLimit } from './file-limits.ts';
import { overLimit } from './spreadsheet-error.ts';
import {
  allColumns,
  createRefusal,
  headerBeyondEnd,
  readHeader,
  rowsBelowHeader,
  toUnnamed,
  withoutLastBlanks,
  type KeptColumns,
  type Refuse,
  type SelectColumns,
  type SheetSettings,
  type SourceRow,
  type SourceRows,
} from './table.ts';

const excelRemedy = 'write xlsx instead of csv, or save it as "CSV UTF-8"';

/**
 * The rows of a CSV file, in batches. The first row that is not blank is the header, or the row `headerRow`; columns without a header and
 * blank rows are skipped; values are trimmed.
 * @throws SpreadsheetError with the line of the faulty row
 */
export async function* readCsv(
  path: string,
  { headerRow, separator }: Pick<SheetSettings, 'headerRow' | 'separator'> = {},
  select: SelectColumns = allColumns,
): AsyncGenerator<SourceRows> {
  const refuse = createRefusal(path);
  let kept: KeptColumns | null = null;
  let width = 0;
  let named = 0;
  let count = 0;
  let yielded = false;
  let lastRow = 0;
  for await (const records of readCsvRecords(path, { refuse, excelRemedy, headerRow, separator })) {
    let below = records;
    lastRow = records.at(-1)?.number ?? lastRow;
    if (kept === null) {
      const at = headerRow === undefined ? 0 : records.findIndex(({ number }) => number >= headerRow);
      const header = records[at];
      if (header === undefined) continue;
      if (header.number !== (headerRow ?? header.number)) throw blankHeader(refuse, headerRow);
      below = records.slice(at + 1);
      width = header.values.length;
      named = withoutLastBlanks(header.values.map((value) => value.trim())).length;
      kept = await takeHeader(header, below, { select, refuse });
    }
    const columns = kept;
    const rows = below.map((record) => toRow(record, columns, { width, named, refuse }));
    count += rows.length;
    if (count > fileLimits.csvRows) throw tooManyRows(refuse, below.at(-1)?.line ?? 1);
    if (rows.length === 0) continue;
    yielded = true;
    yield { ...kept.header, rows };
  }
  if (kept === null)
    throw headerRow === undefined || lastRow === 0
      ? refuse('the file is empty')
      : headerBeyondEnd(refuse, headerRow, `the file has ${lastRow}`);
  if (!yielded) yield { ...kept.header, rows: [] };
}

async function takeHeader(
  { number, line, values }: CsvRecord,
  below: readonly CsvRecord[],
  { select, refuse }: { readonly select: SelectColumns; readonly refuse: Refuse },
): Promise<KeptColumns> {
  const separator = findOtherSeparator(
    values,
    below.map((record) => record.values),
  );
  if (separator !== undefined)
    throw refuse(
      `the rows below the header are separated by another sign (${JSON.stringify(separator)}) than it, so that each is one value. Separate all lines by the same sign`,
      { line },
    );
  if (areInSingleQuotes(below.flatMap((record) => record.values)))
    throw refuse(
      `the values are in single quotes ('), which would be read as a part of them. Export it with double quotes ("), or without quotes`,
      { line },
    );
  const rowsBelow = rowsBelowHeader(below.map((record) => ({ number: record.number, texts: record.values })));
  const row = { texts: values, number, place: `row ${number}`, rowsBelow };
  return readHeader(row, select, (problem, facts) => refuse(problem, { ...facts, line }));
}

/** Numbers, and cells without a value, often have no quotes. One such text may be a quotation. */
function areInSingleQuotes(cells: readonly string[]): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((text) => /\p{L}/u.test(text));
  return texts.length > 1 && texts.every((text) => /^'[^]+'$/.test(text));
}

function toRow(
  record: CsvRecord,
  columns: KeptColumns,
  { width, named, refuse }: { readonly width: number; readonly named: number; readonly refuse: Refuse },
): SourceRow {
  const { number, line, values } = record;
  if (values.length > width && values.slice(width).some((value) => value.trim() !== ''))
    throw refuse(
      `the row has ${values.length} values and the header has ${width}; a value that holds a separator needs quotes`,
      { line },
    );
  assertNotCutOff(record, { width: named, refuse });
  const cells = withoutLastBlanks(columns.indexes.map((index) => (values[index] ?? '').trim()));
  const isShort = values.length < named ? { isShort: true as const } : {};
  return { number, cells, ...isShort, ...toUnnamed(values, columns) };
}

function blankHeader(refuse: Refuse, headerRow: number | undefined): Error {
  return refuse('the header row is blank', { line: headerRow ?? 1 });
}

function tooManyRows(refuse: Refuse, line: number): Error {
  return refuse(`it has more than ${formatLimit(fileLimits.csvRows)} rows; split the file`, { line, code: overLimit });
}
