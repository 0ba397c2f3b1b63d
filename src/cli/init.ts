import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { configJsonSchema, configSchemaFile } from '../config/json-schema.ts';
import { configTemplate } from '../config/template.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

/** Writes a configuration to start from, and its schema for editors; never over an existing one. */
export async function init(terminal: Terminal, path: string): Promise<void> {
  try {
    await writeFile(path, configTemplate(), { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const why = error.code === 'EEXIST' ? 'it exists already and is left as it is' : String(error.code);
    throw new CommandError(`${path} was not written: ${why}`, exitCodes.usage);
  }
  const schema = join(dirname(path), configSchemaFile);
  await writeFile(schema, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
  terminal.say(`wrote ${path} and ${schema}. Next: set its variables, make it yours, then prospect-sync validate`);
}
