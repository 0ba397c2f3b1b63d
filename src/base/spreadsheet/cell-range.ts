/** Cells by their names in spreadsheet programs: `B2`, `B1:C1`. ECMA-376-1, 18.18.7 and 18.18.62. */

export interface CellRange {
  /** As in the file: `B1:C1`. */
  readonly name: string;
  /** From 1, like `bottom`. */
  readonly top: number;
  readonly bottom: number;
  /** From 1, like `right`. */
  readonly left: number;
  readonly right: number;
}

/** Cells that are merged over several rows, of which only the first one has the value. */
export interface TallRange {
  /** As in the file: `A2:A4`. */
  readonly name: string;
  readonly top: number;
  readonly bottom: number;
  /** The columns that are read, by their indexes in `headers`. */
  readonly indexes: readonly number[];
}

/** null when the text is not a range. */
export function parseRange(name: string): CellRange | null {
  const [, first = '', top, last = '', bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(name) ?? [];
  if (top === undefined) return null;
  return { name, top: Number(top), bottom: Number(bottom), left: toColumn(first), right: toColumn(last) };
}

/** 28 for `AB12`; 0 when the text is not a reference. */
export function columnOfCell(reference: string): number {
  return toColumn(/^([A-Z]{1,3})\d/.exec(reference)?.[1] ?? '');
}

function toColumn(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

/** `AB` for 28. */
export function toColumnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const before = (column - 1 - rest) / 26;
  return (before > 0 ? toColumnLetters(before) : '') + String.fromCharCode(65 + rest);
}
