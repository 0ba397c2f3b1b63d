/**
 * CSV as in RFC 4180: CRLF, doubled quotes, UTF-8; commas, unless the form says otherwise. By default with a byte order mark, because
 * Excel reads a file without one in the machine's old code page and shows every umlaut as two letters; `readCsv` and common libraries
 * skip it.
 */
import { defaultCsvForm, delimiterSign, toNumberText, type CsvForm } from './csv-form.ts';
import { toFileText, escapeFormulas } from './cell-text.ts';
import { interruptible, type OpenFile, writeWholeFile } from './whole-file.ts';
import { toCellText, type Cell, type Column, type Row, type WrittenFile } from './table.ts';

interface CsvOptions {
  readonly path: string;
  readonly columns: readonly Column[];
  readonly rows: AsyncIterable<readonly Row[]>;
  /** Default: `defaultCsvForm`. */
  readonly form?: CsvForm | undefined;
  readonly signal?: AbortSignal;
  /** Called after each batch with the number of rows so far. */
  readonly onRows?: (count: number) => void;
  readonly openFile?: OpenFile;
}

const newline = '\r\n';
const byteOrderMark = '\uFEFF';

/** Texts are quoted, dates are ISO 8601 in UTC, booleans are TRUE and FALSE, null is an empty field. */
export async function writeCsv(options: CsvOptions): Promise<WrittenFile> {
  const { path, columns, rows, form = defaultCsvForm, signal, onRows, openFile } = options;
  const toLine = (fields: readonly string[]) => fields.join(delimiterSign(form)) + newline;
  let count = 0;
  const file = await writeWholeFile({ path, signal, openFile }, async (growing) => {
    await growing.append(
      (form.bom ? byteOrderMark : '') + toLine(columns.map(({ header }) => toField(header, 'text', form))),
    );
    for await (const batch of interruptible(rows, signal)) {
      if (batch.length === 0) continue;
      await growing.append(
        batch.map((row) => toLine(columns.map(({ key, kind }) => toField(row[key] ?? null, kind, form)))).join(''),
      );
      count += batch.length;
      onRows?.(count);
    }
  });
  return { path, rows: count, ...file };
}

function toField(cell: Cell | undefined, kind: Column['kind'], form: CsvForm): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date)
    return kind === 'own' ? toCellText(cell) : Number.isNaN(cell.getTime()) ? '' : cell.toISOString();
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  // A negative number is not a formula.
  if (typeof cell === 'number') return toNumberField(cell, form);
  const text = toFileText(cell);
  const isHarmless = (kind === 'phone' || kind === 'own') && phoneNumber.test(text);
  return quote(isHarmless || (kind === 'own' && amount.test(text)) ? text : escapeFormulas(text));
}

/** Quoted where the delimiter is also the decimal sign. */
function toNumberField(number: number, form: CsvForm): string {
  if (!Number.isFinite(number)) return '';
  const text = toNumberText(number, form);
  return text.includes(delimiterSign(form)) ? quote(text) : text;
}

function quote(text: string): string {
  if (text === '') return '';
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`;
}

/** `+49 30 1234-5`: harmless as a formula, and an apostrophe would make it useless to dialers and CRMs. */
const phoneNumber = /^\+[\d ()./-]+$/;

/** `-1.234,50 €`: a number, which an apostrophe would make useless. */
const amount = /^[+-][\d.,' ]+ ?[%€$£]?$/;
