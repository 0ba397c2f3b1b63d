/** Finds the separator of a CSV file. */
import Papa from 'papaparse';

export const separators = [',', ';', '\t', '|'] as const;

const rowsCompared = 20;

/** Excel's line above the header: `sep=;`. Its length includes the line end. null when the text does not begin with it. */
export function readSeparatorLine(text: string): { readonly separator: string; readonly length: number } | null {
  const [line, separator] = /^"?sep=([^\n])"?[ ;,|\t]{0,1000}(?:\n|$)/i.exec(text) ?? [];
  return line === undefined || separator === undefined ? null : { separator, length: line.length };
}

/** The sign by which all of these rows have as many values as the header, and without which each is one value. */
export function findOtherSeparator(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string | undefined {
  const compared = rows.slice(0, rowsCompared);
  if (header.length < 2 || compared.length === 0 || compared.some((values) => values.length !== 1)) return undefined;
  return separators.find((separator) =>
    compared.every(([text = '']) => text.split(separator, header.length + 1).length === header.length),
  );
}

interface Candidate {
  readonly separator: string;
  /** The header has several columns. */
  readonly isSplit: boolean;
  /** Rows that have the most frequent number of columns. */
  readonly consistentRows: number;
  readonly headerColumns: number;
}

/**
 * The separator by which most of the first rows have the same number of columns: a header alone can contain as many commas in its names
 * as semicolons between them. null when the text has no complete row yet.
 */
export function chooseSeparator(text: string, headerRow: number, follows: 'more follows' | 'the end'): string | null {
  const candidates = separators.map((separator) => toCandidate(text, separator, { headerRow, follows }));
  const known = candidates.filter((candidate) => candidate !== null);
  if (known.length === 0) return follows === 'the end' ? separators[0] : null;
  return known.reduce((best, next) => (isBetter(next, best) ? next : best)).separator;
}

function isBetter(left: Candidate, right: Candidate): boolean {
  if (left.isSplit !== right.isSplit) return left.isSplit;
  if (left.consistentRows !== right.consistentRows) return left.consistentRows > right.consistentRows;
  return left.headerColumns > right.headerColumns;
}

function toCandidate(
  text: string,
  separator: string,
  { headerRow, follows }: { readonly headerRow: number; readonly follows: 'more follows' | 'the end' },
): Candidate | null {
  const parser = new Papa.Parser({ delimiter: separator, newline: '\n', preview: headerRow - 1 + rowsCompared });
  const { data, errors }: Papa.ParseResult<string[]> = parser.parse(text, 0, follows === 'more follows');
  const broken = new Set(errors.map(({ row }) => row));
  const rows = data.slice(Math.min(headerRow - 1, Math.max(0, data.length - rowsCompared)));
  const widths = rows.flatMap((row, index) => {
    const isBlank = row.every((value) => value.trim() === '');
    return isBlank ? [] : [broken.has(data.length - rows.length + index) ? 0 : row.length];
  });
  const [headerColumns] = widths;
  if (headerColumns === undefined) return null;
  const counts = new Map<number, number>();
  for (const width of widths.filter((each) => each > 1)) counts.set(width, (counts.get(width) ?? 0) + 1);
  return {
    separator,
    isSplit: headerColumns > 1,
    consistentRows: Math.max(0, ...counts.values()),
    headerColumns,
  };
}
