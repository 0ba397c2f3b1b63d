import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createControlClient } from '../../sandbox/control/control-client.ts';

const cli = path.join(import.meta.dirname, '../../tools/prospect-sync.mjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandPlace {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  readonly onStderr?: (text: string) => void;
}

interface ProcessPlace extends CommandPlace {
  readonly onSpawn?: (pid: number) => void;
}

/** Runs `prospect-sync` with these arguments in another process. */
export function spawnCommand(
  args: readonly string[],
  { cwd, env = {}, onStderr, onSpawn }: ProcessPlace,
): Promise<Ended> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cli, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) onSpawn?.(child.pid);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    onStderr?.(chunk.toString());
  });
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  child.once('error', reject);
  child.once('close', (code) => resolve({ code, stdout, stderr }));
  return promise;
}

export interface RunningSandbox {
  /** The JSON that the sandbox prints when it is ready. */
  readonly ready: {
    service: { url: string; apiKey: string };
    hubspot: { url: string; portalId: number; token: string };
    control: { url: string };
  };
  /** The environment variables that its example project uses. */
  readonly env: Record<string, string>;
  /** Default: SIGTERM. */
  readonly stop: (signal?: 'SIGKILL') => Promise<void>;
}

export interface SandboxOptions {
  /** The folder that keeps its state. */
  readonly data?: string;
  readonly flags?: readonly string[];
  /** How many companies the example orders in a discovery; default: 300. */
  readonly companies?: number;
  /** How fast profiles, orders and outputs complete; null leaves the sandbox's own seconds. */
  readonly progression?: Progression | null;
}
type Progression = Partial<Record<'profiles' | 'orders' | 'outputs', { readonly after_seconds: number }>>;

const quick = { profiles: { after_seconds: 0.02 }, orders: { after_seconds: 0.05 }, outputs: { after_seconds: 0.02 } };

/** `prospect-sync sandbox` on free ports, with its example project in `folder`. */
export async function startSandbox(
  folder: string,
  { data, flags = [], companies, progression = quick }: SandboxOptions = {},
): Promise<RunningSandbox> {
  const ports = ['--port', '0', '--hubspot-port', '0', '--control-port', '0'];
  const state = data === undefined ? [] : ['--data', data];
  const args = [cli, 'sandbox', ...ports, '--example', folder, ...state, ...flags];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const line = Promise.withResolvers<string>();
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdout.once('data', (chunk: Buffer) => line.resolve(chunk.toString()));
  child.once('exit', () => line.reject(new Error(`the sandbox ended: ${said}`)));
  const ready = JSON.parse(await line.promise) as RunningSandbox['ready'];
  if (progression !== null)
    await createControlClient({ baseUrl: ready.control.url }).PUT('/progression', {
      body: { ...quick, ...progression },
    });
  if (companies !== undefined) {
    const file = path.join(folder, 'prospect-sync.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('briefing_quantity: 300', `briefing_quantity: ${companies}`));
  }
  return {
    ready,
    env: {
      PROSPECTING_BASE_URL: ready.service.url,
      PROSPECTING_API_KEY: ready.service.apiKey,
      HUBSPOT_BASE_URL: ready.hubspot.url,
      HUBSPOT_TOKEN: ready.hubspot.token,
    },
    async stop(signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      child.once('exit', () => resolve());
      child.kill(signal ?? 'SIGTERM');
      await promise;
    },
  };
}
