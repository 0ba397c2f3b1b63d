import type { z } from 'zod';
import { getOwnProperty, isRecord } from '../base/json/own-property.ts';
import { fileSchema, type ConfigFile, configJsonSchema } from './file-schema.ts';
import { fieldName, type PathProblem } from './problems.ts';
import { childOf } from './partial-validation.ts';
import { closestMatch } from '../base/text/suggestions.ts';
import { toPrintableKey } from '../base/text/printable-text.ts';

/** Checks the file against its schema and returns all problems at once. */
export function checkShape(file: unknown): { value: ConfigFile | null; problems: PathProblem[] } {
  const result = fileSchema.safeParse(file, { error: ruleOf });
  return result.success
    ? { value: result.data, problems: [] }
    : { value: null, problems: result.error.issues.flatMap((issue) => toProblems(issue, file)) };
}

function toProblems(issue: z.core.$ZodIssue, file: unknown): PathProblem[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey([...path, key], file));
  if (issue.code === 'invalid_key') {
    const rule = issue.issues[0]?.message ?? issue.message;
    return [{ path, at: 'key', rule, found: `"${toPrintableKey(String(path.at(-1)))}"`, remedy: null }];
  }
  const value = path.reduce(childOf, file);
  const inner = issue.code === 'invalid_union' && typeof value === 'object' ? issuesWithin(issue) : undefined;
  if (inner !== undefined) return inner.flatMap((each) => toProblems({ ...each, path: [...path, ...each.path] }, file));
  const rule = value === undefined ? `is missing, ${issue.message}` : issue.message;
  const found = value === undefined ? null : describe(value, issue);
  return [{ path, at: 'value', rule, found, remedy: () => remedyOf(issue, file, value) }];
}

/** The issues inside the one form that the value has, if several forms are allowed. */
function issuesWithin({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  return errors.find((issues) => issues.every(({ code, path }) => code === 'unrecognized_keys' || path.length > 0));
}

function unknownKey(path: readonly PropertyKey[], file: unknown): PathProblem {
  const remedy = () => {
    const known = Object.keys(schemaAt(path.slice(0, -1), file)?.properties ?? {});
    const suggestion = closestMatch(String(path.at(-1)), known);
    return (
      otherKind(path, file) ?? (suggestion === null ? `Known here: ${known.join(', ')}` : `Did you mean ${suggestion}?`)
    );
  };
  return { path, at: 'key', rule: 'there is no such setting', found: null, remedy };
}

/** A setting of the other kind of run is not a spelling mistake. */
function otherKind(path: readonly PropertyKey[], file: unknown): string | null {
  const [top, name, key] = path;
  if (top !== 'runs' || path.length !== 3 || name === undefined || key === undefined) return null;
  const kind = childOf(childOf(childOf(file, 'runs'), name), 'kind') === 'discovery' ? 'enrichment' : 'discovery';
  return schemaAt(['runs', name, key], { runs: { [name]: { kind } } }) === null
    ? null
    : `It belongs to runs of kind ${kind}`;
}

function remedyOf(issue: z.core.$ZodIssue, file: unknown, value: unknown): string | null {
  if (mayBeSecret(issue) && typeof value === 'string')
    return 'A secret does not belong in this file: put it into an environment variable and write {env: NAME_OF_IT}';
  if (issue.code === 'invalid_type' && issue.expected === 'string' && isRecord(value))
    return 'If a text is meant, put quotes around it: a colon and a space make a map of it';
  const remedy = remedyOfQuotes(issue, file, value) ?? remedyOfSwitch(issue, value);
  if (remedy !== null) return remedy;
  const description = schemaAt(issue.path, file)?.description;
  // Many descriptions are imperative: without the word, one reads as what to do about the problem.
  return description === undefined ? null : `Meaning: ${description}`;
}

/** YAML 1.2 reads `no` and `off` as texts. */
function remedyOfSwitch(issue: z.core.$ZodIssue, value: unknown): string | null {
  if (issue.code !== 'invalid_type' || issue.expected !== 'boolean') return null;
  const word = String(value).toLowerCase();
  if (['no', 'off', 'n', '0', 'false'].includes(word)) return 'Did you mean false?';
  return ['yes', 'on', 'y', '1', 'true'].includes(word) ? 'Did you mean true?' : 'Write true or false';
}

/** Quotes make a text of a number or of true, and without them a text may be read as one. null: that would be refused too. */
function remedyOfQuotes({ code, path }: z.core.$ZodIssue, file: unknown, value: unknown): string | null {
  if (code !== 'invalid_type') return null;
  const isText = typeof value === 'string';
  if (!isText && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const meant = isText ? toPlainValue(value) : String(value);
  const field = fieldName(path);
  const { problems } = checkShape(withValueAt(file, path, meant));
  const isRefused = problems.some((problem) => fieldName(problem.path) === field);
  return meant === value || isRefused ? null : isText ? 'Remove the quotes' : 'Put quotes around it';
}

/** What a text is without its quotes. */
function toPlainValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function withValueAt(file: unknown, [key, ...rest]: readonly PropertyKey[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(file)) return file.map((item, index) => (index === key ? withValueAt(item, rest, value) : item));
  return { ...Object(file), [key]: withValueAt(childOf(file, key), rest, value) };
}

let cached: z.core.JSONSchema.BaseSchema | undefined;

/** The part of the schema that describes the value at a path; null if there is none. */
function schemaAt(
  path: readonly PropertyKey[],
  file: unknown,
  schema: z.core.JSONSchema._JSONSchema = (cached ??= configJsonSchema()),
): z.core.JSONSchema.BaseSchema | null {
  if (typeof schema === 'boolean') return null;
  const [key, ...rest] = path;
  if (schema.oneOf) {
    const kind = childOf(file, 'kind');
    const variant = schema.oneOf.find((option) => kindOf(option) === kind);
    return variant === undefined ? null : schemaAt(path, file, variant);
  }
  // A setting may have a short form; a map is its long form.
  const long = typeof file === 'object' && schema.anyOf?.find((form) => childOf(form, 'type') === 'object');
  if (long) return schemaAt(path, file, long);
  if (key === undefined) return schema;
  const items = Array.isArray(schema.items) ? undefined : schema.items;
  const next =
    getOwnProperty(schema.properties ?? {}, String(key)) ??
    (typeof key === 'number' ? items : schema.additionalProperties);
  return next === undefined ? null : schemaAt(rest, childOf(file, key), next);
}

function kindOf(schema: z.core.JSONSchema._JSONSchema): unknown {
  return typeof schema === 'boolean' ? undefined : childOf(schema.properties?.['kind'], 'const');
}

/** A value in place of `{env: NAME}`, or of its name, may be the secret itself. */
function mayBeSecret({ path, message }: z.core.$ZodIssue): boolean {
  return path.at(-1) === 'env' || message.startsWith('must be {env: NAME}');
}

/** Texts of connection settings are never shown: a secret may be in the wrong setting. */
function describe(value: unknown, issue: z.core.$ZodIssue): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value))
    return value.length === 1 ? 'a list of 1' : `a list of ${value.length.toLocaleString('en')}`;
  if (typeof value === 'object') return 'a map';
  if (mayBeSecret(issue)) return `a ${typeof value === 'string' ? 'text' : typeof value}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return `a ${typeof value}`;
  if (value === '') return 'an empty text';
  const { path } = issue;
  const mayShow =
    !['service', 'hubspot', 'ledger', 'temporal'].includes(String(path[0])) && path.at(-1) !== 'webhook_url';
  if (mayShow && value.length <= 40) return JSON.stringify(value);
  // Counted in code points, as in the rules.
  const { length } = Array.from(value);
  return length === 1 ? 'a text of 1 character' : `a text of ${length.toLocaleString('en')} characters`;
}

/** Messages for zod's issues; a schema with its own message keeps it. */
function ruleOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_format' && issue.format === 'url') return 'must be an https address';
  if (issue.code === 'too_big') return `at most ${Number(issue.maximum).toLocaleString('en')}${unitOf(issue.origin)}`;
  if (issue.code === 'too_small' && issue.inclusive === false) return `must be above ${Number(issue.minimum)}`;
  if (issue.code === 'too_small')
    return `at least ${Number(issue.minimum).toLocaleString('en')}${unitOf(issue.origin, Number(issue.minimum))}`;
  return undefined;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of settings',
  record: 'a map of names',
};

function unitOf(origin: string, amount = 2): string {
  const unit = origin === 'string' ? ' character' : origin === 'array' ? ' item' : '';
  return unit === '' || amount === 1 ? unit : `${unit}s`;
}
