import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnCommand, startSandbox, type RunningSandbox } from '../helpers/command.ts';
import { startWorkerProcess } from '../helpers/worker-process.ts';

let folder: string;
let sandbox: RunningSandbox;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-takeover-'));
  sandbox = await startSandbox(folder, { companies: 40 });
});
afterAll(async () => {
  await sandbox?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('run', () => {
  it('leaves the work to a running worker, and takes over when that worker stops', async () => {
    const worker = await startWorkerProcess(folder, sandbox.env);
    const running = spawnCommand(['run', 'demo-discovery', '--json'], {
      cwd: folder,
      env: sandbox.env,
      onStderr: (text) => {
        if (text.includes('worker of another process')) void worker.stop();
      },
    });
    const { code, stdout, stderr } = await running;
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, orders: [{ slots: 40, reconciled: 40 }] });
    const ledger = `Ledger: ${path.join(folder, '.prospect-sync', 'ledger.db')}`;
    expect(stderr.split('\n')[0]).toBe(ledger);
    expect(JSON.parse(worker.said().split('\n')[0] ?? '')).toMatchObject({ level: 'info', message: ledger });
    expect(stderr).toMatch(
      /using the worker of another process on the task queue[\s\S]*none is running, starting an embedded worker/,
    );
  });
});
