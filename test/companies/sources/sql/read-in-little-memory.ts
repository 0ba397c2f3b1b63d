/** Reads a query in another process, whose heap is limited, and prints the result. Arguments: database, its path or address, query, purpose. */
import { readQuery } from '../../../../src/companies/sources/sql/read-query.ts';
import { readFromTable } from '../../../../src/companies/sources/table-companies.ts';
import { readMemory } from '../../../helpers/process-usage.ts';

const [kind = '', place = '', text = '', purpose = ''] = process.argv.slice(2);
const database = kind === 'sqlite' ? { sqlite: place } : { postgres: { reveal: () => place } };
const query = { database, query: text, setting: 'runs.crm.companies.sql' };
const { signal } = new AbortController();

async function readPages() {
  let [rows, characters, longestPage] = [0, 0, 0];
  for await (const page of readQuery(query, { signal })) {
    const size = page.rows.flatMap(({ cells }) => cells).reduce<number>((sum, cell) => sum + String(cell).length, 0);
    rows += page.rows.length;
    characters += size;
    longestPage = Math.max(longestPage, size);
  }
  return { rows, characters, longestPage };
}

async function readDraft() {
  const source = { kind: 'sql', query, settingsPath: 'runs.crm.companies.columns' } as const;
  const context = { signal, recordProgress: () => {} };
  const { rows } = await readFromTable(source, { runName: 'crm', maxBriefings: null }, context);
  return { rows: rows.length };
}

const result = await (purpose === 'draft' ? readDraft() : readPages()).catch((error: Error) => ({
  problem: error.message,
}));
// Not resourceUsage().maxRSS, which begins with the memory of the process that starts this one.
const { peak } = await readMemory(process.pid);
const peakMegabytes = Math.round(peak / 1_000_000);
process.stdout.write(JSON.stringify({ ...result, peakMegabytes }));
