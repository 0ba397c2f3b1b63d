import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const cli = path.join(import.meta.dirname, '../../src/cli.ts');

/** `prospect-sync worker` in a process of its own; resolves once it is ready. */
export async function startWorkerProcess(folder: string, env: Record<string, string>) {
  const config = path.join(folder, 'prospect-sync.yaml');
  const args = ['--disable-warning=ExperimentalWarning', cli, 'worker', '--config', config, '--data-dir', folder];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  await untilReady(child);
  return {
    kill: () => child.kill('SIGKILL'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
export type WorkerProcess = Awaited<ReturnType<typeof startWorkerProcess>>;

async function untilReady(child: ChildProcess): Promise<void> {
  let said = '';
  const ready = Promise.withResolvers<void>();
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes('Worker: ready')) ready.resolve();
  });
  child.once('exit', () => ready.reject(new Error(`the worker ended before it was ready: ${said}`)));
  await ready.promise;
}
