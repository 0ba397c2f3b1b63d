/** Writes a configuration file, and validates one. */
import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { configJsonSchema, configSchemaFile, configTemplate } from '../config/file-schema.ts';
import { toValidityDocument, type ValidityDocument } from './documents/installation-document.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { assertSeparateFolders, findDataFolder } from './data-folder.ts';
import { describeSystemError, systemCodeOf } from '../base/failures/system-code.ts';

/** Paths that must not be committed: the ledger, and files with personal data. */
const ignored = ['.prospect-sync/', 'out/'];

/** `schema`: only renew the schema for editors, for example after an upgrade. */
interface InitFlags {
  readonly schema: boolean;
}

/**
 * Writes a configuration template, its schema for editors and a .gitignore. It never overwrites an existing file without `schema`, and only
 * adds lines to an existing .gitignore.
 */
export async function init(terminal: Terminal, path: string, flags: InitFlags): Promise<void> {
  const schema = join(dirname(path), configSchemaFile);
  const gitignore = join(dirname(path), '.gitignore');
  try {
    if (!flags.schema && existsSync(path)) {
      const remedy = `To renew ${schema} only, add --schema`;
      throw new CommandError(`${path} already exists and was not changed. ${remedy}`, exitCodes.usage);
    }
    const content = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
    if (!flags.schema && existsSync(schema) && (await readFile(schema, 'utf8')) !== content)
      throw new CommandError(
        `${schema} already exists with another content, and nothing was written. Move it away; if it is that of an earlier version, renew it with --schema`,
        exitCodes.usage,
      );
    await writeFile(schema, content);
    if (!flags.schema) {
      await addIgnoredLines(gitignore);
      await writeFile(path, configTemplate(), { flag: 'wx' });
    }
  } catch (error) {
    if (systemCodeOf(error) === null) throw error;
    throw new CommandError(
      `${flags.schema ? schema : path} was not written: ${describeSystemError(error)}`,
      exitCodes.usage,
    );
  }
  terminal.say(
    flags.schema
      ? `wrote ${schema}`
      : `wrote ${path}, ${schema} and ${gitignore}. Next: set its variables, adapt it, then run: prospect-sync validate`,
  );
}

async function addIgnoredLines(file: string): Promise<void> {
  const before = existsSync(file) ? await readFile(file, 'utf8') : '';
  const lines = new Set(before.split(/\r?\n/).map((line) => line.trim()));
  const missing = ignored.filter((line) => !lines.has(line));
  if (missing.length === 0) return;
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  await appendFile(
    file,
    `${separator}# prospect-sync: ledger and results, with personal data\n${missing.join('\n')}\n`,
  );
}

/** @throws {CommandError} with all problems of the file */
export async function validate(
  options: GlobalOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ValidityDocument> {
  const config = await readConfiguration(options.config, env);
  assertSeparateFolders(config, await findDataFolder(options));
  return toValidityDocument(config);
}

export function toValidText({ exclusions, runs, warnings }: ValidityDocument): string {
  return [
    `valid: runs ${runs.join(', ') || 'none'}; exclusions ${exclusions.join(', ') || 'none'}`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ].join('\n');
}
