/** `{env: NAME}` and what it stands for. */
import { createSecret, type Secret } from './secret.ts';
import type { EnvironmentReference } from './setting-values.ts';
import { ownValue } from '../own-value.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export function toBaseUrl(value: string | EnvironmentReference, env: Environment): string {
  return (typeof value === 'string' ? value : valueOf(value, env)).replace(/\/+$/, '');
}

export function toSecret(reference: EnvironmentReference, env: Environment): Secret {
  return createSecret(valueOf(reference, env));
}

function valueOf({ env: name }: EnvironmentReference, env: Environment): string {
  const value = ownValue(env, name);
  if (value === undefined) throw new Error(`environment variable ${name} is not set`);
  return value;
}
