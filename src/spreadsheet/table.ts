/** What a writer is told about a column; `kind` decides number formats, widths and what a CSV file has to guard. */
export interface Column {
  readonly key: string;
  readonly header: string;
  readonly kind: 'text' | 'number' | 'date' | 'boolean' | 'phone';
  /** In characters, XLSX only. */
  readonly width?: number;
}

/** Cells by column key; a key that is missing, null or undefined is an empty cell. */
export type Row = Readonly<Record<string, string | number | boolean | Date | null | undefined>>;
export type Cell = Row[string];

/** A finished file; `rows` without the header, `sha256` in hex over the bytes on disk. */
export interface WrittenFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface SummarySection {
  readonly title: string;
  readonly rows: readonly { readonly label: string; readonly count: number }[];
}
