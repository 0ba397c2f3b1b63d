/** `{env: NAME}` and what it stands for. */
import { createSecret, type Secret } from './secret.ts';
import type { EnvironmentReference } from './setting-values.ts';
import { trimEndOf } from '../untrusted/trim-end.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export function toBaseUrl(value: string | EnvironmentReference, env: Environment): string {
  return trimEndOf(typeof value === 'string' ? value : valueOf(value, env), '/');
}

export function toSecret(reference: EnvironmentReference, env: Environment): Secret {
  return createSecret(valueOf(reference, env));
}

function valueOf({ env: name }: EnvironmentReference, env: Environment): string {
  const value = env[name];
  if (value === undefined) throw new Error(`environment variable ${name} is not set`);
  return value;
}
