import type { OutputRow } from '../../src/ledger/order-files.ts';

/** An output that was requested from the service. */
export const receipt: OutputRow = {
  orderId: 'order-1',
  destination: 'csv en',
  type: 'csv',
  language: 'en',
  attempt: 0,
  outputId: 'o',
  exportJobId: 'j',
  status: 'PENDING',
  state: 'requested',
  problem: null,
  resultCount: null,
  resultSha256: null,
  problemDetail: null,
  origin: 'own',
  location: null,
  path: null,
  rows: null,
  bytes: null,
  sha256: null,
  at: '2026-11-20T12:00:00.000Z',
};
