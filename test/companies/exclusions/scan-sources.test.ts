import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWantedStaging } from '../../../src/companies/exclusions/scan-sources.ts';
import type { EntryInput } from '../../../src/service/contract/index.ts';
import { openLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { entryHash } from '../../../src/companies/exclusions/entry-identity.ts';

const opened: { folder: string; ledger: Ledger }[] = [];

afterEach(async () => {
  for (const { folder, ledger } of opened.splice(0)) {
    await ledger.close();
    rmSync(folder, { recursive: true });
  }
});

const candidate = (entry: EntryInput) => ({
  entry,
  urlCompleted: false,
  sharedDomain: false,
  expired: false,
  problems: [],
});

/** Adds the entries page by page. `read`: the number of rows that it read from the ledger. */
async function addAll(entries: readonly EntryInput[], pageRows: number) {
  const folder = mkdtempSync(join(tmpdir(), 'wanted-'));
  const ledger = await openLedger({ dataDir: folder });
  opened.push({ folder, ledger });
  let read = 0;
  const exclusions: typeof ledger.exclusions = {
    ...ledger.exclusions,
    async readWanted(...args) {
      const rows = await ledger.exclusions.readWanted(...args);
      read += rows.length;
      return rows;
    },
  };
  const staging = createWantedStaging({ exclusions }, 'sync', entryHash);
  for (let from = 0; from < entries.length; from += pageRows) {
    await staging.add(entries.slice(from, from + pageRows).map(candidate));
  }
  const stored = await ledger.exclusions.listAdditions('sync', { limit: entries.length + 1 });
  return { read, ...staging.totals(), stored: stored.map(({ entry }) => entry) };
}

const branches = (count: number, keys: (index: number) => Partial<EntryInput>) =>
  Array.from({ length: count }, (_, index) => ({ company_name: 'Sparkasse', ...keys(index) }));

describe('createWantedStaging', () => {
  it('reads the branches of a company once, not once per page, and merges rows with them', async () => {
    const records = branches(3_000, (index) => ({ external_id: String(index) }));
    const rows = branches(3_000, (index) => ({ city: `Town ${index}` }));
    const { read, stored, corrections, coverage } = await addAll([...records, ...rows], 60);
    expect(read).toBeLessThan(200);
    expect(corrections.duplicates).toBe(3_000);
    expect(coverage).toMatchObject({ externalId: 3_000, nameAndCity: 3_000, nameOnly: 0 });
    expect(stored).toHaveLength(3_000);
    expect(new Set(stored.map(({ external_id: id }) => id)).size).toBe(3_000);
    expect(new Set(stored.map(({ city }) => city)).size).toBe(3_000);
  });

  it('merges entries of different pages, for few and for many entries of one name', async () => {
    for (const count of [3, 300]) {
      const records = branches(count, (index) => ({ external_id: String(index), city: `Town ${index}`, reason: 'A' }));
      const again = branches(count, (index) => ({ city: `town ${index}`, reason: 'B' }));
      const { stored, corrections } = await addAll([...records, ...again, { company_name: 'Other' }], 70);
      expect(corrections.duplicates).toBe(count);
      expect(stored).toHaveLength(count + 1);
      expect(stored.filter(({ reason }) => reason === 'A; B')).toHaveLength(count);
    }
  });
});
