import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const cli = path.join(import.meta.dirname, '../../tools/prospect-sync.mjs');

/** Starts `prospect-sync worker` in another process, and waits until it is ready. */
export async function startWorkerProcess(folder: string, env: Record<string, string>, flags: readonly string[] = []) {
  const config = path.join(folder, 'prospect-sync.yaml');
  const args = ['--disable-warning=ExperimentalWarning', cli, 'worker', '--config', config];
  const child = spawn(process.execPath, [...args, ...flags], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await untilReady(child, () => said);
  return {
    pid: child.pid,
    /** The complete stderr so far. */
    said: () => said,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    kill: () => child.kill('SIGKILL'),
    /** Waits for its end, and returns the exit code. */
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
