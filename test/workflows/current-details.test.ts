import { formatCurrentDetails } from '../../workflows/current-details.ts';
import type { Progress } from '../../workflows/progress-query.ts';

const progress: Progress = {
  stage: 'publication',
  orderId: null,
  since: '2026-11-23T09:15:00.000Z',
  waitingFor: null,
  waitingUntil: null,
  counts: {},
  tables: {},
  files: [],
  findings: [],
  failure: null,
  note: null,
  past: [],
};

describe('toDetails', () => {
  it('contains what the workflow waits for, since when and until when', () => {
    const waiting = { waitingFor: 'order 1 to be published', waitingUntil: '2026-12-23T09:15:00.000Z' };
    expect(formatCurrentDetails({ ...progress, ...waiting })).toContain(
      'Waiting for order 1 to be published since 2026-11-23 09:15 UTC, until 2026-12-23 09:15 UTC at the latest.',
    );
  });

  it('begins with the order', () => {
    const orderId = '020d5603-4a3e-4b55-9c0a-1f1f8d5a7b11';
    expect(formatCurrentDetails({ ...progress, orderId })).toMatch(
      /^\*\*publication\*\* since 2026-11-23 09:15 UTC, order `020d5603-4a3e-4b55-9c0a-1f1f8d5a7b11`/,
    );
  });

  it('contains counts by status and reason, and the paths of the files', () => {
    const details = formatCurrentDetails({
      ...progress,
      counts: { slots: 1_000, leaks: 0 },
      tables: { status: { ENRICHED: 990, PARTIAL: 10 }, reason: { NO_EMAIL_FOUND: 10, WEBSITE_MOVED: 0 } },
      files: [{ path: '/out/1.csv', kind: 'csv', rows: 1_000 }],
    });
    expect(details).toContain('- **figures**: slots 1,000, leaks 0\n');
    expect(details).toContain('- **status**: ENRICHED 990, PARTIAL 10\n- **reason**: NO_EMAIL_FOUND 10\n');
    expect(details).toContain('- `/out/1.csv` (1,000 rows)');
  });

  it('contains findings and failures with their remedies', () => {
    const findings = [{ code: 'crm_write_failed', count: 12, positions: [1, 2] }];
    const failure = { type: 'OrderRejected', message: 'order 1 ended as REJECTED. Correct the profile' };
    const details = formatCurrentDetails({ ...progress, findings, failure });
    expect(details).toMatch(/- `crm_write_failed`: 12 \(at 1, 2 …\)\. Run .*prospect-sync retry/);
    expect(details).toContain('`OrderRejected`: order 1 ended as REJECTED. Correct the profile');
  });

  it('contains the start of each earlier stage', () => {
    const past = [{ stage: 'starting', since: '2026-11-23T09:14:00.000Z' }];
    expect(formatCurrentDetails({ ...progress, past })).toContain('**Before**\n\n- 2026-11-23 09:14 UTC: starting');
  });

  it('stays below the limit of 20,000 bytes', () => {
    const many = Array.from({ length: 500 }, (_, index) => [`REASON_${index}`, index] as const);
    const findings = many.map(([code, count]) => ({ code, count, positions: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }));
    const details = formatCurrentDetails({ ...progress, tables: { reason: Object.fromEntries(many) }, findings });
    expect(Buffer.byteLength(details)).toBeLessThan(10_000);
    expect(details).toContain('- … and 470 more');
  });
});
