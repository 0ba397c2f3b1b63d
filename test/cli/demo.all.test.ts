import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { reasonCodes } from '../../src/service/contract/index.ts';
import { spawnCommand } from '../helpers/command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-demo-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('demo', () => {
  it('runs both kinds of order and prints one JSON document', async () => {
    const { code, stdout, stderr } = await spawnCommand(['demo', '--json'], { cwd: folder });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      ok: true,
      seconds: expect.any(Number),
      temporal_ui: expect.stringMatching(/^http/),
    });
    const [discovery, enrichment] = document.orders;
    expect(discovery).toMatchObject({
      order_id: expect.any(String),
      kind: 'discovery',
      workflow_id: `order/${discovery.order_id}`,
      slots: 300,
      reconciled: 300,
      by_status: { ENRICHED: 300 },
      by_reason: { POLICY_ELIGIBLE: 300 },
      crm: { companies: { created: 300, updated: 0, unchanged: 0, skipped: 0, quarantined: 0, failed: 0 } },
      findings: [],
    });
    expect(enrichment).toMatchObject({ kind: 'enrichment', slots: 150, reconciled: 150, findings: [] });
    const ofEnrichment = Object.entries(reasonCodes)
      .filter(([, reason]) => !('discoveryOnly' in reason))
      .map(([name]) => name);
    expect(Object.keys(enrichment.by_reason).toSorted()).toEqual(ofEnrichment.toSorted());
    for (const { path: file, rows } of [...discovery.files, ...enrichment.files]) {
      expect(rows).toBeGreaterThanOrEqual(150);
      expect(existsSync(file)).toBe(true);
    }
    expect(stderr).toMatch(/^Ledger: \/.*\/\.prospect-sync\/demo\/.*\/ledger\.db\n/);
    expect(stderr).toContain('started run/demo-discovery/');
  });
});
