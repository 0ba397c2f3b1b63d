/** Files and spreadsheets that the service itself makes of an order's results ("Export and output rules"). */
import { z } from 'zod';
import { limits, outputTypes } from '../contract/index.ts';

/** Printable, so that it can stand in the name of a file. */
const language = z
  .string()
  .regex(/^[\x21-\x7e]{1,35}$/, 'must be a language such as en or de')
  .optional()
  .describe('Language of the headers and texts, for example de; that of the profile when left out');

const kind = <Type extends ServiceOutput['type']>(type: Type) =>
  z.literal(type).describe('What to make: csv, xlsx or google_sheets');
const fileOutput = <Type extends 'csv' | 'xlsx'>(type: Type) => z.strictObject({ type: kind(type), language });

const sheetOutput = z.strictObject({
  type: kind('google_sheets'),
  language,
  spreadsheet_id: z
    .string()
    .regex(/^[^\s/]+$/, 'must be the id of the spreadsheet: what stands between /d/ and /edit in its address')
    .describe('Id of the Google spreadsheet that the service writes to'),
});

export const serviceOutputsSchema = z
  .array(
    z.discriminatedUnion('type', [fileOutput('csv'), fileOutput('xlsx'), sheetOutput], {
      error: (issue) => (issue.code === 'invalid_union' ? `must be one of ${outputTypes.join(', ')}` : undefined),
    }),
  )
  .max(limits.outputsPerOrder)
  .default([])
  .describe('Files and spreadsheets that the service itself makes of the results; at most 20');

/** One thing to ask of the service. */
export interface ServiceOutput {
  readonly type: (typeof outputTypes)[number];
  readonly language: string;
  /** Google Sheets only. */
  readonly spreadsheetId: string | null;
}

export function toServiceOutputs(
  outputs: z.infer<typeof serviceOutputsSchema>,
  profileLanguage: string,
): ServiceOutput[] {
  return outputs.map((output) => ({
    type: output.type,
    language: output.language ?? profileLanguage,
    spreadsheetId: output.type === 'google_sheets' ? output.spreadsheet_id : null,
  }));
}
