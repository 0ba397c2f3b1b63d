import { setFlagsFromString } from 'node:v8';
import { describeViolation, violations } from '../contract/index.ts';
import { createDemoProject } from './demo-project.ts';
import { z } from 'zod';
import { serveSandbox, type ServedSandbox, type ServeOptions } from '../sandbox/serve.ts';
import { parseAllowance, type ReceiverAllowance } from '../sandbox/webhooks/public-address.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

export interface SandboxOptions extends ServeOptions {
  /** Folder that gets an example project for these stand-ins. */
  readonly example?: string;
}

/** Serves both stand-ins until it is told to stop; one JSON line on stdout says where. */
export async function sandbox(terminal: Terminal, { example, ...options }: SandboxOptions): Promise<void> {
  // What is held lies in a file, so the heap may stay small: without this V8 leaves 200 MB of garbage where it is. The
  // second flag spends some of that again, for a quarter less time in collections.
  for (const flag of ['--optimize-for-size', '--heap-growing-percent=60']) setFlagsFromString(flag);
  await using cleanup = new AsyncDisposableStack();
  const served = cleanup.adopt(await serve(options), (opened) => opened.close());
  if (example !== undefined) {
    const { config, env } = await createDemoProject(example, served, options.seed ?? 1);
    terminal.say(`Example project: ${config}. In another terminal:`);
    for (const [name, value] of Object.entries(env)) terminal.say(`  export ${name}=${value}`);
  }
  const { service, hubspot, control } = served;
  terminal.print(JSON.stringify({ service, hubspot, control }));
  await terminal.interrupted;
}

const assumptionsSchema = z.strictObject({
  results_items: z.string().min(1).exactOptional(),
  results_not_ready_status: z.coerce.number().int().min(400).max(599).exactOptional(),
  unknown_request_fields: z.enum(['refuse', 'ignore']).exactOptional(),
});

/** `KEY=VALUE` of each `--assume`; the keys are those of docs/assumptions.md. */
export function toAssumptions(pairs: readonly string[]): NonNullable<ServeOptions['assume']> {
  const bare = pairs.find((pair) => !pair.includes('='));
  if (bare !== undefined) throw new CommandError(`--assume ${bare}: it takes KEY=VALUE`, exitCodes.usage);
  const given = Object.fromEntries(pairs.map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]));
  const parsed = assumptionsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = violations(assumptionsSchema, given).map(describeViolation).join('; ');
  const known = Object.keys(assumptionsSchema.shape).join(', ');
  throw new CommandError(`--assume ${problems}. It takes KEY=VALUE with ${known}`, exitCodes.usage);
}

/** Private receivers that are written to; said aloud, for the service itself never does it. */
export function toAllowance(terminal: Terminal, entries: readonly string[]): ReceiverAllowance {
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
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CommandError(`the stand-ins cannot be served: ${error.message}. Port 0 takes a free one`);
  }
}
