import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { configJsonSchema, configSchemaFile } from '../config/json-schema.ts';
import { configTemplate } from '../config/template.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

/** Writes a configuration to start from, never over an existing one, and its schema for editors. */
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
