/** `npm run contract` writes what is derived from the code; with --check it only says what is stale. */
import { readFile, writeFile } from 'node:fs/promises';
import { toAssumptionsDocument } from '../src/contract/assumptions-document.ts';
import { toOpenApi } from '../src/contract/openapi.ts';
import { toControlOpenApi } from '../sandbox/control/control-operations.ts';
import { magicInputs } from '../sandbox/magic-inputs.ts';
import { readAlertRules, withAlertTable } from './alert-table.ts';

const root = new URL('../', import.meta.url);
const read = (name: string) => readFile(new URL(name, root), 'utf8');
const derived = {
  'openapi.json': `${JSON.stringify(toOpenApi(), null, 2)}\n`,
  'openapi-control.json': `${JSON.stringify(toControlOpenApi(), null, 2)}\n`,
  'docs/assumptions.md': toAssumptionsDocument(),
  'docs/magic-inputs.md': toMagicInputsDocument(),
  'docs/running.md': withAlertTable(
    await read('docs/running.md'),
    readAlertRules(await read('deploy/prometheus/rules.yml')),
  ),
};

for (const [name, text] of Object.entries(derived)) {
  const file = new URL(name, root);
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
    console.log(`wrote ${name}`);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${name} is out of date: run npm run contract`);
    process.exitCode = 1;
  }
}

function toMagicInputsDocument(): string {
  return [
    '# Magic inputs',
    '',
    'Words in ordinary fields that make the sandbox service produce every outcome, without a call to its control plane.',
    'A word may stand anywhere in a name or title. Words that are not listed have no effect.',
    'Written by `npm run contract` from sandbox/magic-inputs.ts.',
    '',
    '| field | contains | effect |',
    '|---|---|---|',
    ...magicInputs.map(({ field, contains, effect }) => `| \`${field}\` | \`${contains}\` | ${effect} |`),
    '',
    '`DUPLICATE_OF_SLOT` needs no word: submit the same company twice.',
    '',
  ].join('\n');
}
