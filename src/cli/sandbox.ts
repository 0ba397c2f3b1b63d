import { setFlagsFromString } from 'node:v8';
import { suggestions } from '../base/text/suggestions.ts';
import { alternatives, styles } from '../../sandbox/service/dialect/alternatives.ts';
import { createDemoProject } from './demo-project.ts';
import { toPrintableJson } from '../base/text/printable-text.ts';
import { DataFolderError } from '../../sandbox/state/data-folder.ts';
import { serveSandbox, type ServedSandbox, type ServeOptions } from '../../sandbox/serve-sandbox.ts';
import { parseAllowance, type AddressAllowance } from '../base/http/public-address.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

export interface SandboxOptions extends ServeOptions {
  /** Folder for an example project that uses this sandbox. */
  readonly example?: string;
}

/** Serves the sandbox until stopped. One JSON line on stdout contains its URLs, keys and ids. */
export async function sandbox(terminal: Terminal, { example, ...options }: SandboxOptions): Promise<void> {
  // The state is in a file, so the heap may stay small; without the first flag V8 keeps 200 MB of garbage.
  // The second flag uses some more memory and saves a quarter of the collection time.
  for (const flag of ['--optimize-for-size', '--heap-growing-percent=60']) setFlagsFromString(flag);
  await using cleanup = new AsyncDisposableStack();
  const served = cleanup.adopt(await serve(options), (opened) => opened.close());
  if (example !== undefined) {
    const { config, isKept, env } = await createDemoProject(example, served, options.seed ?? 1);
    terminal.say(`Example project: ${config}${isKept ? ', existing file kept' : ''}. In another terminal:`);
    for (const [name, value] of Object.entries(env)) terminal.say(`  export ${name}=${value}`);
  }
  const { service, hubspot, control } = served;
  terminal.print(toPrintableJson({ service, hubspot, control }));
  await terminal.interrupted;
}

/** A path of field names, or an HTTP status, for keys that accept any value. */
const openValue = /^[A-Za-z_][\w.-]*$|^\d{3}$/;

/** Reads `KEY=VALUE` of each `--assume`; a later one wins. `style=NAME` sets many keys. docs/assumptions.md lists the keys. */
export function toAssumptions(pairs: readonly string[]): NonNullable<ServeOptions['assume']> {
  const assumed: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 0) throw new CommandError(`--assume ${pair}: must be KEY=VALUE`, exitCodes.usage);
    const [key, value] = [pair.slice(0, at), pair.slice(at + 1)];
    Object.assign(assumed, key === 'style' ? toStyle(value) : toChoice(key, value));
  }
  return assumed;
}

function toStyle(name: string): Readonly<Record<string, string>> {
  const style = Object.hasOwn(styles, name) ? styles[name] : undefined;
  if (style !== undefined) return style;
  throw new CommandError(
    `--assume style: must be one of ${Object.keys(styles).join(', ')}, found ${name}`,
    exitCodes.usage,
  );
}

function toChoice(key: string, value: string): Readonly<Record<string, string>> {
  const entry = Object.hasOwn(alternatives, key) ? alternatives[key] : undefined;
  if (entry === undefined) {
    const meantKeys = suggestions(key, Object.keys(alternatives));
    const meant = meantKeys.length === 0 ? 'docs/assumptions.md lists them' : `did you mean ${meantKeys.join(' or ')}?`;
    throw new CommandError(`--assume ${key}: unknown key; ${meant}`, exitCodes.usage);
  }
  if (entry.values.includes(value) || (entry.isOpen === true && openValue.test(value))) return { [key]: value };
  const others = entry.isOpen === true ? ', or any name' : '';
  throw new CommandError(
    `--assume ${key}: must be one of ${entry.values.join(', ')}${others}, found ${value}`,
    exitCodes.usage,
  );
}

/** Private receivers that the sandbox may call. The terminal shows them, because the real service never calls private addresses. */
export function toAllowance(terminal: Terminal, entries: readonly string[]): AddressAllowance {
  try {
    const allowance = parseAllowance(entries);
    if (entries.length > 0) terminal.say(`Private webhook receivers are allowed: ${entries.join(', ')}`);
    return allowance;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(`--allow-receiver ${error.message}`, exitCodes.usage);
  }
}

async function serve(options: ServeOptions): Promise<ServedSandbox> {
  try {
    return await serveSandbox(options);
  } catch (error) {
    if (error instanceof DataFolderError) throw new CommandError(`The sandbox cannot start. ${error.message}`);
    throw error;
  }
}
