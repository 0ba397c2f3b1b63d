#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// What `npx prospect-sync` starts: TypeScript in a clone, the JavaScript made from it in the package. Plain JavaScript
// itself, so that it can say what is missing.
import { existsSync } from 'node:fs';
import { AsyncDisposableStack } from './async-disposable-stack.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
await (existsSync(new URL('../src/cli.ts', import.meta.url)) ? startClone() : startPackage());

async function startClone() {
  if (!existsSync(new URL('../node_modules', import.meta.url)) || major < 24) {
    fail(
      'prospect-sync is not set up yet: run npm ci in its folder (npm run demo does it too), then call it there with npx',
    );
  }
  await import('../src/cli.ts');
}

async function startPackage() {
  // The oldest that knows every option of node:sqlite that is used.
  if (major < 22 || (major === 22 && minor < 16)) {
    fail(`prospect-sync needs Node 22.16 or newer; this is ${process.version}`);
  }
  globalThis.AsyncDisposableStack ??= AsyncDisposableStack;
  const emitted = new URL('../dist/src/cli.js', import.meta.url);
  await import(emitted.href);
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
