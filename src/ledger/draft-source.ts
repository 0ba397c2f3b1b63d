/** Where the rows of a draft come from, and the cells of the user's file or query. */
import { z } from 'zod';
import type { NamedRows } from '../text/named-rows.ts';
import type { Sheets, SourceCell } from '../spreadsheet/table.ts';

/** What a reader of a file does not see in its rows. */
export interface RowNotes {
  /** Rows that the spreadsheet program hides; absent where there is none. */
  readonly hidden?: number;
  /** Rows whose id has two forms, the form that is read, and both forms of the first one; absent where there is none. */
  readonly formattedIds?: {
    readonly rows: number;
    readonly read: 'shown' | 'stored';
    readonly shown: string;
    readonly stored: number;
  };
  /** Rows with a name only; absent where there is none. */
  readonly nameOnly?: NamedRows;
  /** Rows whose name has broken characters, or is a number, an address or the label of a total; absent where there is none. */
  readonly doubtfulNames?: NamedRows;
  /** Rows whose website is an email address, of which the domain is read; absent where there is none. */
  readonly emailWebsites?: NamedRows;
}

/** How a file or a query is read. */
export interface FileReading {
  /** Field to header, and the headers that hold no field. */
  readonly columns: {
    readonly used: Readonly<Record<string, string>>;
    readonly ignored: readonly string[];
  };
  /** Of an Excel file with several sheets, when no setting names one; otherwise absent. */
  readonly sheets?: Sheets;
}

/** Where the companies of an enrichment come from, and how many were ordered. */
export interface SourceReport extends RowNotes, Pick<FileReading, 'sheets'> {
  readonly kind: 'csv' | 'xlsx' | 'sql' | 'hubspot';
  /** Of a file or a query, the rows from the header to the last one that is not blank; of the CRM, the companies found. */
  readonly rows: number;
  readonly blank: number;
  /** CRM companies that cannot be submitted. */
  readonly unusable: number;
  readonly ordered: number;
  /** Rows that match an exclusion and were not ordered, by exclusion; absent in runs without exclusions. */
  readonly excluded?: Readonly<Record<string, number>>;
  /** Invalid rows that were left out, as `bad_rows: reject` says; absent where there is none. `file`: null in a preview. */
  readonly rejected?: { readonly rows: number; readonly file: string | null };
  /** Characters of a file that no database holds, and that U+FFFD stands for; absent where there is none. */
  readonly replaced?: number;
  /** Values from which invisible characters were removed; absent where there is none. */
  readonly cleaned?: number;
  /** Values that stand for nothing, such as `n/a`, and were left out; absent where there is none. */
  readonly placeholders?: number;
  /** Websites of CRM companies that are no web address, and were left out; absent where there is none. */
  readonly invalidWebsites?: number;
  /** Ordered rows that repeat an earlier one; absent where there is none. */
  readonly repeated?: NamedRows;
  /** Ordered rows whose HubSpot record has another name and another domain; absent where there is none. */
  readonly otherRecords?: NamedRows;
  /** Ordered rows with the external id of an earlier row of another company; absent where there is none. */
  readonly sharedIds?: NamedRows;
  /** Ordered rows with a website at a mailbox provider or a shared host; absent where there is none. */
  readonly sharedWebsites?: NamedRows;
  /** null for the CRM. */
  readonly columns: FileReading['columns'] | null;
}

/** Where the rows of a draft come from. */
export interface DraftSource {
  readonly report: SourceReport;
  /** All headers of the user's file; empty for the CRM. */
  readonly headers: readonly string[];
}

const namedRowsSchema = z.object({ rows: z.number(), first: z.array(z.number()) });

export const sourceSchema = z.object({
  report: z.object({
    kind: z.enum(['csv', 'xlsx', 'sql', 'hubspot']),
    rows: z.number(),
    blank: z.number(),
    unusable: z.number(),
    ordered: z.number(),
    excluded: z.record(z.string(), z.number()).exactOptional(),
    rejected: z.object({ rows: z.number(), file: z.string().nullable() }).exactOptional(),
    replaced: z.number().exactOptional(),
    cleaned: z.number().exactOptional(),
    placeholders: z.number().exactOptional(),
    invalidWebsites: z.number().exactOptional(),
    repeated: namedRowsSchema.exactOptional(),
    otherRecords: namedRowsSchema.exactOptional(),
    sharedIds: namedRowsSchema.exactOptional(),
    sharedWebsites: namedRowsSchema.exactOptional(),
    hidden: z.number().exactOptional(),
    formattedIds: z
      .object({ rows: z.number(), read: z.enum(['shown', 'stored']), shown: z.string(), stored: z.number() })
      .exactOptional(),
    nameOnly: namedRowsSchema.exactOptional(),
    doubtfulNames: namedRowsSchema.exactOptional(),
    emailWebsites: namedRowsSchema.exactOptional(),
    sheets: z.object({ read: z.string(), others: z.array(z.string()) }).exactOptional(),
    columns: z.object({ used: z.record(z.string(), z.string()), ignored: z.array(z.string()) }).nullable(),
  }) satisfies z.ZodType<SourceReport>,
  headers: z.array(z.string()),
});

const cellsSchema = z.array(z.union([z.string(), z.number(), z.boolean(), z.object({ date: z.string() })]));

export function encodeCells(cells: readonly SourceCell[]): string {
  return JSON.stringify(cells.map((cell) => (cell instanceof Date ? { date: cell.toISOString() } : cell)));
}

export function decodeCells(json: string): SourceCell[] {
  return cellsSchema.parse(JSON.parse(json)).map((cell) => (typeof cell === 'object' ? new Date(cell.date) : cell));
}

/** Cells of the same number, so that each stays below its header. */
export function toEmptyCells(ownJson: string | null): string | null {
  const cells: unknown = JSON.parse(ownJson ?? 'null');
  return Array.isArray(cells) ? JSON.stringify(cells.map(() => '')) : null;
}
