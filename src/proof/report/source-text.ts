/** The source of an enrichment as text: before its order, in previews and in reports. */
import { rowNotes, type RowNote, type RowNotes, type SourceReport } from '../../ledger/draft-source.ts';
import { describeRecords, describeRows, listFirst } from '../../base/text/named-rows.ts';
import { toPrintable } from '../../base/text/printable-text.ts';
import { toHeaderText, toReadingTexts } from './reading-text.ts';

/** The number of rows, and the columns that were read, as text. */
export function toSourceText(source: SourceReport): string[] {
  const { kind, rows, blank, unusable, ordered, excluded = {}, rejected, replaced = 0, columns } = source;
  const omitted = [
    ...(blank === 0 ? [] : [`${blank} blank`]),
    ...(unusable === 0 ? [] : [`${unusable} unusable`]),
    ...(rejected === undefined ? [] : [`${rejected.rows} rejected`]),
    ...Object.entries(excluded).map(([name, count]) => `${count} excluded by ${name}`),
  ];
  const unit = kind === 'hubspot' ? 'CRM companies' : 'rows';
  const corrected = replaced === 0 ? [] : [`${replaced} characters replaced`];
  const notes = toSourceNotes(source);
  const figures = [`${rows} ${unit}`, ...omitted, `${ordered} ordered`, ...corrected].join(', ');
  const rejects = rejected === undefined ? [] : [toRejectsText(rejected)];
  const { sheets } = source;
  return [
    figures,
    ...rejects,
    ...notes,
    ...(columns === null ? [] : toReadingTexts({ columns, ...(sheets && { sheets }) })),
  ];
}

/** Notes about values that a user may not see in the file, shown before the order. */
export function toSourceNotes(source: SourceReport): string[] {
  const {
    forgotten,
    doNotContact,
    doNotContactComments,
    doubtfulRecords,
    repeated,
    otherRecords,
    sharedWebsites,
    cleaned = 0,
    placeholders = 0,
    invalidWebsites = 0,
  } = source;
  return [
    ...(forgotten === undefined
      ? []
      : [
          `rows of companies that were forgotten, which are not ordered: ${describeRows(forgotten)}. Their results would not be stored: take the rows out of the source`,
        ]),
    ...(repeated === undefined
      ? []
      : [
          `rows that repeat an earlier row, and are ordered too: ${describeRows(repeated)}. repeated_rows: reject leaves out those that certainly do`,
        ]),
    ...(otherRecords === undefined
      ? []
      : [
          `rows whose HubSpot record has another name, and another domain or none to compare: ${describeRows(otherRecords)}. Their results would be written to these records: correct external_id where the record is another company`,
        ]),
    ...(sharedWebsites === undefined
      ? []
      : [
          `websites at a mailbox provider or a shared host: ${describeRows(sharedWebsites)}. Replace them by the companies' own, or leave the cells empty`,
        ]),
    ...(doNotContact === undefined
      ? []
      : [
          `rows that a column which is not read marks as not to be contacted, or as closed or deleted: ${describeRows(doNotContact)} in column ${doNotContact.columns.map(toHeaderText).join(', ')}. Take them out, or import them as suppressions`,
        ]),
    ...(doNotContactComments === undefined
      ? []
      : [
          `rows whose comment says not to contact the company: ${describeRows(doNotContactComments)}. Take them out, or import them as suppressions`,
        ]),
    ...(doubtfulRecords === undefined
      ? []
      : [
          `CRM companies whose name ${looksWrong} or is hardly that of a company: ${toPrintable(describeRecords(doubtfulRecords))}. Correct them in HubSpot, or leave them out of the source`,
        ]),
    ...toRowNoteTexts(source, 'ordered'),
    ...(cleaned === 0 ? [] : [`values from which invisible characters were removed: ${cleaned}`]),
    ...(invalidWebsites === 0 ? [] : [`websites left out because they are no web address: ${invalidWebsites}`]),
    ...(placeholders === 0
      ? []
      : [`values left out because they stand for nothing (n/a, #N/A, -, 0): ${placeholders}`]),
  ];
}

/** `effect`: what happens to hidden rows like to others. */
export function toRowNoteTexts(notes: RowNotes, effect: 'ordered' | 'excluded'): string[] {
  const { hidden = 0, formattedIds, unnamedColumns, mergedCells, unreadWebsites } = notes;
  return [
    ...(unreadWebsites === undefined ? [] : [toUnreadText(unreadWebsites)]),
    ...(unnamedColumns === undefined ? [] : [toUnnamedText(unnamedColumns)]),
    ...(mergedCells === undefined ? [] : [toMergedText(mergedCells)]),
    ...rowNotes.flatMap((note) => {
      const [what, remedy = ''] = noteTexts[note];
      return notes[note] === undefined ? [] : [`${what}: ${describeRows(notes[note])}${remedy}`];
    }),
    ...(formattedIds === undefined ? [] : [toFormText(formattedIds)]),
    ...(hidden === 0 ? [] : [`hidden or filtered rows, which are ${effect} too: ${hidden}`]),
  ];
}

/** Also of CRM companies. */
export const looksWrong =
  'looks wrong (broken characters, a number or signs only, added symbols, a register number, a web address, several names or lines, a legal form, a header, a country or a region only, a total)';

/** What is odd, and what to do about it. */
const noteTexts: Readonly<Record<RowNote, readonly [what: string, remedy?: string]>> = {
  crowdedWebsites: [
    'rows of several different names with one website',
    '. It may be a directory, a link of a mail filter, or filled in for all of them: replace it by their own websites, or leave the cells empty',
  ],
  crowdedNames: [
    'rows of one name with several different websites',
    '. Another column may have been read as company_name, such as that of the industry; or it is a chain',
  ],
  cityNames: [
    'rows whose name is a city',
    '. Another column may have been read as company_name, or their name and city are swapped',
  ],
  peopleNames: [
    'rows whose name is that of a person, as most names of the source are',
    '. The service looks for companies: read company_name from a column of companies',
  ],
  shiftedWebsites: [
    'rows whose website fits the name of another row, mostly that above or below, and not their own',
    '. One of the two columns was probably moved or sorted alone: compare them with the original',
  ],
  sharedIds: [
    'rows with the external id of an earlier row of another company',
    '. The id alone identifies none of them: another column may have been read as external_id',
  ],
  numberedWebsites: [
    'consecutive rows whose websites differ only in a number that grows by one',
    '. A spreadsheet program may have filled the column: compare it with the original',
  ],
  numberedNames: [
    'consecutive rows whose names differ only in a number that grows by one',
    '. A spreadsheet program may have filled the column: compare it with the original',
  ],
  struckRows: ['rows that are struck through, which are read like the others', '. Delete them if they no longer count'],
  commentedRows: ['rows with comments on their cells, which are not read', '. Write what matters into a column'],
  shortRows: ['rows with fewer values than the header, whose last cells are read as empty'],
  nameOnly: ['rows with a name only', '. Check that they are companies'],
  doubtfulNames: [`rows whose name ${looksWrong}`],
  wildcardNames: [
    'rows whose name begins or ends with *',
    '. The sign is a part of the name, and no wildcard: write the whole name, in a row for each company',
  ],
  unlikelyNames: [
    'rows whose name is hardly that of a company (a test or an example such as Test GmbH, asdf or e.g. Acme, a word such as TRUE, tbd, ditto or none, a collective account, a mark such as duplicate, customer, do not use, do not contact, insolvent, // or #, a person with a salutation)',
    '. Take them out of the source, or correct company_name',
  ],
  doubtfulWebsites: [
    'websites that look wrong (a domain for tests such as example.com, a word for none such as keine.de, ww. or wwww. in front, letters of two scripts in one word, a link with the address of another site)',
    '. The service may find another company, or none',
  ],
  doubtfulCities: [
    'cities that look wrong (broken characters, a postal code, a street, a company, a post box, a country or region, a word such as remote or various, an email address or a telephone number)',
    '. Write the name of the city only, or leave the cells empty; where it is a company, its name and city are probably swapped',
  ],
  doubtfulCountries: [
    'countries that are misspelt, or no name or code of one country',
    '. Write the name of one country, or leave the cells empty',
  ],
  swappedPlaces: ['rows whose city is a country, and whose country is none', '. The two columns may be swapped'],
  emailWebsites: ['email addresses in place of websites, whose domains are read'],
  roundedIds: [
    'ids of more than 15 digits that end in zeros, as Excel writes ids whose last digits it has lost',
    '. Compare them with the system that issued them',
  ],
  storedIds: [
    'ids whose number format shows another text, which are read as they are stored',
    '. If people use the other form, format the column as text and enter the ids again',
  ],
  personalIds: [
    'external ids that are an email address or a telephone number',
    '. Ids are sent to the service and shown by commands: use the numbers of the system that has the companies',
  ],
};

function toUnreadText({ column, setting }: NonNullable<RowNotes['unreadWebsites']>): string {
  return `no website is read, and the column ${toHeaderText(column)} has web addresses in most rows: set ${toPrintable(setting)}`;
}

function toUnnamedText({ columns, ...named }: NonNullable<RowNotes['unnamedColumns']>): string {
  return `rows with values in columns without a header, which are not read: ${describeRows(named)} in column ${columns.join(', ')}. Give each column its own header`;
}

function toMergedText({ ranges, first }: NonNullable<RowNotes['mergedCells']>): string {
  return `merged cells, which are read as a value in the first cell and empty ones: ${ranges} (${listFirst(first, first.length, ranges)}). Unmerge them, and fill in each cell`;
}

function toFormText({ rows, read, shown, stored }: NonNullable<RowNotes['formattedIds']>): string {
  if (shown === `${stored}.0`)
    return read === 'shown'
      ? `ids read with the ending .0, which programs add to numbers: ${rows}, for example ${shown}. external_id_form: stored reads ${stored}`
      : `ids read without the ending .0: ${rows}, for example ${stored}`;
  return read === 'shown'
    ? `ids read as their number format shows them: ${rows}, for example ${toPrintable(shown)}, stored as ${stored}. external_id_form: stored reads the other form`
    : `ids read as they are stored: ${rows}, for example ${stored}, shown as ${toPrintable(shown)}`;
}

/** `2 rows rejected: /data/out/crm-…-rejects.csv` */
function toRejectsText({ rows, file }: NonNullable<SourceReport['rejected']>): string {
  const place = file === null ? 'the run writes them with their reasons to a CSV file' : toPrintable(file);
  return `${rows} row${rows === 1 ? '' : 's'} rejected: ${place}`;
}
