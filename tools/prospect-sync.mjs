#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// What `npx prospect-sync` starts: TypeScript in a clone, the JavaScript made from it in the package. Plain JavaScript
// itself, so that it can say what is missing.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { AsyncDisposableStack } from './async-disposable-stack.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
// A run named worker gets the bound too, which does no harm.
if (process.argv.slice(2).includes('worker')) boundHeap();
if (process.env['npm_command'] === 'exec') endWithShell();
await (existsSync(new URL('../src/cli/main.ts', import.meta.url)) ? startClone() : startPackage());

async function startClone() {
  const isInstalled = existsSync(new URL('../node_modules', import.meta.url));
  if (isInstalled && major < 24) {
    fail(
      `prospect-sync needs Node 24 or newer in its clone; this is ${process.version}. npm ci has installed a newer one there: start it in its folder with npx prospect-sync, or put its node_modules/.bin first on PATH`,
    );
  }
  if (!isInstalled) {
    fail(
      'prospect-sync is not set up yet: run npm ci in its folder (npm run demo does it too), then call it there with npx',
    );
  }
  await start('../src', '.ts');
}

async function startPackage() {
  // The oldest that knows every option of node:sqlite that is used.
  if (major < 22 || (major === 22 && minor < 16)) {
    fail(`prospect-sync needs Node 22.16 or newer; this is ${process.version}`);
  }
  globalThis.AsyncDisposableStack ??= AsyncDisposableStack;
  await start('../dist/src', '.js');
}

async function start(folder, extension) {
  const load = (name) => import(new URL(`${folder}/${name}${extension}`, import.meta.url).href);
  const { openCompiledFolder } = await load('base/host/cache-folder');
  const compiled = openCompiledFolder(process.env);
  // Reading its modules is most of what a short command does.
  if (compiled !== null) {
    module.enableCompileCache?.(compiled);
    // For its threads and processes.
    process.env.NODE_COMPILE_CACHE ??= compiled;
  }
  await load('cli/main');
}

/**
 * Starts Node anew, in this very process, with a heap of PROSPECT_SYNC_HEAP_MB (docs/deployment.md). Without a bound V8 lets garbage grow
 * with the machine's memory, to several times what a worker needs. V8 takes these flags at its start only, and threads inherit them.
 */
function boundHeap() {
  const given = process.env['PROSPECT_SYNC_HEAP_MB'] || '512';
  if (!/^(?:0|[1-9]\d{2,5})$/.test(given)) {
    const problem = `PROSPECT_SYNC_HEAP_MB is not a number of megabytes from 100: ${given}`;
    fail(`${problem}. Set it to one, for example 512, or to 0 for Node's own limit.`, 2);
  }
  const isChosen = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((text) =>
    text.includes('-space-size'),
  );
  if (given === '0' || isChosen || process.platform === 'win32' || process.execve === undefined) return;
  const flags = [`--max-old-space-size=${given}`, '--max-semi-space-size=16'];
  const args = [...flags, ...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  // glibc otherwise keeps freed memory apart for each of the SDK's threads.
  process.execve(process.execPath, [process.execPath, ...args], { MALLOC_ARENA_MAX: '2', ...process.env });
}

/** npx passes a signal only to the shell between, which ends without passing it on: the process would go on unseen, and hold its ports. */
function endWithShell() {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}

function fail(text, code = 1) {
  console.error(text);
  process.exit(code);
}
