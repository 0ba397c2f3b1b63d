import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatProblems } from '../config/problems.ts';
import type { Config, RunConfig } from '../config/shape.ts';
import { parseConfig } from '../config.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

export interface GlobalOptions {
  readonly config: string;
  readonly dataDir: string;
  readonly json: boolean;
}

/** The configuration, or one error with every problem of it. */
export async function readConfiguration(path: string, env: Terminal['env']): Promise<Config> {
  const file = resolve(path);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const wayOut = reason === 'ENOENT' ? ': write one with prospect-sync init, or name it with --config FILE' : '';
    throw new CommandError(`${path} cannot be read (${reason})${wayOut}`, exitCodes.usage);
  });
  const parsed = parseConfig(text, { env, file });
  if (parsed.ok) return parsed.config;
  throw new CommandError(formatProblems(parsed.problems, path), exitCodes.usage);
}

export function findRun({ runs }: Config, name: string): RunConfig {
  const run = runs[name];
  if (run !== undefined) return run;
  throw new CommandError(
    `there is no run named ${name}; the configuration has ${Object.keys(runs).join(', ') || 'none'}`,
    exitCodes.usage,
  );
}
