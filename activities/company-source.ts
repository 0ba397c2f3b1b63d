/** Companies of the CRM and of files, one page after the other. */
import { nearest } from '../src/config/nearest.ts';
import type { HubSpotClient } from '../src/hubspot/client.ts';
import type { CrmRecord } from '../src/hubspot/record.ts';
import type { CompanySource } from '../src/run-plan.ts';
import { exclusionProperties } from '../src/mapping/exclusion-entry.ts';
import { readCsv } from '../src/spreadsheet/read-csv.ts';
import { readXlsx } from '../src/spreadsheet/read-xlsx.ts';
import { final } from '../src/failures/final.ts';
import { cancellation } from './progress.ts';

interface FileMapping<Row> {
  /** Those that are read; others may stand in the file as well. */
  readonly columns: readonly string[];
  readonly fromRow: (row: Readonly<Record<string, string>>) => Row;
  readonly problems: (row: Row) => readonly string[];
}

interface Mapping<Row> extends FileMapping<Row> {
  readonly fromCrm: (record: CrmRecord) => Row | null;
}

export interface SourcePage<Row> {
  readonly rows: Row[];
  /** CRM companies that cannot be used, because they have no name and no domain, or break a limit of the service. */
  readonly unusable: number;
}

const problemsShown = 10;

/** A CRM company that breaks a rule is counted and left out; a CSV file with broken rows is refused whole, each row named. */
export async function* readSource<Row>(
  hubspot: HubSpotClient,
  { lifecycleStages, csv }: CompanySource,
  mapping: Mapping<Row>,
): AsyncGenerator<SourcePage<Row>> {
  if (lifecycleStages.length > 0) {
    const stages = lifecycleStages.join(', ');
    yield* notEmpty(
      readCrm(hubspot, lifecycleStages, mapping),
      `no CRM company has the lifecycle stage ${stages} (internal names; upper and lower case differ)`,
    );
  }
  if (csv !== null) {
    const file = { path: csv, kind: 'csv' } as const;
    for await (const rows of readFile(file, mapping, cancellation())) yield { rows, unusable: 0 };
  }
}

const readers = { csv: readCsv, xlsx: readXlsx };

/** The rows of a CSV or Excel file; one with broken rows is refused whole, each row named. */
export async function* readFile<Row>(
  { path, kind }: { readonly path: string; readonly kind: keyof typeof readers },
  { columns, fromRow, problems }: FileMapping<Row>,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const broken: string[] = [];
  let line = 1;
  for await (const records of readers[kind](path, signal)) {
    if (line === 1) assertColumns(path, Object.keys(records[0] ?? {}), columns);
    const rows = records.map(fromRow);
    for (const row of rows) {
      line += 1;
      broken.push(...problems(row).map((problem) => `row ${line}: ${problem}`));
    }
    if (broken.length >= problemsShown) break;
    if (broken.length === 0) yield rows;
  }
  if (broken.length > 0) {
    throw final('FileRefused', `${path} was not used: ${broken.slice(0, problemsShown).join('; ')}`);
  }
  if (line === 1) throw emptySource(`${path} holds no row`);
}

/** A source that has dried up is a fault of the source far more often than a fact. */
export function emptySource(what: string) {
  return final('SourceEmpty', `${what}: nothing was changed or ordered`);
}

async function* notEmpty<Row>(
  pages: AsyncGenerator<SourcePage<Row>>,
  otherwise: string,
): AsyncGenerator<SourcePage<Row>> {
  let isEmpty = true;
  for await (const page of pages) {
    isEmpty &&= page.rows.length + page.unusable === 0;
    yield page;
  }
  if (isEmpty) throw emptySource(otherwise);
}

async function* readCrm<Row>(
  hubspot: HubSpotClient,
  stages: readonly string[],
  { fromCrm, problems }: Mapping<Row>,
): AsyncGenerator<SourcePage<Row>> {
  const filters = [{ propertyName: 'lifecyclestage', operator: 'IN', values: stages } as const];
  const pages = hubspot.objects.search('companies', {
    filterGroups: [filters],
    properties: exclusionProperties,
    signal: cancellation(),
  });
  for await (const records of pages) {
    const rows = records.map(fromCrm).filter((row) => row !== null);
    const usable = rows.filter((row) => problems(row).length === 0);
    yield { rows: usable, unusable: records.length - usable.length };
  }
}

function assertColumns(path: string, found: readonly string[], read: readonly string[]): void {
  if (!found.includes('company_name')) throw final('FileRefused', `${path} was not used: ${missingNames(found, read)}`);
  for (const column of found.filter((name) => !read.includes(name))) {
    const meant = nearest(column, read);
    // Otherwise a misspelt expiry would be no expiry.
    if (meant !== null && !found.includes(meant)) {
      throw final(
        'FileRefused',
        `${path} was not used: nothing reads its column ${column}. Is it ${meant}? Then rename it, else give it a name that is not so near.`,
      );
    }
  }
}

/** A file without a header line has companies and people in the place of column names: only known names are told. */
function missingNames(found: readonly string[], read: readonly string[]): string {
  const known = found.filter((column) => read.includes(column));
  const count = found.length === 1 ? '1 column' : `${found.length} columns`;
  const which = known.length === 0 ? 'none of a known name' : `of which known are ${known.join(', ')}`;
  return `it has no column company_name. It has ${count}, ${which}. The first line has to name the columns.`;
}
