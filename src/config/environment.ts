/** `{env: NAME}` and what it stands for. */
import { ownValue } from '../json/own-value.ts';
import { createSecret, type Secret } from './secret.ts';
import type { EnvironmentReference } from './setting-values.ts';
import { trimEndOf } from '../text/trim-end.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Lists the variables that the file may name. It stands in the environment, because whoever changes the file would change
 * a setting of the file as well.
 */
const allowListName = 'PROSPECT_SYNC_ENV_ALLOWED';

/** Names, and beginnings of names that end with `*`; null where every variable may be named. */
export function allowedVariables(env: Environment): string[] | null {
  const entries = (ownValue(env, allowListName) ?? '').split(',').map((entry) => entry.trim());
  const given = entries.filter((entry) => entry !== '');
  return given.length === 0 ? null : given;
}

export function mayBeNamed(name: string, env: Environment): boolean {
  const allowed = allowedVariables(env);
  if (allowed === null) return true;
  return allowed.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry));
}

export function toBaseUrl(value: string | EnvironmentReference, env: Environment): string {
  return trimEndOf(typeof value === 'string' ? value : valueOf(value, env), '/');
}

export function toSecret(reference: EnvironmentReference, env: Environment): Secret {
  return createSecret(valueOf(reference, env));
}

/** The one place that reads a variable which the file names; the rules of references.ts tell a person sooner. */
function valueOf({ env: name }: EnvironmentReference, env: Environment): string {
  if (!mayBeNamed(name, env)) throw new Error(`environment variable ${name} is not in ${allowListName}`);
  const value = ownValue(env, name);
  if (value === undefined) throw new Error(`environment variable ${name} is not set`);
  return value;
}
