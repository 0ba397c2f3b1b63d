import { assumptions } from './assumed.ts';

/** docs/assumptions.md: every guess with its setting. Derived, so that it cannot fall behind. */
export function toAssumptionsDocument(): string {
  const rows = Object.entries(assumptions).map(
    ([id, { about, choice, setting }]) => `| ${id} | ${about} | ${choice} | ${setting} |`,
  );
  return [
    '# Assumptions',
    '',
    'The specification of the service leaves these points open ("not shown"). Each is decided in one place, carries',
    '`x-assumed` in openapi.json where it shapes the interface (`x-assumed-null`: only that null is read), and is',
    'listed here with the setting that changes it.',
    'Written by `npm run contract` from src/contract/assumed.ts.',
    '',
    '| id | what is open | what is taken | where it is changed |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
