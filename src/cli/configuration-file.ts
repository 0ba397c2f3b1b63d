/** Writes a configuration file, and validates one. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { configJsonSchema, configSchemaFile, configTemplate } from '../config/file-schema.ts';
import { toValidityDocument, type ValidityDocument } from '../report/installation-document.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';

/** Writes a configuration template and its schema for editors. It never overwrites an existing configuration. */
export async function init(terminal: Terminal, path: string): Promise<void> {
  const schema = join(dirname(path), configSchemaFile);
  try {
    if (existsSync(path)) throw new CommandError(`${path} already exists and was not changed`, exitCodes.usage);
    await writeFile(schema, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
    await writeFile(path, configTemplate(), { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CommandError(`${path} was not written: ${error.message}`, exitCodes.usage);
  }
  terminal.say(`wrote ${path} and ${schema}. Next: set its variables, adapt it, then run: prospect-sync validate`);
}

/** @throws {CommandError} with all problems of the file */
export async function validate(
  { config: path }: GlobalOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ValidityDocument> {
  return toValidityDocument(await readConfiguration(path, env));
}

export function toValidText({ exclusions, runs }: ValidityDocument): string {
  return `valid: runs ${runs.join(', ') || 'none'}; exclusions ${exclusions.join(', ') || 'none'}`;
}
