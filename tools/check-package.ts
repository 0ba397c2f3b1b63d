/**
 * Checks that the package can be published and works without the clone: compares the licences of what it needs, packs it, checks its
 * files, tries `npm publish` without publishing, installs the tarball in an empty folder with the versions of the lockfile, and runs
 * init, validate, demo and a run there on the oldest supported Node, then a worker on a read-only file system. At last the clone takes
 * over what the package has made, as after an upgrade. Takes about a minute.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@temporalio/client';
import { parseDocument } from 'yaml';
import { toAbsoluteFolders } from '../src/temporal/dev-server/program-environment.ts';
import { fetchHistories, historyToJSON } from '../test/helpers/histories.ts';
import { startReadOnlyWorker, whyNothingReadOnly } from '../test/helpers/read-only-worker.ts';
import { startTemporal } from '../test/helpers/temporal-server.ts';
import { findInstalledFileProblems, findPackedFileProblems } from './package-contents.ts';
import { findLicenceProblems } from './package-licences.ts';

/** The oldest supported Node, with the digests of the platforms on which the package is checked. */
const oldestNode = {
  version: '22.16.0',
  integrity: {
    'linux-x64': 'sha512-CPa9zqHR5L3Ia3qqhIchDcm1JPX79JBvwYEyE8unAcXV0CAuYFRTu42To/PDahjgd5z7etByh6FAkyD4Hvd10w==',
  } satisfies Record<string, string>,
};
const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'prospect-sync-package-'));
const app = path.join(folder, 'app');
const env: Record<string, string | undefined> = {
  ...process.env,
  // Without the repository's own Node, which npm puts first in PATH.
  PATH: [path.join(folder, 'node_modules/.bin'), ...toAbsoluteFolders(process.env['PATH'])].join(path.delimiter),
};
for (const name of ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'DATABASE_URL']) delete env[name];

try {
  step('licences', () => failOn(findLicenceProblems(root)));
  const tarball = step('npm pack and npm publish --dry-run', pack);
  step(`npm ci of Node ${oldestNode.version}`, installOldestNode);
  step('npm install of the tarball', () => install(tarball));
  failOn(findInstalledFileProblems(root, path.join(app, 'node_modules/prospect-sync')));
  step('init and validate', initAndValidate);
  step('demo', () => expectReconciled(command(app, ['demo', '--json']), 450));
  await run();
  console.log(`package: works on Node ${command(app, ['--version'], ['node']).trim()}, without the clone`);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function pack(): string {
  const [packed] = JSON.parse(npm(root, ['pack', '--json', '--pack-destination', folder]));
  const paths = packed.files.map((file: { path: string }) => file.path);
  failOn(findPackedFileProblems(root, paths));
  const tarball = path.join(folder, packed.filename);
  // Reads the tarball as a publication does, and sends nothing.
  const published = npm(folder, ['publish', tarball, '--dry-run', '--offline', '--json']);
  if (!published.includes(packed.integrity)) throw new Error('npm would publish another tarball than the checked one');
  return tarball;
}

/** This package has no install script, so only packages of the lockfile are downloaded. */
function installOldestNode(): void {
  const platform = `${process.platform}-${process.arch}`;
  const { version } = oldestNode;
  const integrity = new Map(Object.entries(oldestNode.integrity)).get(platform);
  if (integrity === undefined) {
    console.log(
      `package: no digest of Node ${version} for ${platform}, so the package is checked on ${process.version}`,
    );
    return;
  }
  const dependencies = { [`node-${platform}`]: version };
  const packages = {
    '': { dependencies },
    [`node_modules/node-${platform}`]: { version, integrity, bin: { node: 'bin/node' } },
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(
    path.join(folder, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  );
  npm(folder, ['ci']);
}

/** Installs the tarball as a user does, but with the transitive versions of the lockfile. */
function install(tarball: string): void {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const { name, version, dependencies, bundleDependencies, bin, engines } = lock.packages[''];
  // What is in the tarball has no entry.
  const installed = Object.entries<{ dev?: boolean; inBundle?: boolean }>(lock.packages).filter(
    ([, entry]) => entry.dev !== true && entry.inBundle !== true,
  );
  const wanted = { [name]: `file:${tarball}` };
  const packages = {
    ...Object.fromEntries(installed),
    '': { dependencies: wanted },
    [`node_modules/${name}`]: { version, resolved: `file:${tarball}`, dependencies, bundleDependencies, bin, engines },
  };
  mkdirSync(app);
  writeFileSync(path.join(app, 'package.json'), JSON.stringify({ private: true, dependencies: wanted }));
  writeFileSync(path.join(app, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
  npm(app, ['install']);
}

function initAndValidate(): void {
  command(app, ['init']);
  const keys = { PROSPECTING_API_KEY: 'sk_package', HUBSPOT_TOKEN: 'pat-package' };
  const output = command(app, ['validate'], undefined, keys);
  if (!output.startsWith('valid: ')) throw new Error(`validate printed ${output}`);
}

/** A run against the sandbox that the package serves. */
async function run(): Promise<void> {
  const example = path.join(folder, 'example');
  const ports = ['--port', '0', '--hubspot-port', '0', '--control-port', '0'];
  const script = path.join(app, 'node_modules/.bin/prospect-sync');
  const sandbox = spawn(script, ['sandbox', ...ports, '--example', example], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const { service, hubspot } = JSON.parse(await firstLine(sandbox.stdout));
    const keys = {
      PROSPECTING_BASE_URL: service.url,
      PROSPECTING_API_KEY: service.apiKey,
      HUBSPOT_BASE_URL: hubspot.url,
      HUBSPOT_TOKEN: hubspot.token,
    };
    const args = ['run', 'demo-discovery', '--json', '--yes', '--config', path.join(example, 'prospect-sync.yaml')];
    step('run', () => expectReconciled(command(app, args, undefined, keys), 300));
    await runReadOnly(example, keys, args);
  } finally {
    sandbox.kill('SIGTERM');
  }
}

/** The same run by a worker that can write to its project only, on a file system that does not execute programs. */
async function runReadOnly(example: string, keys: Record<string, string>, args: readonly string[]): Promise<void> {
  const reason = whyNothingReadOnly();
  if (reason !== null) {
    console.log(`package: skipped: a worker on a read-only file system, because none can be created here (${reason})`);
    return;
  }
  const started = performance.now();
  await using cleanup = new AsyncDisposableStack();
  const temporal = cleanup.adopt(await startTemporal(), (server) => server.stop());
  const given = { ...env, ...keys, TEMPORAL_ADDRESS: temporal.address };
  const worker = await startReadOnlyWorker({
    program: path.join(app, 'node_modules/.bin/prospect-sync'),
    // Another ledger would be another installation, whose blacklists a run refuses.
    args: ['worker', ...args.slice(-2)],
    folder,
    writable: example,
    env: given,
  });
  cleanup.adopt(worker, (opened) => opened.stop());
  const { stdout } = await promisify(execFile)('npx', ['prospect-sync', ...args], { cwd: app, env: given });
  expectReconciled(stdout, 300);
  await worker.stop();
  const said = worker.said();
  const completed = said.split('\n').filter((line) => line.includes('"Workflow completed"'));
  if (!completed.some((line) => line.includes('"workflow_type":"runProspecting"')))
    throw new Error(`another worker carried out the run of this one: ${said}`);
  if (!said.includes('compiler: not loaded')) throw new Error(`the worker compiled the workflows: ${said}`);
  console.log(`package: run by a worker on a read-only file system, ${seconds(started)} s`);
  const [, config = ''] = args.slice(-2);
  addSchedule(config);
  command(app, ['apply', '--yes', ...args.slice(-2)], undefined, given);
  await takeOver(config, { client: temporal.client, given, document: stdout });
}

/** Far away, so that it starts nothing here. */
function addSchedule(config: string): void {
  const document = parseDocument(readFileSync(config, 'utf8'));
  document.setIn(['runs', 'demo-discovery', 'schedule'], { cron: '0 6 1 1 *', timezone: 'UTC' });
  writeFileSync(config, document.toString());
}

interface PackageRun {
  readonly client: Client;
  readonly given: Readonly<Record<string, string | undefined>>;
  /** What the run of the package printed. */
  readonly document: string;
}

/** The clone reads the ledger of the package, replays its histories and finds its schedules as they should be. */
async function takeOver(config: string, { client, given, document }: PackageRun): Promise<void> {
  const started = performance.now();
  const clone = [process.execPath, '--disable-warning=ExperimentalWarning', path.join(root, 'tools/prospect-sync.mjs')];
  const ask = (...args: string[]) => command(folder, [...args, '--config', config], clone, given);
  const [order] = JSON.parse(document).orders;
  const rows = JSON.parse(ask('rows', order.order_id, '--item', 'company', '--json'));
  if (rows.length !== 300) throw new Error(`the clone finds ${rows.length} of 300 companies in the ledger`);
  const histories = await fetchHistories(client);
  const files = histories.map(({ workflowId, history }, place) => {
    const file = path.join(folder, `history-${place}.json`);
    writeFileSync(file, JSON.stringify({ workflowId, history: JSON.parse(historyToJSON(history)) }));
    return file;
  });
  ask('replay', ...files);
  ask('plan', '--exit-code');
  console.log(`package: the clone takes over ledger, ${files.length} histories and schedules, ${seconds(started)} s`);
}

function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    stream.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    stream.once('end', () => reject(new Error('the sandbox ended')));
  });
}

function expectReconciled(stdout: string, wanted: number): void {
  const { ok, orders } = JSON.parse(stdout);
  const reconciled = orders.reduce((sum: number, order: { reconciled: number }) => sum + order.reconciled, 0);
  if (ok !== true || reconciled !== wanted) throw new Error(`${reconciled} of ${wanted} reconciled`);
}

function command(cwd: string, args: readonly string[], program = ['npx', 'prospect-sync'], keys = {}): string {
  const [file = '', ...first] = program;
  return execFileSync(file, [...first, ...args], {
    cwd,
    env: { ...env, ...keys },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function npm(cwd: string, args: readonly string[]): string {
  const isPack = args[0] === 'pack';
  const options = ['--prefer-offline', '--loglevel=error', ...(isPack ? [] : ['--ignore-scripts'])];
  return command(cwd, [...args, ...options], ['npm']);
}

function failOn(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function step<T>(name: string, task: () => T): T {
  const started = performance.now();
  const result = task();
  console.log(`package: ${name}, ${seconds(started)} s`);
  return result;
}

function seconds(started: number): string {
  return ((performance.now() - started) / 1_000).toFixed(1);
}
