import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const cli = path.join(import.meta.dirname, '../../tools/prospect-sync.mjs');

export type ReceiverProcess = Awaited<ReturnType<typeof startReceiverProcess>>;

/** Starts `prospect-sync receive` in another process, and waits until it prints its addresses. Port 0 chooses a free one. */
export async function startReceiverProcess(folder: string, env: Record<string, string>, port = 0) {
  const args = ['--disable-warning=ExperimentalWarning', cli, 'receive', '--json', '--port', String(port)];
  const config = path.join(folder, 'prospect-sync.yaml');
  const child = spawn(process.execPath, [...args, '--config', config], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const line = Promise.withResolvers<string>();
  child.stdout.once('data', (chunk: Buffer) => line.resolve(chunk.toString()));
  child.once('exit', () => line.reject(new Error(`the receiver ended before it was ready: ${said}`)));
  const ready: { replies: { url: string }; orders: { url: string | null } } = JSON.parse(await line.promise);
  return {
    ...ready,
    pid: child.pid ?? 0,
    /** The complete stderr so far. */
    said: () => said,
    kill: () => child.kill('SIGKILL'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
