/** Rows and records that a message or a report names. */

/** The first items of a list, and how many others there are: `a, b and 12 more`. */
export function listFirst(items: readonly string[], most: number, total = items.length): string {
  const shown = items.slice(0, most);
  return `${shown.join(', ')}${countOthers(total - shown.length)}`;
}

/** ` and 12 more`; empty if there are no others. */
function countOthers(others: number): string {
  return others > 0 ? ` and ${others.toLocaleString('en')} more` : '';
}

/** How many rows of a table, and the numbers of the first five. */
export interface NamedRows {
  readonly rows: number;
  readonly first: readonly number[];
}

/** How many records of HubSpot, and the ids of the first five. */
export interface NamedRecords {
  readonly records: number;
  readonly first: readonly string[];
}

const mostNamed = 5;

export function toNamedRows(numbers: readonly number[]): NamedRows {
  return { rows: numbers.length, first: numbers.slice(0, mostNamed) };
}

export const noRows: NamedRows = { rows: 0, first: [] };

/** One row more. */
export function withRow({ rows, first }: NamedRows, number: number): NamedRows {
  return { rows: rows + 1, first: first.length < mostNamed ? [...first, number] : first };
}

/** The rows of several, by their numbers. */
export function joinRows(parts: readonly NamedRows[]): NamedRows {
  const first = parts.flatMap((part) => part.first).toSorted((a, b) => a - b);
  return { ...toNamedRows(first), rows: parts.reduce((sum, { rows }) => sum + rows, 0) };
}

/** `7 (row 3, 4, 5, 6, 9 and 2 more)` */
export function describeRows({ rows, first }: NamedRows): string {
  return `${rows} (row ${first.join(', ')}${countOthers(rows - first.length)})`;
}

/** One record more. */
export function withRecord({ records, first }: NamedRecords, id: string): NamedRecords {
  return { records: records + 1, first: first.length < mostNamed ? [...first, id] : first };
}

export const noRecords: NamedRecords = { records: 0, first: [] };

/** `2 (record 101, 102)` */
export function describeRecords({ records, first }: NamedRecords): string {
  return `${records} (record ${first.join(', ')}${countOthers(records - first.length)})`;
}
