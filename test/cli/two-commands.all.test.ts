// Commands that share a folder: two at once, and one that is killed together with the local Temporal that it started.
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readServerState } from '../../src/temporal/dev-server/server-state.ts';
import { readCrm, readOrderKeys, repeated } from '../cluster/evidence.ts';
import { spawnCommand, startSandbox, type RunningSandbox } from '../helpers/command.ts';

let folder: string;
let sandbox: RunningSandbox;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-commands-'));
  sandbox = await startSandbox(folder, { companies: 40 });
  await appendFile(path.join(folder, 'prospect-sync.yaml'), 'temporal: {heartbeat_timeout: 2s}\n');
});
afterAll(async () => {
  await sandbox?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

const run = (name: string, more: Partial<Parameters<typeof spawnCommand>[1]> = {}) =>
  spawnCommand(['run', name, '--json'], { cwd: folder, env: sandbox.env, ...more });

async function killBoth(pid: number): Promise<void> {
  const state = await readServerState(path.join(folder, '.prospect-sync', 'temporal'));
  const server = state?.process?.pid;
  if (server === undefined) throw new Error('no local Temporal runs');
  for (const each of [server, pid]) process.kill(each, 'SIGKILL');
}

const orderOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).orders[0];

describe('two commands at once', () => {
  it('share one local Temporal and one order', async () => {
    const before = await readOrderKeys(sandbox);
    const both = await Promise.all([run('demo-discovery'), run('demo-discovery')]);
    // Shows why a command failed.
    expect(both.map(({ code, stderr }) => (code === 0 ? code : stderr))).toEqual([0, 0]);
    expect(new Set(both.map((ended) => orderOf(ended).order_id)).size).toBe(1);
    const said = both.map(({ stderr }) => /^(started|attached to) /m.exec(stderr)?.[1]);
    expect(new Set(said)).toEqual(new Set(['attached to', 'started']));
    expect(await readOrderKeys(sandbox)).toHaveLength(before.length + 1);
  });
});

describe('a command that is killed together with its local Temporal', () => {
  it('is continued by the same command with one order and every record once', async () => {
    const before = await readOrderKeys(sandbox);
    let pid = 0;
    const killed = Promise.withResolvers<void>();
    const dying = run('demo-enrichment', {
      onSpawn: (spawned) => (pid = spawned),
      onStderr: (text) => {
        if (!/demo-enrichment: (?:collecting|publication|writing)/.test(text)) return;
        killBoth(pid).then(killed.resolve, killed.reject);
      },
    });
    await killed.promise;
    expect((await dying).code).toBeNull();
    const again = await run('demo-enrichment');
    expect(again.stderr).toMatch(/^attached to run\/demo-enrichment\//m);
    expect(orderOf(again)).toMatchObject({ kind: 'enrichment', slots: orderOf(again).reconciled });
    expect(await readOrderKeys(sandbox)).toHaveLength(before.length + 1);
    const { companies, contacts } = await readCrm(sandbox);
    for (const kept of [companies, contacts]) expect(repeated(kept.map(({ key }) => key))).toEqual([]);
  });
});
