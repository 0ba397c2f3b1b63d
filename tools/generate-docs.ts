/** `npm run docs` writes the generated regions of the documentation; with `--check` it only reports what is out of date. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { describeCommands, describeGlobalOptions } from './describe-commands.ts';
import { describeCertificate } from './describe-certificate.ts';
import { describeSettings, type SettingDescription } from './describe-settings.ts';
import { failureDescriptions } from '../src/base/failures/failure-descriptions.ts';
import { findingDescriptions } from '../src/proof/report/finding-descriptions.ts';
import { readAlertRules } from './alert-rules.ts';
import { findUnknownCommands, toCommandReference } from './command-reference.ts';
import { readRepositoryFile, writeOrCheck } from './derived-files.ts';
import { replaceRegions, toTable } from './generated-regions.ts';
import { toServiceCoverage } from './service-coverage.ts';
import { readGuaranteeTests, toGuaranteeTable } from './guarantee-tests.ts';

const descriptions = { commands: describeCommands(), globalOptions: describeGlobalOptions() };
const regions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/cli.md': { commands: toCommandReference(descriptions) },
  'docs/troubleshooting.md': {
    failures: toRemedyTable('Failure', failureDescriptions),
    findings: toRemedyTable('Finding', findingDescriptions),
  },
  'docs/monitoring.md': { alerts: await toAlertTable() },
  'docs/configuration.md': { settings: toSettingTables() },
  'docs/service-coverage.md': toServiceCoverage(await readRepositoryFile('docs/service-interface.md'), {
    settings: describeSettings().map(({ key }) => key),
    options: descriptions.commands.flatMap(({ options }) => options.map(({ flags }) => flags)),
  }),
  'docs/certificate.md': { members: toMemberTable() },
  'docs/guarantees.md': {
    tests: toGuaranteeTable(await readRepositoryFile('docs/guarantees.md'), readGuaranteeTests()),
  },
};

const derived = await Promise.all(
  Object.entries(regions).map(async ([name, contents]): Promise<[string, string]> => [
    name,
    replaceRegions(await readRepositoryFile(name), contents),
  ]),
);
await writeOrCheck(Object.fromEntries(derived), 'npm run docs');
await checkCommands();

/** Remedies and documents may name only commands and options that exist. */
async function checkCommands(): Promise<void> {
  const documents = globSync(['*.md', 'docs/*.md'], { cwd: path.join(import.meta.dirname, '..') });
  for (const name of documents) {
    const unknown = findUnknownCommands(descriptions, await readRepositoryFile(name));
    for (const command of unknown) console.error(`${name}: prospect-sync ${command}: no such command or option`);
    if (unknown.length > 0) process.exitCode = 1;
  }
}

function toRemedyTable(title: string, descriptions: Record<string, { description: string; remedy: string }>): string {
  const sorted = Object.entries(descriptions).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  const rows = sorted.map(([code, { description, remedy }]) => [`\`${code}\``, description, remedy]);
  return toTable([title, 'What happened', 'What to do'], rows);
}

async function toAlertTable(): Promise<string> {
  const rules = readAlertRules(await readRepositoryFile('deploy/prometheus/rules.yml'));
  const rows = rules.map(({ alert, for: duration, annotations: { summary, description } }) => {
    const condition = duration === undefined ? '' : ` (for ${duration.replace('m', ' minutes')})`;
    return [`\`${alert}\`${condition}`, summary, description];
  });
  return toTable(['Alert', 'What happened', 'What to do'], rows);
}

function toMemberTable(): string {
  const rows = describeCertificate().map(({ name, type, description }) => [`\`${name}\``, type, description]);
  return toTable(['Member', 'Type', 'Meaning'], rows);
}

/** One table for each top-level key. */
function toSettingTables(): string {
  const sections = Map.groupBy(describeSettings(), ({ key }) => key.split('.', 1)[0] ?? '');
  return [...sections].map(([section, settings]) => toSettingTable(section, settings)).join('\n\n');
}

function toSettingTable(section: string, [root, ...settings]: readonly SettingDescription[]): string {
  const rows = settings.map(({ key, type, required, default: value, description, example }) => [
    `\`${key.replace(`${section}.`, '')}\``,
    type,
    required ? 'required' : toCode(value),
    description,
    toCode(example),
  ]);
  const table = toTable(['Setting', 'Type', 'Default', 'Meaning', 'Example'], rows);
  return [`### \`${section}\``, root?.description ?? '', table].join('\n\n');
}

function toCode(value: string | null): string {
  return value === null ? '' : `\`${value}\``;
}
