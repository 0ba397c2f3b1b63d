import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const cli = path.join(import.meta.dirname, '../../tools/prospect-sync.mjs');

/** `prospect-sync worker` in a process of its own; resolves once it is ready. */
export async function startWorkerProcess(folder: string, env: Record<string, string>, flags: readonly string[] = []) {
  const config = path.join(folder, 'prospect-sync.yaml');
  const args = ['--disable-warning=ExperimentalWarning', cli, 'worker', '--config', config, '--data-dir', folder];
  const child = spawn(process.execPath, [...args, ...flags], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await untilReady(child, () => said);
  return {
    pid: child.pid,
    /** All of its stderr so far. */
    said: () => said,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    kill: () => child.kill('SIGKILL'),
    /** Its exit code, once it has ended. */
    async ended(): Promise<number | null> {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
      return child.exitCode;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
export type WorkerProcess = Awaited<ReturnType<typeof startWorkerProcess>>;

async function untilReady(child: ChildProcess, said: () => string): Promise<void> {
  const ready = Promise.withResolvers<void>();
  child.stderr?.on('data', () => {
    if (said().includes('Worker: ready')) ready.resolve();
  });
  child.once('exit', () => ready.reject(new Error(`the worker ended before it was ready: ${said()}`)));
  await ready.promise;
}
