/** Companies of the CRM and of files, one page after the other. */
import { entryInputSchema } from '../src/contract/index.ts';
import type { HubSpotClient } from '../src/hubspot/client.ts';
import type { CrmRecord } from '../src/hubspot/record.ts';
import type { CompanySource } from '../src/run-plan.ts';
import { exclusionProperties } from '../src/mapping/exclusion-entry.ts';
import { readCsv } from '../src/spreadsheet/read-csv.ts';
import { readXlsx } from '../src/spreadsheet/read-xlsx.ts';
import { final } from '../src/failures/final.ts';
import { cancellation } from './progress.ts';

interface FileMapping<Row> {
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
  { fromRow, problems }: FileMapping<Row>,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const broken: string[] = [];
  let line = 1;
  for await (const records of readers[kind](path, signal)) {
    if (line === 1) assertColumns(path, records[0]);
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

/** A file without a header line has companies and people in the place of column names: only known names are told. */
function assertColumns(path: string, record: Readonly<Record<string, string>> | undefined): void {
  if (record === undefined || Object.hasOwn(record, 'company_name')) return;
  const columns = Object.keys(record);
  const known = columns.filter((column) => Object.hasOwn(entryInputSchema.shape, column));
  const count = columns.length === 1 ? '1 column' : `${columns.length} columns`;
  const which = known.length === 0 ? 'none of a known name' : `of which known are ${known.join(', ')}`;
  throw final(
    'FileRefused',
    `${path} was not used: it has no column company_name. It has ${count}, ${which}. The first line has to name the columns.`,
  );
}
