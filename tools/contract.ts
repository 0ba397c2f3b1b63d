/** `npm run contract` writes what is derived from src/contract; with --check it only says what is stale. */
import { readFile, writeFile } from 'node:fs/promises';
import { toAssumptionsDocument } from '../src/contract/assumptions-document.ts';
import { toOpenApi } from '../src/contract/openapi.ts';

const derived = {
  'openapi.json': `${JSON.stringify(toOpenApi(), null, 2)}\n`,
  'docs/assumptions.md': toAssumptionsDocument(),
};

const root = new URL('../', import.meta.url);
for (const [name, text] of Object.entries(derived)) {
  const file = new URL(name, root);
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
    console.log(`wrote ${name}`);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${name} is stale: run npm run contract`);
    process.exitCode = 1;
  }
}
