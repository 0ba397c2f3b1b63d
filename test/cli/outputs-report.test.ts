import { emptyTally } from '../../src/ledger/crm-outcomes.ts';
import { toFileEntries } from '../../src/cli/file-entries.ts';
import { toOutputLine } from '../../src/cli/print-output.ts';
import { toSkippedLines } from '../../src/cli/print-report.ts';
import { toOutputDocument } from '../../src/cli/documents/order-document.ts';
import type { ServiceOutputReport } from '../../src/proof/report/order-report.ts';

const csv: ServiceOutputReport = {
  type: 'csv',
  destination: 'csv en',
  state: 'delivered',
  problem: null,
  resultCount: 250,
  rows: 250,
  path: '/out/o.service-en.csv',
  location: null,
};
const none = { path: null, rows: null };

describe('toOutputLine', () => {
  it.each<[Partial<ServiceOutputReport>, string]>([
    [{}, 'csv en: /out/o.service-en.csv (250 rows)'],
    [
      { type: 'google_sheets', destination: 'google_sheets en 1AbC', path: null, location: 'https://sheets.example/1' },
      'google_sheets en 1AbC: https://sheets.example/1 (250 rows)',
    ],
    [
      { state: 'rows_differ', rows: 249 },
      'csv en: /out/o.service-en.csv has another number of rows than the service reports (249 rows, the service reports 250)',
    ],
    [
      { state: 'rows_differ', rows: null, resultCount: null },
      'csv en: /out/o.service-en.csv has another number of rows than the service reports (unknown rows, the service reports no number)',
    ],
    [{ ...none, state: 'failed' }, 'csv en: failed in the service'],
    [{ ...none, state: 'unfinished' }, 'csv en: not ready in time'],
    [
      { ...none, state: 'refused', problem: 'OUTPUT_QUOTA_EXCEEDED' },
      'csv en: rejected by the service (OUTPUT_QUOTA_EXCEEDED). The order has as many outputs as the service allows.',
    ],
    [{ ...none, state: 'not_fetched', problem: 'OfTomorrow' }, 'csv en: could not be downloaded (OfTomorrow)'],
  ])('returns a line for %j', (changes, line) => expect(toOutputLine({ ...csv, ...changes })).toBe(line));
});

describe('toSkippedLines', () => {
  it.each([
    [{ skipped: 3 }, 2],
    [{ skipped: 3, created: 1 }, 0],
    [{ skipped: 3, quarantined: 1 }, 0],
    [{}, 0],
  ])('warns when all people were skipped: %j', (contacts, lines) => {
    const crm = { companies: emptyTally, contacts: { ...emptyTally, ...contacts } };
    expect(toSkippedLines({ orderId: 'o', crm, newerOrders: {} })).toHaveLength(lines);
  });
});

describe('toSkippedLines of skipped companies', () => {
  it('says how to find out why, such as that a person has deleted them', () => {
    const crm = { companies: { ...emptyTally, created: 3, skipped: 1 }, contacts: emptyTally };
    expect(toSkippedLines({ orderId: 'o', crm, newerOrders: {} })).toEqual([
      '  skipped    why companies were skipped: prospect-sync rows o --item company --outcome skipped',
    ]);
  });
});

describe('toSkippedLines of an older order', () => {
  it('is silent about people whom a newer order has written: they are contacts in HubSpot', () => {
    const crm = { companies: emptyTally, contacts: { ...emptyTally, skipped: 3 } };
    expect(toSkippedLines({ orderId: 'o', crm, newerOrders: { newer: 2 } })).toEqual([]);
  });
});

describe('toFileEntries', () => {
  it.each([
    [true, 'was edited'],
    [false, 'the ledger does not know'],
  ])('says of a kept file with edited: %j that it %s', (edited, words) => {
    const file = { path: 'a.csv', kind: 'csv', rows: 1, kept: 'b.csv', edited } as const;
    expect(toFileEntries(file)).toEqual([
      ['file', 'a.csv (1 rows)'],
      ['kept', expect.stringMatching(new RegExp(`^b\\.csv .*${words}`))],
    ]);
  });
});

describe('toOutputDocument', () => {
  it('uses the field names of documents', () => {
    expect(toOutputDocument(csv)).toMatchObject({ destination: 'csv en', result_count: 250, rows: 250 });
    expect(toOutputDocument(csv)).not.toHaveProperty('resultCount');
  });
});
