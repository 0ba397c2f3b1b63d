// docker-compose.yml as data: what each service is started with.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

export const root = path.join(import.meta.dirname, '../..');

export interface ComposeService {
  readonly image: string;
  readonly command: string | readonly string[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number | null>>;
}

const file = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8')) as {
  services: Record<string, ComposeService>;
};
export const services = file.services;

/** What has to be set before `docker compose up`. */
export const passwords = { POSTGRES_PASSWORD: 'abc', TEMPORAL_DB_PASSWORD: 'def', LEDGER_DB_PASSWORD: 'ghi' };

export function serviceOf(name: string): ComposeService {
  const service = services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}

/** As compose does it: `${NAME:?…}` and `${NAME:-default}` from `env`, a variable without a value is passed on, `$$` is `$`. */
export function environmentOf(name: string, env: Record<string, string>): Record<string, string> {
  const entries = Object.entries(serviceOf(name).environment ?? {}).map(([key, value]) => {
    if (value === null) return [key, env[key]] as const;
    const text = String(value).replaceAll(/\$\{(\w+)(?::\?[^}]*|:-([^}]*))?\}/g, (_, variable, otherwise) => {
      const found = env[variable] ?? otherwise;
      if (found === undefined) throw new Error(`${variable} is not set`);
      return found;
    });
    return [key, text] as const;
  });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * Runs the script of a service with its environment. `env` adds what is of this machine, `replaced` pairs texts of the script with those of
 * this machine. Returns its stdout.
 */
export async function runScript(
  name: string,
  env: Record<string, string>,
  replaced: readonly (readonly [string, string])[],
): Promise<string> {
  const script = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), scriptOf(name));
  const environment = { PATH: '/usr/bin:/bin', ...environmentOf(name, passwords), ...env };
  const { stdout } = await promisify(execFile)('/bin/sh', ['-euc', script], { env: environment });
  return stdout;
}

/** The shell script of a service that is nothing else. */
export function scriptOf(name: string): string {
  return String([serviceOf(name).command].flat()[0]).replaceAll('$$', '$');
}

/** `docker compose` or `docker-compose`; null where this machine has neither. Neither needs an engine to read the file. */
export function findCompose(): readonly string[] | null {
  const clients = [['docker', 'compose'], ['docker-compose']];
  const found = clients.find(([command = '', ...args]) => spawnSync(command, [...args, 'version']).status === 0);
  return found ?? null;
}
