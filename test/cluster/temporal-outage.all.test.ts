import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readServerState } from '../../src/temporal/dev-server/server-state.ts';
import { spawnCommand, startSandbox, type RunningSandbox } from '../helpers/command.ts';
import { readOrderKeys } from './evidence.ts';

/** After a hang of 15 s; Temporal Core then writes to its log that it cannot connect. */
const goneMs = 5_000;

let folder: string;
let sandbox: RunningSandbox;

describe('run while Temporal is unavailable', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-outage-'));
    sandbox = await startSandbox(folder, { progression: { orders: { after_seconds: 3 } } });
  });
  afterAll(async () => {
    await sandbox?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  // Guarantee: Outages are waited out
  it('reports once that it waits, continues when Temporal answers again, and prints only its document to stdout', async () => {
    let said = '';
    const command = (args: readonly string[]) =>
      spawnCommand(args, { cwd: folder, env: sandbox.env, onStderr: (text) => (said += text) });
    const running = command(['run', 'demo-discovery', '--json']);
    const endedEarly = running.then(({ stderr }) => Promise.reject(new Error(`the command ended early: ${stderr}`)));
    endedEarly.catch(() => {}); // it does end, later
    const untilSaid = async (text: string) => {
      while (!said.includes(text)) await Promise.race([sleep(50), endedEarly]);
    };
    await untilSaid('to be published');
    const server = await readServerState(path.join(folder, '.prospect-sync', 'temporal'));
    const pid = server?.process?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    await untilSaid('does not answer');
    process.kill(pid, 'SIGKILL');
    await Promise.race([sleep(goneMs), endedEarly]);
    const restart = /restart it: prospect-sync (status --data-dir \S+)\n/.exec(said)?.[1] ?? '';
    expect(await command(restart.split(' '))).toMatchObject({ code: 0 });

    const { code, stdout, stderr } = await running;
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, orders: [{ slots: 300, reconciled: 300 }] });
    expect(stderr.match(/does not answer/g)).toHaveLength(1);
    expect(stderr.match(/answers again after \d+ s\. Continuing\./g)).toHaveLength(1);
    expect(await readOrderKeys(sandbox)).toHaveLength(1);
  });
});
