import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox, type SandboxOptions } from './command.ts';
import { runCommand } from './run-command.ts';
import { startTemporal } from './temporal-server.ts';

/** Starts the sandbox with its example project, and a Temporal server that its commands use. */
export async function startExampleProject(options: SandboxOptions = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-example-'));
  const [sandbox, temporal] = await Promise.all([startSandbox(folder, options), startTemporal()]);
  const env = { ...sandbox.env, TEMPORAL_ADDRESS: temporal.address };
  return {
    folder,
    env,
    client: temporal.client,
    ...sandbox.ready,
    command: (...args: string[]) => runCommand(args, { cwd: folder, env }),
    /** Runs a command like `command`; `onStderr` receives its stderr while it runs. */
    watchCommand: (onStderr: (text: string) => void, ...args: string[]) =>
      runCommand(args, { cwd: folder, env, onStderr }),
    async stop() {
      await sandbox.stop();
      await temporal.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type ExampleProject = Awaited<ReturnType<typeof startExampleProject>>;
