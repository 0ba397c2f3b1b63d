/** `service_outputs` of a run: the files that the service makes ("Export and output rules"). */
import { z } from 'zod';
import { limits, outputTypes } from '../service/contract/index.ts';
import { checkLanguage } from './language-settings.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { validItems } from './partial-validation.ts';

/** Printable, since it becomes part of a file name. */
const language = z
  .string()
  .regex(/^[\x21-\x7e]{1,35}$/, 'must be a language such as en or de')
  .optional()
  .describe('Language of the headers and texts: a code such as de; by default the output language of the profile');

const kind = <Type extends ServiceOutput['type']>(type: Type) =>
  z.literal(type).describe('Kind of the output: csv, xlsx or google_sheets');
const fileOutput = <Type extends 'csv' | 'xlsx'>(type: Type) =>
  z.strictObject({
    type: kind(type),
    language,
    endpoint: z
      .enum(['outputs', 'export'])
      .default('outputs')
      .describe('For csv and xlsx: request a durable output of the service (outputs), or a plain export (export)'),
  });

const sheetOutput = z.strictObject({
  type: kind('google_sheets'),
  language,
  spreadsheet_id: z
    .string()
    .regex(/^[^\s/]+$/, 'must be the id of the spreadsheet: the part between /d/ and /edit in its address')
    .describe('For google_sheets: id of the spreadsheet that the service writes to'),
});

const outputSchema = z.discriminatedUnion('type', [fileOutput('csv'), fileOutput('xlsx'), sheetOutput], {
  error: () => `must be one of ${outputTypes.join(', ')}`,
});

export const serviceOutputsSchema = z
  .array(outputSchema)
  .max(limits.outputsPerOrder)
  .default([])
  .describe('Files and spreadsheets that the service makes of the results, at most 20');

/** One output that the service makes. */
export interface ServiceOutput {
  readonly type: (typeof outputTypes)[number];
  readonly language: string;
  /** Google Sheets only. */
  readonly spreadsheetId: string | null;
  /** Present: a plain export of the service. Absent: a durable output. */
  readonly endpoint?: 'export';
}

/** The settings that define the destination of an output; its other settings may be invalid. */
const destinationPart = z.object({
  type: z.string(),
  language: z.string().nullish(),
  spreadsheet_id: z.string().nullish(),
});

/** `profileLanguage` is null where the profile has an invalid one. */
export function checkServiceOutputs(
  path: readonly PropertyKey[],
  outputs: unknown,
  profileLanguage: string | null,
): PathProblem[] {
  const indexOf = new Map<string, number>();
  return validItems(destinationPart, outputs).flatMap(([index, output]) => {
    const problems = checkLanguage([...path, index, 'language'], output.language);
    if (problems.length > 0) return problems;
    const language = output.language ?? profileLanguage;
    // Languages are compared in lower case (A38). One spreadsheet in two languages would be overwritten.
    const target = output.type === 'google_sheets' ? output.spreadsheet_id : language?.toLowerCase();
    if (target === undefined || target === null) return [];
    const destination = `${output.type} ${target}`;
    const earlier = indexOf.get(destination);
    indexOf.set(destination, earlier ?? index);
    if (earlier === undefined) return [];
    const rule = `has the same destination as service_outputs[${earlier}]`;
    return [problemAt([...path, index], rule, 'Remove one of them, or change its language or spreadsheet')];
  });
}

export function toServiceOutputs(
  outputs: z.infer<typeof serviceOutputsSchema>,
  profileLanguage: string,
): ServiceOutput[] {
  return outputs.map((output) => ({
    type: output.type,
    language: output.language ?? profileLanguage,
    spreadsheetId: output.type === 'google_sheets' ? output.spreadsheet_id : null,
    ...(output.type !== 'google_sheets' && output.endpoint === 'export' ? { endpoint: 'export' as const } : {}),
  }));
}

export const serviceOutputsTemplate = `    # service_outputs:                    # outputs that the service makes of the results, at most 20
    #   -
    #     type: csv                       # or xlsx; the files go to the directory of the spreadsheets
    #     language: de                    # by default the output language of the profile
    #     endpoint: outputs               # a durable output; export: a plain export
    #   -
    #     type: google_sheets
    #     spreadsheet_id: 1AbC            # the part between /d/ and /edit in its address
`;
