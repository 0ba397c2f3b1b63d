/** How a file or a query is read, as text: its columns and its sheet. */
import {
  isColourLegend,
  isCompanyHeader,
  isNameContinuation,
  isPersonHeader,
} from '../../base/spreadsheet/header-names.ts';
import { toPrintable } from '../../base/text/printable-text.ts';
import type { FileReading } from '../../ledger/draft-source.ts';

/** The columns of a file or a query, and the sheet. */
export function toReadingTexts({ columns, sheets }: FileReading): string[] {
  const used = Object.entries(columns.used).map(([field, header]) =>
    field === header ? field : `${field} from ${toHeaderText(header)}`,
  );
  return [
    ...(sheets === undefined
      ? []
      : [
          `sheet read: ${toHeaderText(sheets.read)}; sheets not read: ${sheets.others.map(toHeaderText).join(', ')}. The setting sheet chooses another`,
        ]),
    `columns read: ${used.join(', ')}`,
    ...(columns.hidden === undefined
      ? []
      : [`columns read although the file hides them: ${columns.hidden.map(toHeaderText).join(', ')}`]),
    ...toOtherNameTexts(columns),
    ...toContinuedTexts(columns.ignored.filter(isNameContinuation).map(toHeaderText)),
    ...toLegendTexts(columns.ignored.filter(isColourLegend).map(toHeaderText)),
    ...(columns.ignored.length === 0 ? [] : [`columns not read: ${columns.ignored.map(toHeaderText).join(', ')}`]),
  ];
}

/** A column of people that is read as the name of companies, or a column of companies beside the one that is. */
function toOtherNameTexts({ used, ignored }: FileReading['columns']): string[] {
  const { company_name: read = '' } = used;
  const others = isCompanyHeader(read) ? [] : ignored.filter(isCompanyHeader).map(toHeaderText);
  const isPerson = isPersonHeader(read, ignored);
  if (others.length === 0 && !isPerson) return [];
  const unread = others.length === 0 ? '' : `columns of companies that are not read: ${others.join(', ')}. `;
  return [
    `${unread}company_name is read from ${toHeaderText(read)}${isPerson ? ', a column of people' : ''}: check that it has the names of companies`,
  ];
}

function toContinuedTexts(headers: readonly string[]): string[] {
  return headers.length === 0
    ? []
    : [
        `columns that may continue the name of the company, and are not read: ${headers.join(', ')}. Join them with the column of company_name in the file`,
      ];
}

function toLegendTexts(headers: readonly string[]): string[] {
  return headers.length === 0
    ? []
    : [`headers that explain colours, which are not read: ${headers.join(', ')}. Take out the rows that they mark`];
}

/** Quotes a name that contains a separator of the list, or of the check before a run. */
export function toHeaderText(header: string): string {
  const text = toPrintable(header);
  return /[,;]/.test(text) ? `"${text}"` : text;
}
