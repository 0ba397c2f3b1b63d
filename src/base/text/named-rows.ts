/** Rows of a table that a message or a report names: how many, and the numbers of the first five. */
export interface NamedRows {
  readonly rows: number;
  readonly first: readonly number[];
}

const rowsNamed = 5;

export function toNamedRows(numbers: readonly number[]): NamedRows {
  return { rows: numbers.length, first: numbers.slice(0, rowsNamed) };
}

export const noRows: NamedRows = { rows: 0, first: [] };

/** One row more. */
export function withRow({ rows, first }: NamedRows, number: number): NamedRows {
  return { rows: rows + 1, first: first.length < rowsNamed ? [...first, number] : first };
}

/** The rows of several, by their numbers. */
export function joinRows(parts: readonly NamedRows[]): NamedRows {
  const first = parts.flatMap((part) => part.first).toSorted((a, b) => a - b);
  return { ...toNamedRows(first), rows: parts.reduce((sum, { rows }) => sum + rows, 0) };
}

/** `7 (row 3, 4, 5, 6, 9 and others)` */
export function describeRows({ rows, first }: NamedRows): string {
  return `${rows} (row ${first.join(', ')}${rows > first.length ? ' and others' : ''})`;
}
