// What `npm run demo` and `npm test` do first on a fresh clone. It runs before anything is installed and on any
// Node >= 20, hence plain JavaScript without imports of packages. Its own words go to stderr.
//   demo [arguments of the command]
//   test [arguments of jest]
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const bin = path.join(root, 'node_modules', '.bin');
const wantedNode = 24;
const oldestNode = 20;

const [task, ...rest] = process.argv.slice(2);
const tasks = { demo: runDemo, test: runTests };
if (task === undefined || !Object.hasOwn(tasks, task))
  fail(`usage: node tools/setup.mjs ${Object.keys(tasks).join('|')}`);
await tasks[task](rest);

async function runDemo(args) {
  await installPackages();
  await run(findNode(), ['--disable-warning=ExperimentalWarning', 'tools/prospect-sync.mjs', 'demo', ...args]);
}

async function runTests(args) {
  await installPackages();
  const node = findNode();
  await run(node, ['--disable-warning=ExperimentalWarning', 'tools/provision-temporal.ts']);
  await run(node, ['node_modules/jest/bin/jest.js', ...args], 'inherit', memoryFolder());
}

/**
 * Temporary files of the tests in memory: a third of their time is otherwise waiting until databases are on the disk.
 * Only where TMPDIR is not set, there is room, and programs may be run from there, as some tests do.
 */
function memoryFolder() {
  if (process.env.TMPDIR !== undefined || !existsSync('/dev/shm')) return {};
  const { bavail, bsize } = statfsSync('/dev/shm');
  if (bavail * bsize < 4e9) return {};
  const folder = `/dev/shm/prospect-sync-${process.pid}`;
  try {
    mkdirSync(folder);
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    // PostgreSQL runs as another user.
    chmodSync(folder, 0o1777);
    const script = path.join(folder, 'try');
    writeFileSync(script, '#!/bin/sh\n', { mode: 0o700 });
    if (spawnSync(script).status !== 0) return {};
  } catch {
    return {};
  }
  say(`Temporary files: ${folder}, in memory (TMPDIR chooses another folder)`);
  return { TMPDIR: folder };
}

async function installPackages() {
  if (nodeMajor(process.version) < oldestNode)
    fail(`Node ${oldestNode} or newer is needed to start, this is ${process.version}`);
  // npm writes this file last, so that an interrupted install does not count.
  const installed = statSync(path.join(root, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false });
  if (installed && installed.mtimeMs >= statSync(path.join(root, 'package-lock.json')).mtimeMs) return;
  say(
    `Packages: npm ci, because node_modules is ${installed ? 'older than package-lock.json' : 'not there'} (about half a minute)`,
  );
  const npm = process.env.npm_execpath ?? '';
  if (path.basename(npm) === 'npm-cli.js') await run(process.execPath, [npm, 'ci'], 'stderr');
  else await run('npm', ['ci'], 'stderr');
}

/** node@24 is a devDependency; the machine's own node serves where npm was told to run no install scripts. */
function findNode() {
  const own = path.join(bin, 'node');
  const { stdout } = spawnSync(own, ['--version'], { encoding: 'utf8' });
  if (stdout && nodeMajor(stdout) >= wantedNode) return own;
  if (nodeMajor(process.version) >= wantedNode) return process.execPath;
  return fail(
    `Node ${wantedNode} is missing: npm did not run the install script of the package "node". ` +
      'Run npm rebuild node --ignore-scripts=false, or use a Node of that version.',
  );
}

/** Returns when the program has ended well; otherwise ends this process as the program ended. */
async function run(command, args, stdout = 'inherit', more = {}) {
  const env = { ...process.env, ...more, PATH: [bin, process.env.PATH].join(path.delimiter) };
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: ['inherit', stdout === 'stderr' ? 2 : 'inherit', 'inherit'],
  });
  // A terminal sends Ctrl-C to both; a second one would mean "at once" to some programs.
  const forward = (signal) => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  const [code, signal] = await new Promise((resolve) => {
    child.once('error', (error) => fail(`${command} cannot be started: ${error.message}`));
    child.once('close', (...ending) => resolve(ending));
  });
  for (const signal of signals) process.off(signal, forward);
  if (signal !== null) process.kill(process.pid, signal);
  if (code !== 0) process.exit(code ?? 1);
}

function nodeMajor(version) {
  return Number(/^v(\d+)/.exec(version)?.[1]);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
