import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { formatProblems } from '../config/problems.ts';
import type { Config } from '../config/config.ts';
import type { RunConfig } from '../config/run-settings.ts';
import { defaultTemporal, type TemporalConfig } from '../config/temporal-settings.ts';
import { parseConfig, parseTemporalConfig } from '../config/load-config.ts';
import { isFile } from '../base/host/is-file.ts';
import { readTextFile } from '../base/host/read-text-file.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { closestMatch } from '../base/text/suggestions.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { describeSystemError, systemCodeOf } from '../base/failures/system-code.ts';

export const defaultConfigFile = 'prospect-sync.yaml';

export interface GlobalOptions {
  readonly config: string;
  /** Relative to the current directory. The default is in data-folder.ts. */
  readonly dataDir?: string;
  readonly json: boolean;
}

/** @throws {CommandError} with all problems of the file */
export async function readConfiguration(path: string, env: Terminal['env']): Promise<Config> {
  const file = resolve(path);
  const text = await readTextFile(file).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const parsed = parseConfig(text, { env, file });
  if (parsed.ok) return parsed.config;
  throw new CommandError(formatProblems(parsed, path), exitCodes.usage);
}

/** The section `temporal`, even if other sections have problems. */
export async function readTemporalConfiguration(path: string, env: Terminal['env']): Promise<TemporalConfig> {
  const text = await readTextFile(resolve(path)).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const parsed = parseTemporalConfig(text, { env });
  if (parsed.ok) return parsed.config;
  throw new CommandError(formatProblems(parsed, path), exitCodes.usage);
}

/** Like `readTemporalConfiguration`, for commands that also work without a configuration file; then there is no encryption. */
export async function findTemporalConfiguration(path: string, env: Terminal['env']): Promise<TemporalConfig> {
  // A file that the user names must exist.
  if (path !== defaultConfigFile) return readTemporalConfiguration(path, env);
  const exists = await access(resolve(path)).then(
    () => true,
    (error: unknown) => systemCodeOf(error) !== 'ENOENT',
  );
  return exists ? readTemporalConfiguration(path, env) : defaultTemporal;
}

/**
 * null: it has problems, or `--data-dir` names the runs without it.
 * @throws {CommandError} where there is no file: in a wrong folder, "no runs" would not be true
 */
export async function readConfigurationIfValid(terminal: Terminal, options: GlobalOptions): Promise<Config | null> {
  try {
    return await readConfiguration(options.config, terminal.env);
  } catch (error) {
    if (error instanceof CommandError && (options.dataDir !== undefined || (await isFile(options.config)))) return null;
    throw error;
  }
}

function unreadable(path: string, error: unknown): CommandError {
  const remedies: Readonly<Record<string, string>> = {
    ENOENT: `. ${findOtherEnding(path) ?? findInParent(path) ?? 'Create one with prospect-sync init, or add --config FILE'}`,
    EISDIR: `. Name the file in it, for example --config ${join(path, defaultConfigFile)}`,
  };
  return new CommandError(
    `${path} cannot be read: ${describeSystemError(error)}${remedies[systemCodeOf(error) ?? ''] ?? ''}`,
    exitCodes.usage,
  );
}

/** `prospect-sync.yml` beside the missing `prospect-sync.yaml`, or the reverse. */
function findOtherEnding(path: string): string | null {
  const other = path.endsWith('.yml') ? path.replace(/yml$/, 'yaml') : path.replace(/yaml$/, 'yml');
  return other !== path && existsSync(other) ? `${other} exists: rename it, or add --config ${other}` : null;
}

/** The command was started in a folder of a project. */
function findInParent(path: string): string | null {
  if (path !== defaultConfigFile) return null;
  for (let folder = '..'; ; folder = join('..', folder)) {
    const file = join(folder, path);
    if (existsSync(file)) return `${file} exists: change to its folder, or add --config ${file}`;
    if (resolve(folder) === resolve(folder, '..')) return null;
  }
}

export function findRun({ runs }: Config, name: string): RunConfig {
  const run = getOwnProperty(runs, name);
  if (run !== undefined) return run;
  const meant = closestMatch(name, Object.keys(runs));
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  throw new CommandError(
    `There is no run named ${toPrintable(name)}.${hint} The configuration has: ${Object.keys(runs).join(', ') || 'none'}.`,
    exitCodes.usage,
  );
}
