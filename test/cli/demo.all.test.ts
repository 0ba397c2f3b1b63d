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

  it('prints with --keep the folder and the variables with which commands use its orders', async () => {
    let said = '';
    let pid = 0;
    const isReady = Promise.withResolvers<void>();
    const demo = spawnCommand(['demo', '--keep'], {
      cwd: folder,
      onSpawn: (started) => (pid = started),
      onStderr: (text) => {
        said += text;
        if (said.includes('Everything keeps running')) isReady.resolve();
      },
    });
    await Promise.race([isReady.promise, demo]);
    const [, cwd = ''] = /^ {2}cd "(.*)"$/m.exec(said) ?? [];
    const exported = [...said.matchAll(/^ {2}export (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
    const place = { cwd, env: Object.fromEntries(exported) };
    const { stdout } = await spawnCommand(['status', 'demo-discovery', '--json'], place);
    const [{ order_id: orderId }] = JSON.parse(stdout);
    const again = await spawnCommand(['reconcile', orderId], place);
    process.kill(pid, 'SIGINT');
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('using the worker of another process') });
    expect(again.stdout).toContain('reconciled 300 of 300');
    expect(await demo).toMatchObject({ code: 0 });
  });
});
