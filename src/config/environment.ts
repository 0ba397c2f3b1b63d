/** `{env: NAME}`: which variables the file may name, their rules, and their values. */
import type { Environment } from '../base/host/environment-variables.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { problemAt, toKnownNames, type PathProblem } from './problems.ts';
import { z } from 'zod';

/** Capitals only: a secret that is pasted in place of a name is then rejected, and never printed as the name of a missing variable. */
const variableName = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/, 'must be the name of an environment variable: capitals, digits and _');
/** The author of the file can send any variable to any address; PROSPECT_SYNC_ENV_ALLOWED limits the variables. */
export const fromEnvironment = z.strictObject(
  {
    env: variableName.describe(
      'Name of the environment variable that holds the value. If PROSPECT_SYNC_ENV_ALLOWED is set, it lists the allowed names',
    ),
  },
  { error: 'must be {env: NAME}' },
);

/** False for a text that may be the secret itself, which no message may print. */
export function isVariableName(text: string): boolean {
  return variableName.safeParse(text).success;
}

export type EnvironmentReference = z.infer<typeof fromEnvironment>;

/** Lists the variables that the file may name. It is no setting of the file, because whoever changes the file could change it too. */
const allowListName = 'PROSPECT_SYNC_ENV_ALLOWED';

const allowedEntry = /^\w*\*?$/;

/** Names, and beginnings of names that end with `*`; null: the file may name every variable. */
function allowedVariables(env: Environment): string[] | null {
  const entries = (getOwnProperty(env, allowListName) ?? '').split(',').map((entry) => entry.trim());
  const given = entries.filter((entry) => entry !== '');
  return given.length === 0 ? null : given;
}

function isAllowedVariable(name: string, env: Environment): boolean {
  const allowed = allowedVariables(env);
  if (allowed === null) return true;
  return allowed.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry));
}

/** The required form of the value of a variable. */
export interface VariableRule {
  readonly pattern: RegExp;
  readonly rule: string;
}

/** Checks tokens and keys: HTTP headers reject a copied line break or dash. */
export const tokenVariable: VariableRule = {
  pattern: /^[\x21-\x7e]+$/,
  rule: 'must hold plain characters without white space',
};

/** A header that a person has chosen may hold words, such as `Bearer abc`. */
export const headerVariable: VariableRule = {
  pattern: /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/,
  rule: 'must hold plain characters, without white space at its ends',
};

/** Private apps of HubSpot have tokens like `pat-eu1-…`, which no other system may get. */
export const serviceKeyVariable: VariableRule = {
  pattern: /^(?!pat-)/,
  rule: 'begins with pat- like a token of HubSpot, which must not be sent to the service: it and hubspot.token may be exchanged',
};

const namedVariable = fromEnvironment.strip();

/** `path` is the path of the name. A name of another form is left to the schema, since it may be the secret itself. */
export function checkVariable(
  path: readonly PropertyKey[],
  reference: unknown,
  { pattern, rule }: VariableRule,
  env: Environment,
): PathProblem[] {
  const parsed = namedVariable.safeParse(reference);
  if (!parsed.success) return [];
  const { env: name } = parsed.data;
  if (!isAllowedVariable(name, env)) {
    const entries = allowedVariables(env) ?? [];
    const separators = entries.every((entry) => allowedEntry.test(entry)) ? '' : '. Commas separate its names: A,B';
    const remedy = () => `${allowListName} of this process allows ${toKnownNames(entries)}${separators}`;
    return [problemAt(path, `environment variable ${name} is not allowed here`, remedy)];
  }
  const value = getOwnProperty(env, name);
  if (value === undefined || value === '') {
    const state = value === undefined ? 'not set' : 'empty';
    return [problemAt(path, `environment variable ${name} is ${state}`, 'Set it, or write the name of another one')];
  }
  // `docker run --env-file` and others keep the quotes of the file.
  if (/^(["']).*\1$/s.test(value)) {
    const remedy = 'Remove the quotes from the value, which is not shown here';
    return [problemAt(path, `environment variable ${name} begins and ends with a quote`, remedy)];
  }
  if (pattern.test(value)) return [];
  return [problemAt(path, `environment variable ${name} ${rule}`, 'Its value is not shown here')];
}

export function toSecret(reference: EnvironmentReference, env: Environment): Secret {
  return createSecret(valueOf(reference, env));
}

/** @throws Error for what `checkVariable` reports */
export function valueOf({ env: name }: EnvironmentReference, env: Environment): string {
  if (!isAllowedVariable(name, env)) throw new Error(`environment variable ${name} is not in ${allowListName}`);
  const value = getOwnProperty(env, name);
  if (value === undefined) throw new Error(`environment variable ${name} is not set`);
  return value;
}

/** A value that cannot be printed by accident: JSON, templates and inspection show three stars. */
export interface Secret {
  /** The value itself; call it where the request is made, and nowhere else. */
  reveal(): string;
  toJSON(): '***';
  toString(): '***';
}

export function createSecret(value: string): Secret {
  const hidden = () => '***' as const;
  const secret = { reveal: () => value, toJSON: hidden, toString: hidden };
  // console.log and the assertion messages of Node call it.
  return Object.defineProperty(secret, Symbol.for('nodejs.util.inspect.custom'), { value: hidden });
}
