#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// What `npx prospect-sync` starts: TypeScript in a clone, the JavaScript made from it in the package. Plain JavaScript
// itself, so that it can say what is missing.
import { existsSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { AsyncDisposableStack } from './async-disposable-stack.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
await (existsSync(new URL('../src/cli.ts', import.meta.url)) ? startClone() : startPackage());

async function startClone() {
  if (!existsSync(new URL('../node_modules', import.meta.url)) || major < 24) {
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
  const { cacheFolder } = await load('cache-folder');
  // Reading its modules is most of what a short command does.
  module.enableCompileCache?.(path.join(cacheFolder(process.env), 'compiled'));
  await load('cli');
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
