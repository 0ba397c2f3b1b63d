/** Companies of the CRM and of a CSV file, one page after the other. */
import type { HubSpotClient } from '../src/hubspot/client.ts';
import type { CrmRecord } from '../src/hubspot/record.ts';
import type { CompanySource } from '../src/run-plan.ts';
import { exclusionProperties } from '../src/mapping/exclusion-entry.ts';
import { readCsv } from '../src/spreadsheet/read-csv.ts';
import { final } from './failures.ts';
import { cancellation } from './progress.ts';

interface Mapping<Row> {
  readonly fromCrm: (record: CrmRecord) => Row | null;
  readonly fromCsv: (row: Readonly<Record<string, string>>) => Row;
  readonly problems: (row: Row) => string[];
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
  if (csv !== null) yield* notEmpty(readFile(csv, mapping), `${csv} holds no row`);
}

/** A source that has dried up is a fault of the source far more often than a fact. */
async function* notEmpty<Row>(
  pages: AsyncGenerator<SourcePage<Row>>,
  otherwise: string,
): AsyncGenerator<SourcePage<Row>> {
  let isEmpty = true;
  for await (const page of pages) {
    isEmpty &&= page.rows.length + page.unusable === 0;
    yield page;
  }
  if (isEmpty)
    throw final('SourceEmpty', `${otherwise}: nothing was changed or ordered. Correct the source or take it out`);
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

function assertColumns(path: string, record: Readonly<Record<string, string>> | undefined): void {
  if (record === undefined || 'company_name' in record) return;
  const found = Object.keys(record).join(', ');
  throw final('CsvRefused', `${path} was not used: it has no column company_name; its columns are ${found}`);
}

async function* readFile<Row>(path: string, { fromCsv, problems }: Mapping<Row>): AsyncGenerator<SourcePage<Row>> {
  const broken: string[] = [];
  let line = 1;
  for await (const records of readCsv(path, cancellation())) {
    if (line === 1) assertColumns(path, records[0]);
    const rows = records.map(fromCsv);
    for (const row of rows) {
      line += 1;
      broken.push(...problems(row).map((problem) => `row ${line}: ${problem}`));
    }
    if (broken.length >= problemsShown) break;
    if (broken.length === 0) yield { rows, unusable: 0 };
  }
  if (broken.length > 0) {
    throw final(
      'CsvRefused',
      `${path} was not used: ${broken.slice(0, problemsShown).join('; ')}. Correct the file and run again.`,
    );
  }
}
