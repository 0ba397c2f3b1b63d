/** Check of `doctor` on the queries of enrichments: the database accepts them, and they have the columns. No row is read. */
import { companyFields, toTableSource } from '../companies/table-companies.ts';
import type { Config } from '../config/config.ts';
import { toCompanySource } from '../config/enrichment-source-settings.ts';
import type { Check } from '../hubspot/portal-checks.ts';
import { resolveColumns } from '../mapping/source-columns.ts';
import { readQueryColumns } from '../sql/read-query.ts';
import { SqlError } from '../sql/sql-error.ts';
import { SpreadsheetError } from '../spreadsheet/spreadsheet-error.ts';

/** A database that is slower makes a run slow, but does not fail it; the check must end. */
const statementTimeoutMs = 30_000;

/** One check for each run with `companies.sql`. */
export async function checkCompanySources({ runs }: Pick<Config, 'runs'>, signal: AbortSignal): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, run] of Object.entries(runs)) {
    const source = run.kind === 'enrichment' ? toTableSource(name, toCompanySource(run.companies)) : null;
    if (source?.kind !== 'sql') continue;
    const { query, columns: settings = {}, settingsPath } = source;
    const check = 'source of companies';
    try {
      const headers = await readQueryColumns(query, { signal, statementTimeoutMs });
      const { columns, problem } = resolveColumns(headers, { fields: companyFields, settings, settingsPath });
      const read = Object.keys(columns?.used ?? {}).join(', ');
      checks.push(
        columns === undefined
          ? { check, state: 'problem', says: `${query.setting}: ${problem}` }
          : { check, state: 'ok', says: `${query.setting} can be read: ${read}` },
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SqlError) && !(error instanceof SpreadsheetError)) throw error;
      checks.push({ check, state: 'problem', says: error.message });
    }
  }
  return checks;
}
