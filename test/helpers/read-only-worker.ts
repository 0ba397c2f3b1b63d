import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface ReadOnlyWorker {
  /** The executable of `prospect-sync`. */
  readonly program: string;
  /** `worker` or `receive`, and its options. */
  readonly args: readonly string[];
  /** The installation folder. */
  readonly folder: string;
  /** The only writable folder, below `folder`. It is mounted noexec. */
  readonly writable: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];

/** Returns why this machine cannot mount a read-only file system, or null when it can. */
export function whyNothingReadOnly(): string | null {
  const args = [...namespace, 'mount', '-o', 'remount,bind,ro', '/'];
  const { status, error, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
  return status === 0 ? null : (error?.message ?? stderr.trim());
}

/** Starts a worker or a receiver with a read-only file system and an empty home folder, and waits until it is ready. */
export async function startReadOnlyWorker({ program, args, folder, writable, env }: ReadOnlyWorker) {
  const temporary = path.join(writable, 'tmp');
  const home = path.join(folder, 'home');
  const probe = path.join(folder, 'probe.mjs');
  for (const place of [temporary, home]) await mkdir(place, { recursive: true });
  await writeFile(probe, tellCompiler);
  const child = spawn(
    'unshare',
    [...namespace, '/bin/sh', '-euc', makeReadOnly, 'sh', folder, writable, program, ...args],
    {
      env: { ...env, TMPDIR: temporary, HOME: home, XDG_CACHE_HOME: home, NODE_OPTIONS: `--import=${probe}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  const ready = Promise.withResolvers<void>();
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (/\b(?:Worker: ready|Receiver: http)/.test(said)) ready.resolve();
  });
  child.once('close', () => ready.reject(new Error(`${args[0]} ended: ${said}`)));
  await ready.promise;
  return {
    /** The complete stderr so far. */
    said: () => said,
    async stop(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

/** Remounts the file system, and $1 if it is a mount, as read-only, but not $2. */
const makeReadOnly = `
  mount -o remount,bind,ro /
  mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"
  mount --bind "$2" "$2"; mount -o remount,bind,rw,noexec "$2"
  shift 2; exec "$@"
`;

/** Prints at exit whether workflows were compiled. */
const tellCompiler = `
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
const { cache } = createRequire(import.meta.url);
process.on('exit', () => {
  const isLoaded = Object.keys(cache).some((name) => /webpack.lib.Compiler/.test(name));
  if (isMainThread) writeSync(2, isLoaded ? 'compiler: loaded\\n' : 'compiler: not loaded\\n');
});
`;
