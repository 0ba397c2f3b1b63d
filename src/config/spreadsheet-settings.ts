/** `spreadsheets` of a run: the files that prospect-sync writes. */
import { z } from 'zod';
import { isRawPath, sourcePaths } from '../mapping/source-paths.ts';
import { filePath, flag } from './setting-values.ts';

/** A known field of the results, or a path into the raw response. */
const sourcePath = z.string().refine((path) => isRawPath(path) || sourcePaths.has(path), {
  message: 'must be a field of docs/mapping.md such as company.city, or raw. and a path in the response of the service',
});

export const spreadsheetsSchema = z
  .strictObject({
    directory: filePath.default('out').describe('Folder for the files, relative to this file'),
    csv: flag.default(true).describe('Write a CSV file'),
    xlsx: flag.default(true).describe('Write an Excel file'),
    rows: z
      .enum(['slot', 'prospect'])
      .default('slot')
      .describe('Write one row per slot (company), or one per prospect (contact)'),
    columns: z
      .record(z.string().min(1).max(100), sourcePath)
      .default({})
      .describe('Additional columns: header and field, for example Turnover: raw.company.turnover'),
  })
  .prefault({})
  .describe('Files that the run writes');

export interface SpreadsheetsConfig {
  readonly directory: string;
  readonly csv: boolean;
  readonly xlsx: boolean;
  readonly rows: 'slot' | 'prospect';
  /** Header to path of additional columns. */
  readonly columns: Readonly<Record<string, string>>;
}

export function toSpreadsheets(
  spreadsheets: z.infer<typeof spreadsheetsSchema>,
  toPath: (path: string) => string,
): SpreadsheetsConfig {
  return { ...spreadsheets, directory: toPath(spreadsheets.directory) };
}

export const spreadsheetsTemplate = `    # spreadsheets:
    #   directory: out
    #   csv: true
    #   xlsx: true
    #   rows: slot                        # one row per company; prospect: one row per contact
    #   columns: {Turnover: raw.company.turnover}   # additional columns: header and field (docs/mapping.md), or raw. and a path
`;
