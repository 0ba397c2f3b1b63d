/** `npm run contract` writes the files that are derived from the contract of the service; with `--check` it only reports what is out of date. */
import { toControlOpenApi } from '../sandbox/control/control-operations.ts';
import { magicInputs } from '../sandbox/magic-inputs.ts';
import { toAssumptionsDocument } from './assumptions-document.ts';
import { toOpenApi } from './service-openapi.ts';
import { writeOrCheck } from './derived-files.ts';

const derived = {
  'openapi.json': `${JSON.stringify(toOpenApi(), null, 2)}\n`,
  'openapi-control.json': `${JSON.stringify(toControlOpenApi(), null, 2)}\n`,
  'docs/assumptions.md': toAssumptionsDocument(),
  'docs/magic-inputs.md': toMagicInputsDocument(),
};

await writeOrCheck(derived, 'npm run contract');

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
    '`DUPLICATE_OF_SLOT` needs no word: submit the same company twice. Words in `output_language` need requests of your own, because a',
    'configuration of prospect-sync takes codes of languages only.',
    '',
  ].join('\n');
}
