#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// What `npx prospect-sync` starts. Plain JavaScript, so that it can say what is missing in a clone that was not set up yet.
import { existsSync } from 'node:fs';

const isSetUp = existsSync(new URL('../node_modules', import.meta.url));
if (!isSetUp || Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    'prospect-sync is not set up yet: run npm ci in its folder (npm run demo does it too), then call it there with npx',
  );
  process.exit(1);
}
await import('../src/cli.ts');
