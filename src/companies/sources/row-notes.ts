/** Notes about rows that a user cannot see in the file: hidden rows, doubtful values, and values that are read in another form. */
import { judgeCountry, type CountryJudgement } from '../../base/countries/judge-country.ts';
import { toColumnLetters } from '../../base/spreadsheet/cell-range.ts';
import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';
import type { SourceRow } from '../../base/spreadsheet/table.ts';
import { boundWord, boundWords } from '../../base/text/bound-text.ts';
import { noRows, withRow, type NamedRows } from '../../base/text/named-rows.ts';
import type { RowNote, RowNotes } from '../../ledger/draft-source.ts';
import { hostOf } from '../../service/contract/website-domain.ts';
import { isEmailAddress } from './blacklist-entry.ts';
import { createCityNames } from './city-names.ts';
import { isDoubtfulCity } from './city-problem.ts';
import type { FilePage, SourceFileRow, TableSource } from './company-source.ts';
import { createCrowdedNames, createCrowdedWebsites } from './crowded-values.ts';
import { createFilledSeries } from './filled-series.ts';
import { toNameAndHost } from './name-in-host.ts';
import { isDoubtfulName } from './name-problem.ts';
import { createPeopleNames } from './people-names.ts';
import { createShiftedWebsites } from './shifted-websites.ts';
import { isUnlikelyName } from './unlikely-name.ts';
import { createUnreadWebsites } from './unread-websites.ts';
import { isDoubtfulWebsite, isSharedAddress } from './website-problem.ts';

/** What is odd about a row, by its values alone. */
const valueTests: readonly (readonly [RowNote, (values: FieldValues) => boolean])[] = [
  [
    'doubtfulNames',
    ({ company_name: name = '', website_url: website }) =>
      isDoubtfulName(name, isSharedAddress(website) ? undefined : website),
  ],
  ['wildcardNames', ({ company_name: name = '' }) => isWildcard(name)],
  ['unlikelyNames', isUnlikelyName],
  ['doubtfulWebsites', ({ website_url: website = '' }) => isDoubtfulWebsite(website)],
  ['doubtfulCities', ({ city = '', country = '' }) => isDoubtfulCity(city, country) || isPersonalId(city)],
  ['doubtfulCountries', ({ country = '' }) => isDoubtfulCountry(country)],
  ['swappedPlaces', ({ city = '', country = '' }) => isSwappedPlace(city, country)],
  ['emailWebsites', ({ website_url: website }) => isEmailAddress(website) && !isSharedAddress(website)],
  ['personalIds', ({ external_id: id = '' }) => isPersonalId(id)],
];

/** What is odd about a row beside others. */
function createComparisons() {
  const [crowdedWebsites, crowdedNames] = [createCrowdedWebsites(), createCrowdedNames()];
  const [shiftedWebsites, cityNames, peopleNames] = [createShiftedWebsites(), createCityNames(), createPeopleNames()];
  const [numberedNames, numberedWebsites] = [createFilledSeries(), createFilledSeries()];
  const found = { crowdedWebsites, crowdedNames, cityNames, peopleNames, shiftedWebsites };
  const comparisons = { ...found, numberedNames, numberedWebsites };
  return {
    add(values: FieldValues, { number, cells }: SourceRow): void {
      const compared = toNameAndHost(values);
      crowdedWebsites.add(compared, number);
      crowdedNames.add(compared, number);
      cityNames.add(values, compared, number);
      peopleNames.add(values, cells, number);
      shiftedWebsites.add(compared, number);
      numberedNames.add(values.company_name ?? '', number);
      numberedWebsites.add(hostOf(values.website_url) ?? '', number);
    },
    /** Only what was found. */
    notes(): RowNotes {
      const found = Object.entries(comparisons).map(([note, comparison]) => [note, comparison.rows()] as const);
      return Object.fromEntries(found.filter(([, { rows }]) => rows > 0));
    },
  };
}

/** `nameAt`: index of the name; -1 if none is read. A crossed-out row is one that people no longer count. */
function isStruck({ struck = [], cells }: SourceRow, nameAt: number): boolean {
  return struck.includes(nameAt) || struck.length * 2 > cells.filter((cell) => cell !== '').length;
}

function findOddities(row: SourceFileRow<unknown>, nameAt: number, hasOtherColumns: boolean): RowNote[] {
  const { values, source, idForms, isIdRounded } = row;
  const { website_url: website, city, country, external_id: id } = values;
  return [
    ...(isStruck(source, nameAt) ? ['struckRows' as const] : []),
    ...(source.comment === undefined ? [] : ['commentedRows' as const]),
    ...(source.isShort === true ? ['shortRows' as const] : []),
    ...(isIdRounded ? ['roundedIds' as const] : []),
    ...(idForms?.shown === null ? ['storedIds' as const] : []),
    ...(hasOtherColumns && !website && !city && !country && !id ? ['nameOnly' as const] : []),
    ...valueTests.flatMap(([note, isOdd]) => (isOdd(values) ? [note] : [])),
  ];
}

/** Columns are many only in a file that is no table. */
function createUnnamedColumns() {
  const columns = new Set<number>();
  let named = noRows;
  return {
    add({ number, unnamed = [] }: SourceRow): void {
      if (unnamed.length === 0) return;
      for (const column of unnamed) columns.add(column);
      named = withRow(named, number);
    },
    notes(): Pick<RowNotes, 'unnamedColumns'> {
      if (columns.size === 0) return {};
      const letters = [...columns].toSorted((a, b) => a - b).map((column) => toColumnLetters(column + 1));
      return { unnamedColumns: { columns: boundWords(letters), ...named } };
    },
  };
}

export function createRowNotes() {
  let hidden = 0;
  const noted = new Map<RowNote, NamedRows>();
  const comparisons = createComparisons();
  let formattedIds: RowNotes['formattedIds'];
  let mergedCells: RowNotes['mergedCells'];
  const [unnamed, unreadWebsites] = [createUnnamedColumns(), createUnreadWebsites()];
  return {
    add(page: FilePage<unknown>, file: TableSource): void {
      const { rows, rejected, headers, columns, merged } = page;
      const { externalIdForm: read = 'shown' } = file;
      unreadWebsites.add(page, file);
      mergedCells ??= merged;
      for (const { source } of [...rows, ...rejected]) unnamed.add(source);
      const nameAt = headers.indexOf(columns.used.company_name ?? '');
      const hasOtherColumns = Object.keys(columns.used).length > 1;
      for (const row of rows) {
        const { source, idForms } = row;
        if (source.isHidden === true) hidden += 1;
        comparisons.add(row.values, source);
        if (idForms !== null && idForms.shown !== null) {
          const example = { read, shown: boundWord(idForms.shown), stored: idForms.stored };
          formattedIds = { ...example, ...formattedIds, rows: (formattedIds?.rows ?? 0) + 1 };
        }
        for (const note of findOddities(row, nameAt, hasOtherColumns))
          noted.set(note, withRow(noted.get(note) ?? noRows, source.number));
      }
    },
    /** Only what was found. */
    notes(): RowNotes {
      return {
        ...(hidden === 0 ? {} : { hidden }),
        ...(formattedIds && { formattedIds }),
        ...(mergedCells && { mergedCells }),
        ...unnamed.notes(),
        ...unreadWebsites.notes(),
        ...Object.fromEntries(noted),
        ...comparisons.notes(),
      };
    },
  };
}

/** `Alpha*`, but not `*` alone, which looks wrong, or `E*Trade` */
export function isWildcard(name: string): boolean {
  return /^\*|\*$/.test(name) && /[\p{L}\p{N}]/u.test(name);
}

export function isDoubtfulCountry(country: string): boolean {
  return country !== '' && !isNamed(judgeCountry(country));
}

export function isSwappedPlace(city: string, country: string): boolean {
  return country !== '' && !isNamed(judgeCountry(country)) && judgeCountry(city).kind === 'country';
}

function isNamed({ kind }: CountryJudgement): boolean {
  return kind === 'country' || kind === 'code';
}

const emailAddress = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/;

/** A prefix of a country, or of a place that is set apart. `0010012345` is a customer number. */
const telephonePrefix = /^(?:\+|00[1-9]\d{0,2}[ /-]|\(\+?\d{2,5}\)|0[1-9]\d{0,4}[ /]|\d{3}-\d{3}-\d{4}$)/;

const telephoneSigns = /^[\d\s+()./-]+$/;

const fewestDigits = 7;

/** Whether an external id is an email address or a telephone number, which are personal data. A city is none of them either. */
export function isPersonalId(id: string): boolean {
  return emailAddress.test(id) || isTelephoneNumber(id);
}

function isTelephoneNumber(id: string): boolean {
  const digits = id.replaceAll(/\D/g, '').length;
  return telephonePrefix.test(id) && telephoneSigns.test(id) && digits >= fewestDigits;
}
