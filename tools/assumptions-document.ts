import { alternatives, styles } from '../sandbox/service/dialect/alternatives.ts';
import { assumptions } from '../src/contract/assumed.ts';
import { companyFields } from '../src/contract/company-fields.ts';
import type { FieldEntry } from '../src/contract/field-definition.ts';
import { prospectFields } from '../src/contract/prospect-fields.ts';

/** Generates docs/assumptions.md: the assumptions with their settings, the names of fields, and the alternatives of the sandbox. */
export function toAssumptionsDocument(): string {
  const rows = Object.entries(assumptions).map(
    ([id, { about, choice, setting }]) => `| ${id} | ${about} | ${choice} | ${setting} |`,
  );
  return [
    '# Assumptions',
    '',
    'The specification of the service leaves these points open ("not shown"). Each is decided in one place, carries',
    '`x-assumed` in openapi.json where it shapes the interface (`x-assumed-null`: only that null is read), and is',
    'listed here with the setting that changes it. What answers are read by, and how they are learnt, says',
    '[configuration.md](configuration.md#field-names-of-the-service).',
    'Written by `npm run contract` from src/contract/.',
    '',
    '| id | what is open | what is taken | where it is changed |',
    '|---|---|---|---|',
    ...rows,
    '',
    '## Fields that are looked for',
    '',
    'By name, the likeliest first; where no name is found, by value. Case, `_`, `-` and nesting do not count.',
    '`service.fields.company.…` and `service.fields.prospect.…` set the path of a field.',
    '',
    '| field | needed for | read as | names | by value |',
    '|---|---|---|---|---|',
    ...fieldRows('company', companyFields),
    ...fieldRows('prospect', prospectFields),
    '',
    '## What the sandbox can do otherwise',
    '',
    'Each is an option of the sandbox, `--assume KEY=VALUE`, the first value being the default. Options can be given together.',
    '',
    '| key | what it chooses | values |',
    '|---|---|---|',
    ...Object.entries(alternatives).map(
      ([key, { about, values, isOpen }]) =>
        `| \`${key}\` | ${about} | ${values.map((value) => `\`${value}\``).join(' ')}${isOpen === true ? ', or any name' : ''} |`,
    ),
    '',
    '`--assume style=NAME` stands for a whole service:',
    '',
    '| style | choices |',
    '|---|---|',
    ...Object.entries(styles).map(([name, choices]) => `| \`${name}\` | ${describeStyle(choices)} |`),
    '',
  ].join('\n');
}

function fieldRows(record: 'company' | 'prospect', table: Readonly<Record<string, FieldEntry>>): string[] {
  return Object.entries(table).map(([field, { need, kind, names, pattern, specified }]) => {
    const found =
      specified === true ? 'as the specification names it' : [field, ...names].map((name) => `\`${name}\``).join(' ');
    return `| \`${record}.${field}\` | ${need} | ${kind} | ${found} | ${pattern ?? ''} |`;
  });
}

function describeStyle(choices: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(choices).map(([key, value]) => `\`${key}=${value}\``);
  return pairs.length === 0 ? 'the defaults' : pairs.join(' ');
}
