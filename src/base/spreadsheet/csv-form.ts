/** The signs of a CSV file. They are stored with the file, so that it is read back as it was written. */
import { z } from 'zod';

/** A new delimiter must also be a separator of `escapeFormulas` (cell-text.ts). */
const delimiterSigns = { comma: ',', semicolon: ';', tab: '\t' } as const;
const decimalSigns = { point: '.', comma: ',' } as const;

export const csvFormSchema = z.object({
  delimiter: z.enum(['comma', 'semicolon', 'tab']),
  decimal: z.enum(['point', 'comma']),
  /** The file begins with a byte order mark. */
  bom: z.boolean(),
});
export type CsvForm = Readonly<z.infer<typeof csvFormSchema>>;

/** RFC 4180. Excel opens it in columns where the system separates lists by commas. */
export const defaultCsvForm: CsvForm = { delimiter: 'comma', decimal: 'point', bom: true };
/** Excel opens it in columns, and reads its numbers, where the system is German. */
export const germanCsvForm: CsvForm = { delimiter: 'semicolon', decimal: 'comma', bom: true };

export function delimiterSign({ delimiter }: CsvForm): string {
  return delimiterSigns[delimiter];
}

export function toNumberText(number: number, { decimal }: CsvForm): string {
  return String(number).replace('.', decimalSigns[decimal]);
}
