/** The source of a draft, and the cells of the user's file or query. */
import { z } from 'zod';
import type { NamedRecords, NamedRows } from '../base/text/named-rows.ts';
import { csvFormSchema, type CsvForm } from '../base/spreadsheet/csv-form.ts';
import type { MergedCells, Sheets, SourceCell } from '../base/spreadsheet/table.ts';

const namedRowsSchema = z.object({ rows: z.number(), first: z.array(z.number()) });

const noted = namedRowsSchema.exactOptional();

/** Rows that look wrong or are read in another form, by what is odd about them; absent if there are none. */
const notedRowsSchema = z.object({
  /** Rows of several different names with one website. */
  crowdedWebsites: noted,
  /** Rows of one name with several different websites. */
  crowdedNames: noted,
  /** Rows whose name is a city. */
  cityNames: noted,
  /** Rows whose name is that of a person, where most names are. */
  peopleNames: noted,
  /** Rows whose website has the name of another row, mostly that above or below. */
  shiftedWebsites: noted,
  /** Rows with the external id of an earlier row of another company. */
  sharedIds: noted,
  /** Rows whose website continues that of the row above by a number. */
  numberedWebsites: noted,
  /** The same of names. */
  numberedNames: noted,
  /** Rows whose name, or most of whose values, are struck through. */
  struckRows: noted,
  /** Rows with comments on their cells. */
  commentedRows: noted,
  /** Rows of a CSV file with fewer values than headers. */
  shortRows: noted,
  /** Rows with a name only. */
  nameOnly: noted,
  doubtfulNames: noted,
  /** Rows whose name begins or ends with `*`, which is no wildcard. */
  wildcardNames: noted,
  /** Rows whose name is that of a test, has a mark of the user's system, or is a person. */
  unlikelyNames: noted,
  doubtfulWebsites: noted,
  doubtfulCities: noted,
  /** Rows whose country is no name or code of one country. */
  doubtfulCountries: noted,
  /** Rows whose city is a country, and whose country is none. */
  swappedPlaces: noted,
  /** Rows whose website is an email address; its domain is used. */
  emailWebsites: noted,
  /** Rows whose id has zeros where Excel loses digits. */
  roundedIds: noted,
  /** Rows whose id is read as it is stored, and shown in another form that is not known. */
  storedIds: noted,
  /** Rows whose id is an email address or a telephone number. */
  personalIds: noted,
});
export const rowNotes = notedRowsSchema.keyof().options;
export type RowNote = (typeof rowNotes)[number];

/** Facts about rows that a user cannot see in the file. */
export interface RowNotes extends Readonly<Partial<Record<RowNote, NamedRows>>> {
  /** Number of rows that the spreadsheet program hides; absent if 0. */
  readonly hidden?: number;
  /** Rows whose id is stored and shown in two forms, the form that is read, and both forms of the first id; absent if there are none. */
  readonly formattedIds?: {
    readonly rows: number;
    readonly read: 'shown' | 'stored';
    readonly shown: string;
    readonly stored: number;
  };
  /** Columns with values and without a header, by their letters, and the rows with such a value; absent if there are none. */
  readonly unnamedColumns?: NamedRows & { readonly columns: readonly string[] };
  readonly mergedCells?: MergedCells;
  /** Where no website is read: the header of a column that has web addresses in most rows, and the setting that reads it; absent if there is none. */
  readonly unreadWebsites?: { readonly column: string; readonly setting: string };
}

/** How a file or a query is read. */
export interface FileReading {
  /** Field to header, and the headers that hold no field. */
  readonly columns: {
    readonly used: Readonly<Record<string, string>>;
    readonly ignored: readonly string[];
    /** Headers that hold a field, in columns that the spreadsheet program hides; absent if there are none. */
    readonly hidden?: readonly string[];
  };
  /** Of an Excel file with several sheets, when no setting names one; otherwise absent. */
  readonly sheets?: Sheets;
}

/** Where the companies of an enrichment come from, and how many were ordered. */
export interface SourceReport extends RowNotes, Pick<FileReading, 'sheets'> {
  readonly kind: 'csv' | 'xlsx' | 'sql' | 'hubspot';
  /** File or query: rows from the header to the last one that is not blank. CRM: companies found. */
  readonly rows: number;
  readonly blank: number;
  /** CRM companies that cannot be submitted. */
  readonly unusable: number;
  readonly ordered: number;
  /** Rows that match an exclusion and were not ordered, by exclusion; absent in runs without exclusions. */
  readonly excluded?: Readonly<Record<string, number>>;
  /**
   * Invalid rows that were left out, with `bad_rows: reject`; absent if there are none. `file`: null in a preview. `csv`: its form, absent
   * for `defaultCsvForm`.
   */
  readonly rejected?: { readonly rows: number; readonly file: string | null; readonly csv?: CsvForm };
  /** Number of characters replaced by U+FFFD; absent if 0. */
  readonly replaced?: number;
  /** Number of values from which invisible characters were removed; absent if 0. */
  readonly cleaned?: number;
  /** Number of placeholders, such as `n/a`, that were left out; absent if 0. */
  readonly placeholders?: number;
  /** Number of invalid websites of CRM companies, which were left out; absent if 0. */
  readonly invalidWebsites?: number;
  /** Ordered rows that repeat an earlier one; absent if there are none. */
  readonly repeated?: NamedRows;
  /** Ordered rows whose HubSpot record has another name, and another domain or none to compare; absent if there are none. */
  readonly otherRecords?: NamedRows;
  /** Ordered rows with a website at a mailbox provider or a shared host; absent if there are none. */
  readonly sharedWebsites?: NamedRows;
  /** Ordered rows that a column which is not read marks as not to be contacted, closed or deleted, and its header; absent if there are none. */
  readonly doNotContact?: NamedRows & { readonly columns: readonly string[] };
  /** Ordered rows whose comment says not to contact the company; absent if there are none. */
  readonly doNotContactComments?: NamedRows;
  /** CRM companies whose name looks wrong or is hardly that of a company; absent if there are none. */
  readonly doubtfulRecords?: NamedRecords;
  /** Rows of forgotten companies, which were not ordered; absent if there are none. */
  readonly forgotten?: NamedRows;
  /** null for the CRM. */
  readonly columns: FileReading['columns'] | null;
}

/** The source of a draft. */
export interface DraftSource {
  readonly report: SourceReport;
  /** All headers of the user's file; empty for the CRM. */
  readonly headers: readonly string[];
}

export const sourceSchema = z.object({
  report: z.object({
    kind: z.enum(['csv', 'xlsx', 'sql', 'hubspot']),
    rows: z.number(),
    blank: z.number(),
    unusable: z.number(),
    ordered: z.number(),
    excluded: z.record(z.string(), z.number()).exactOptional(),
    rejected: z
      .object({ rows: z.number(), file: z.string().nullable(), csv: csvFormSchema.exactOptional() })
      .exactOptional(),
    replaced: z.number().exactOptional(),
    cleaned: z.number().exactOptional(),
    placeholders: z.number().exactOptional(),
    invalidWebsites: z.number().exactOptional(),
    repeated: noted,
    otherRecords: noted,
    sharedWebsites: noted,
    doNotContact: namedRowsSchema.extend({ columns: z.array(z.string()) }).exactOptional(),
    doNotContactComments: noted,
    doubtfulRecords: z.object({ records: z.number(), first: z.array(z.string()) }).exactOptional(),
    forgotten: noted,
    hidden: z.number().exactOptional(),
    formattedIds: z
      .object({ rows: z.number(), read: z.enum(['shown', 'stored']), shown: z.string(), stored: z.number() })
      .exactOptional(),
    unnamedColumns: namedRowsSchema.extend({ columns: z.array(z.string()) }).exactOptional(),
    mergedCells: z.object({ ranges: z.number(), first: z.array(z.string()) }).exactOptional(),
    unreadWebsites: z.object({ column: z.string(), setting: z.string() }).exactOptional(),
    ...notedRowsSchema.shape,
    sheets: z.object({ read: z.string(), others: z.array(z.string()) }).exactOptional(),
    columns: z
      .object({
        used: z.record(z.string(), z.string()),
        ignored: z.array(z.string()),
        hidden: z.array(z.string()).exactOptional(),
      })
      .nullable(),
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

/** Empties all cells but keeps their number, so that each stays below its header. */
export function toEmptyCells(ownJson: string | null): string | null {
  const cells: unknown = JSON.parse(ownJson ?? 'null');
  return Array.isArray(cells) ? JSON.stringify(cells.map(() => '')) : null;
}
