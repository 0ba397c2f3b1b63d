/** Compares the CSV and XLSX files of an order with the rows that the ledger has now, in one pass over its slots. */
import type { Ledger } from '../../ledger/ledger.ts';
import { defaultCsvForm, delimiterSign, toNumberText, type CsvForm } from '../../base/spreadsheet/csv-form.ts';
import { createContentDigest, type FileContent } from '../../base/spreadsheet/file-content.ts';
import { readTable } from '../../base/spreadsheet/reader-thread.ts';
import { SpreadsheetError } from '../../base/spreadsheet/spreadsheet-error.ts';
import {
  type Cell,
  type Column,
  type Row,
  type SourceCell,
  type SourceHeader,
  type SourceRows,
  toCellText,
} from '../../base/spreadsheet/table.ts';
import { excludedKeys, readExcludedRows } from './excluded-sheet.ts';
import { readSheetColumns, readResultRows, type SheetFile, type SpreadsheetContext } from './order-spreadsheet.ts';

export interface WrittenSheet extends Pick<SheetFile, 'kind' | 'path'> {
  readonly content: FileContent;
  /** Whether the file is read again. */
  readonly isRead: boolean;
}

export interface SheetComparison {
  readonly kind: SheetFile['kind'];
  /** The ledger has the rows that were written. */
  readonly isCurrent: boolean;
  /** Rows of the file that differ from those of the ledger, are missing or are too many; 1 for a file that is no table, 0 if it is not read. */
  readonly differing: number;
}

type ComparisonContext = Pick<SpreadsheetContext, 'signal' | 'onRows'>;

export async function compareFiles(
  ledger: Ledger,
  orderId: string,
  files: readonly WrittenSheet[],
  context: ComparisonContext,
): Promise<SheetComparison[]> {
  const found: SheetComparison[] = [];
  // CSV and XLSX files usually have the same rows.
  for (const group of Map.groupBy(files, rowsOf).values())
    found.push(...(await compareEqualRows(ledger, orderId, group, context)));
  return found;
}

function rowsOf({ content: { layout } }: WrittenSheet): string {
  return JSON.stringify([layout.rows, layout.columns]);
}

/** A process reads one file at a time: the first pass over the ledger makes the digests too. */
async function compareEqualRows(
  ledger: Ledger,
  orderId: string,
  files: readonly WrittenSheet[],
  { signal, onRows }: ComparisonContext,
): Promise<SheetComparison[]> {
  const digests = new Map(
    files.map(({ content }) => [digestKey(content), { content, digest: createContentDigest(content.keys) }]),
  );
  const found: Omit<SheetComparison, 'isCurrent'>[] = [];
  for (const [index, { kind, path, content, isRead }] of files.entries()) {
    if (index > 0 && !isRead) {
      found.push({ kind, differing: 0 });
      continue;
    }
    const columns = await readSheetColumns(ledger, orderId, content.layout);
    const reader = isRead ? openReader({ kind, path, content }, columns, signal) : null;
    await using cleanup = new AsyncDisposableStack();
    if (reader !== null) cleanup.defer(reader.close);
    let rows = 0;
    for await (const batch of readResultRows(ledger, orderId, content.layout)) {
      signal.throwIfAborted();
      if (index === 0) for (const { digest } of digests.values()) digest.add(batch);
      if (reader !== null) for (const row of batch) await reader.compare(row);
      onRows((rows += batch.length));
    }
    found.push({ kind, differing: reader === null ? 0 : await reader.end() });
  }
  for (const { content, digest } of digests.values())
    if (content.layout.excluded)
      for await (const batch of readExcludedRows(ledger, orderId, content.layout.language))
        digest.add(batch, excludedKeys);
  const hex = new Map([...digests].map(([key, { digest }]) => [key, digest.hex()]));
  return found.map((compared, index) => {
    const content = files[index]?.content;
    return { ...compared, isCurrent: content !== undefined && hex.get(digestKey(content)) === content.sha256 };
  });
}

function digestKey({ layout, keys }: FileContent): string {
  return JSON.stringify([layout.excluded, layout.language, keys]);
}

/** Reads a written file row by row, beside the rows that it should have. */
function openReader(
  { kind, path, content: { layout } }: Omit<WrittenSheet, 'isRead'>,
  columns: readonly Column[],
  signal: AbortSignal,
) {
  const compared = toComparedColumns(columns);
  let header: readonly string[] = [];
  const select = ({ headers }: SourceHeader) => {
    header = headers;
    return [...headers.keys()].filter((index) => compared.has(headers[index] ?? ''));
  };
  const form = layout.csv ?? defaultCsvForm;
  const separator = kind === 'csv' ? { separator: delimiterSign(form) } : {};
  const rows = singly(readTable({ kind, path, ...separator }, { signal, select }), compared);
  let differing = 0;
  let isTable = true;
  const next = async () => {
    if (!isTable) return undefined;
    try {
      const { value } = await rows.next();
      return value;
    } catch (error) {
      if (!(error instanceof SpreadsheetError)) throw error;
      isTable = false;
      return undefined;
    }
  };
  return {
    async compare(expected: Row): Promise<void> {
      const found = await next();
      const isSame = found?.keys.every(
        (key, index) => key === undefined || isSameCell(found.cells[index] ?? '', expected[key], form),
      );
      if (isSame !== true) differing += 1;
    },
    async end(): Promise<number> {
      while ((await next()) !== undefined) differing += 1;
      const isSameHeader =
        toComparable(header.join(' ')) === toComparable(columns.map((column) => column.header).join(' '));
      return isTable ? differing + Number(!isSameHeader) : 1;
    },
    close: async () => void (await rows.return(undefined)),
  };
}

interface FoundRow {
  /** The key of each cell that is compared. */
  readonly keys: readonly (string | undefined)[];
  readonly cells: readonly SourceCell[];
}

async function* singly(
  pages: AsyncIterable<SourceRows>,
  compared: ReadonlyMap<string, string>,
): AsyncGenerator<FoundRow, undefined> {
  for await (const { headers, rows } of pages) {
    const keys = headers.map((header) => compared.get(header));
    for (const { cells } of rows) yield { keys, cells };
  }
  return undefined;
}

/** White space, control characters and the apostrophes before formulas differ between formats. */
const ignored = /[\s\p{Cc}\p{Cf}\uFFFD']+/gu;
/** Excel cuts cells at 32,767 characters. */
const comparedCharacters = 32_000;

/** Columns of texts and numbers, which every format keeps. Dates, phones and booleans are written in several ways. */
function toComparedColumns(columns: readonly Column[]): ReadonlyMap<string, string> {
  const compared = columns.filter(({ kind }) => kind === 'text' || kind === 'number' || kind === 'own');
  return new Map(compared.map(({ header, key }) => [header, key]));
}

function isSameCell(found: SourceCell, expected: Cell, form: CsvForm): boolean {
  if (typeof expected === 'boolean' || expected instanceof Date) return true;
  if (typeof expected === 'number') return found === expected || found === toNumberText(expected, form);
  const text = toCellText(found);
  return text === (expected ?? '') || toComparable(text) === toComparable(expected ?? '');
}

function toComparable(text: string): string {
  return text
    .slice(0, comparedCharacters)
    .replaceAll(ignored, '')
    .slice(0, comparedCharacters / 2);
}
