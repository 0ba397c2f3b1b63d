// Builds Temporal's programs from source, with a Go module of tools/ that requires them. `go install` rejects the CLI because its go.mod
// has a replace directive, which the module tools/temporal repeats.
import type { Environment } from '../../base/host/environment-variables.ts';
import { execFile, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { cliVersion, findOnPath } from './temporal-binary.ts';
import { makeFolder } from '../../base/host/make-folder.ts';

import { programEnvironment } from './program-environment.ts';

/** The version in the go.mod of both modules. */
const oldestGo = '1.26.4';
/** An older Go would download a newer one and run it, which go.sum does not cover. */
const ownToolchain = { GOTOOLCHAIN: 'local' };
/** Variables that go may need to reach its module proxy. */
const networkVariables = [
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];
/** Variables that locate the settings of `go env -w`. */
const settingsVariables = ['GOPROXY', 'GOENV', 'XDG_CONFIG_HOME', 'AppData'];
const byNumbers = new Intl.Collator('en', { numeric: true });
const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const run = promisify(execFile);

export type GoSource = {
  /** For the line that a build prints. */
  title: string;
  /** The folder of go.mod and go.sum. */
  module: string;
  packages: readonly string[];
  /** What the linker sets or leaves out. */
  symbols: string;
};

const cliSource: GoSource = {
  title: cliVersion,
  module: path.join(import.meta.dirname, '../../../tools/temporal'),
  packages: ['github.com/temporalio/cli/cmd/temporal'],
  symbols: `-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=${cliVersion}`,
};

type BuildOptions = {
  env: Environment;
  /** Default: the CLI. */
  source?: GoSource;
  /** The executable file to write; a folder with a slash at its end for several packages. */
  to: string;
  /** An empty folder for Go's caches, about 3 GB. Removed before an interrupt is raised again. */
  workFolder: string;
  say: (text: string) => void;
  sayEverySeconds?: number;
};

/** Takes about 4 minutes. Throws with the end of Go's output. Raises an interrupt again after everything is removed. */
export async function buildTemporal(options: BuildOptions): Promise<void> {
  const { env, source = cliSource, to, workFolder, say, sayEverySeconds = 10 } = options;
  const go = await findGo(env);
  const environment = await buildEnvironment(go.path, env, workFolder);
  say(`Temporal: building ${source.title} from source with Go ${go.version} (about 4 minutes, once)`);
  const abort = new AbortController();
  let interruptedBy: NodeJS.Signals | undefined;
  const interrupt = (signal: NodeJS.Signals) => {
    interruptedBy = signal;
    abort.abort(new Error(`interrupted by ${signal}`));
  };
  for (const signal of interrupts) process.on(signal, interrupt);
  try {
    await makeFolder(path.join(workFolder, 'tmp'));
    await compile(go.path, { env: environment, source, to, say, sayEverySeconds, signal: abort.signal });
  } finally {
    await rm(workFolder, { recursive: true, force: true, maxRetries: 3 });
    for (const signal of interrupts) process.off(signal, interrupt);
    if (interruptedBy !== undefined) process.kill(process.pid, interruptedBy);
  }
}

/** @throws Error that says which Go is required */
export async function findGo(env: Environment): Promise<{ path: string; version: string }> {
  const requirement = `Go ${oldestGo} or newer is required`;
  const go = await findOnPath('go', env);
  if (go === null) throw new Error(`${requirement}, and there is no go on PATH`);
  const { stdout } = await run(go, ['version'], {
    cwd: path.dirname(go),
    env: { ...programEnvironment(env), ...ownToolchain },
  });
  const [, version = ''] = /go version go(\d+\.\d+\S*)/.exec(stdout) ?? [];
  if (byNumbers.compare(version, oldestGo) < 0)
    throw new Error(`${requirement}, and ${go} is ${version || 'of an unknown version'}`);
  return { path: go, version };
}

/**
 * Only sources with the digests of go.sum are built: settings of the user that disable this check, or add programs to the build, are not
 * passed on.
 */
async function buildEnvironment(go: string, env: Environment, workFolder: string): Promise<Environment> {
  const { stdout } = await run(go, ['env', 'GOPROXY'], {
    cwd: path.dirname(go),
    env: { ...programEnvironment(env, settingsVariables), ...ownToolchain },
  });
  return {
    ...programEnvironment(env, networkVariables),
    GOPROXY: stdout.trim(),
    GOENV: 'off',
    ...ownToolchain,
    GOMODCACHE: path.join(workFolder, 'modules'),
    GOCACHE: path.join(workFolder, 'objects'),
    GOTMPDIR: path.join(workFolder, 'tmp'),
    GOFLAGS: '-mod=readonly -modcacherw -buildvcs=false', // module files are read-only otherwise and could not be removed
    GOWORK: 'off',
    CGO_ENABLED: '0',
  };
}

type CompileOptions = {
  env: Environment;
  source: GoSource;
  to: string;
  say: (text: string) => void;
  sayEverySeconds: number;
  signal: AbortSignal;
};

function compile(go: string, { env, source, to, say, sayEverySeconds, signal }: CompileOptions): Promise<void> {
  const args = ['build', '-v', '-trimpath', '-ldflags', source.symbols, '-o', to, ...source.packages];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // A separate process group, because Go's compilers outlive `go` and would still write to the folder.
  const child = spawn(go, args, { cwd: source.module, env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const progress = createProgress();
  createInterface({ input: child.stderr }).on('line', (line) => progress.read(line));
  const ticker = setInterval(() => say(progress.text()), sayEverySeconds * 1000);
  const stop = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  signal.addEventListener('abort', stop, { once: true });
  child.once('error', reject);
  child.once('close', (code) => {
    if (signal.aborted) reject(signal.reason);
    else if (code === 0) resolve();
    else reject(new Error(`go build failed: ${progress.lastErrors()}`));
  });
  return promise.finally(() => {
    clearInterval(ticker);
    signal.removeEventListener('abort', stop);
  });
}

function createProgress() {
  const started = performance.now();
  let modules = 0;
  let packages = 0;
  let errors: string[] = [];
  return {
    read(line: string) {
      if (line.startsWith('go: downloading ')) modules += 1;
      else if (/^[\w.~-]+(\/[\w.~-]+)*$/.test(line)) packages += 1;
      else errors = [...errors.slice(-4), line];
    },
    text() {
      const seconds = Math.round((performance.now() - started) / 1000);
      return `Temporal: building, ${seconds} s, ${modules} modules downloaded, ${packages} packages compiled`;
    },
    lastErrors: () => errors.join(' | ') || 'no output',
  };
}
