/** Values of the fields of a row or a CRM company, in the form in which they are compared and sent. */
import { findWebsiteProblem } from './website-problem.ts';
import { isLoadingText, isMissingWord, isPlaceholder, isSpreadsheetError } from './placeholder-words.ts';
import type { SourceField } from '../../base/spreadsheet/header-names.ts';
import { ADDITIONAL_DOMAINS, splitList } from '../../hubspot/hubspot-record.ts';
import { toCellText, type SourceCell } from '../../base/spreadsheet/table.ts';
import { cleanText } from '../../base/text/clean-text.ts';

/** Numbers of values. */
export interface FieldCorrections {
  /** Invisible characters, carriage returns or escapes of Office files were removed. */
  readonly cleaned: number;
  /** `n/a`, `#N/A`, `-` and others that stand for nothing: left out. */
  readonly placeholders: number;
  /** Websites of CRM companies that are no web address: left out. Rows of files with one are invalid. */
  readonly invalidWebsites: number;
}

/** Only the corrections that were made, for reports. */
export function toCorrectionFigures(corrections: FieldCorrections): Partial<FieldCorrections> {
  const { cleaned, placeholders, invalidWebsites } = corrections;
  return {
    ...(cleaned === 0 ? {} : { cleaned }),
    ...(placeholders === 0 ? {} : { placeholders }),
    ...(invalidWebsites === 0 ? {} : { invalidWebsites }),
  };
}

export function createFieldCleaner() {
  let [cleaned, placeholders, invalidWebsites] = [0, 0, 0];
  const cleanBy = (text: string, isNothing: (value: string) => boolean): string => {
    const value = cleanText(text);
    if (value !== text.trim()) cleaned += 1;
    if (!isNothing(value)) return value;
    placeholders += 1;
    return '';
  };
  const clean = (text: string) => cleanBy(text, (value) => isPlaceholder(value) || isMissingWord(value));
  return {
    clean,
    cleanName: (text: string): string => cleanBy(text, isPlaceholder),
    cleanWebsite: (text: string): string => {
      const address = clean(text);
      if (address === '' || findWebsiteProblem(address) === null) return address;
      invalidWebsites += 1;
      return '';
    },
    /** Since the cleaner was created. */
    corrections: (): FieldCorrections => ({ cleaned, placeholders, invalidWebsites }),
  };
}

export type FieldCleaner = ReturnType<typeof createFieldCleaner>;

/** Excel keeps 15 digits of a number. */
const firstInexact = 1e15;

/** `1,23457E+12`: how Excel shows, and saves as CSV, a number with many digits. */
const scientific = /^\d(?:[.,]\d{1,20})?E\+\d{1,3}$/i;

/** `01.02.2024`, `2024-02-01`, `1/2/24`: how Excel saves a date as CSV. */
const numericDates = [/^(\d{1,2})([./-])(\d{1,2})\2(?:\d{2}|\d{4})$/, /^\d{4}([./-])(\d{1,2})\1(\d{1,2})$/];

/** `Feb 24`, `01-Feb`, `1. Februar 2024`: the same with the name of a month, in English or German. */
const namedDates = [/^(?:\d{1,2}\.?[ -]?)?(\p{L}{3,9})\.?[ -](?:\d{2}|\d{4})$/u, /^\d{1,2}\.?[ -](\p{L}{3,9})\.?$/u];

const months = new Set(
  [
    'jan january januar jän jänner feb february februar mar march mär märz mrz apr april may mai jun june juni jul july juli',
    'aug august sep sept september oct october okt oktober nov november dec december dez dezember',
  ].flatMap((names) => names.split(' ')),
);

function isDateText(text: string): boolean {
  const isNumeric = numericDates.some((form) => {
    const [first = 0, second = 0] = (form.exec(text) ?? []).slice(1).flatMap((part) => Number(part) || []);
    return Math.min(first, second) >= 1 && Math.min(first, second) <= 12 && Math.max(first, second) <= 31;
  });
  return isNumeric || namedDates.some((form) => months.has(form.exec(text)?.[1]?.toLowerCase() ?? ''));
}

/** Excel writes zeros for all digits after the 15th. */
export function isRoundedId(id: string): boolean {
  return /^[1-9]\d{14}0{1,240}$/.test(id);
}

const idRemedy = 'format the column as text and enter the value again';

/** What a spreadsheet program has made of a value, without the value; null for a value as it was entered. */
export function findCellProblem(field: SourceField, cell: SourceCell, kind: 'csv' | 'xlsx' | 'sql'): string | null {
  const placeholder = field === 'company_name' ? findPlaceholder(cleanText(toCellText(cell))) : null;
  if (placeholder !== null) return `${field}: ${placeholder}`;
  if (kind === 'sql' || field === 'expires_at' || field === 'reason') return null;
  if (cell instanceof Date) return `${field}: the cell holds a date; ${idRemedy}`;
  if (typeof cell === 'number' && Math.abs(cell) >= firstInexact)
    return `${field}: the cell holds a number of more than 15 digits, of which Excel has lost some; ${idRemedy}`;
  const shown = cleanText(toCellText(cell));
  if (shown.startsWith('=')) return `${field}: the cell holds a formula, not its result; enter the value`;
  const text = field === 'external_id' ? shown : '';
  if (text.startsWith("'"))
    return `${field}: the cell begins with an apostrophe, by which Excel marks a text; remove the apostrophe`;
  if (scientific.test(text))
    return `${field}: the cell holds a number in scientific notation, of which digits are lost; ${idRemedy}`;
  return isDateText(text) ? `${field}: the cell holds a date, as Excel makes of some ids; ${idRemedy}` : null;
}

/** All words of the lists are of programs, so the message may hold them. */
function findPlaceholder(text: string): string | null {
  if (!isPlaceholder(text)) return null;
  if (isLoadingText(text))
    return `the cell holds ${JSON.stringify(text)}, which a spreadsheet shows until it has the value; open the file, wait, and save it again`;
  return isSpreadsheetError(text)
    ? `the cell holds the spreadsheet error ${text}; correct the formula or enter the name`
    : `the cell holds ${JSON.stringify(text)}, which stands for no value; enter the name`;
}

const websiteProperties: readonly string[] = ['domain', 'website'];

/** A CRM company with clean properties. */
export function cleanRecord<T extends { readonly properties: Readonly<Record<string, string | null>> }>(
  record: T,
  { clean, cleanName, cleanWebsite }: FieldCleaner,
): T {
  const cleanValue = (name: string, value: string): string => {
    if (name === ADDITIONAL_DOMAINS) return splitList(value).map(cleanWebsite).join(';');
    if (name === 'name') return cleanName(value);
    return websiteProperties.includes(name) ? cleanWebsite(value) : clean(value);
  };
  const properties = Object.entries(record.properties).map(
    ([name, value]) => [name, value && cleanValue(name, value)] as const,
  );
  return { ...record, properties: Object.fromEntries(properties) };
}
