import { z } from 'zod';
import { toPrintableKey } from '../../base/text/printable-text.ts';
import { toStrict } from './schema.ts';
import { boundWord } from '../../base/text/bound-text.ts';

/** One broken rule of a request: which field, what the rule is, what was found. Never the value itself. */
export interface Violation {
  /** Path of the field, for example `entries[3].company_name`. */
  readonly field: string;
  readonly path: readonly (string | number)[];
  /** The rule in words, for example `at most 500 characters`. */
  readonly rule: string;
  /** What was found, by size or kind, for example `612 characters`. */
  readonly found: string;
  /** zod's issue code, for a machine. */
  readonly code: string;
}

/** The rules of a schema that a value breaks; empty for a valid value. */
export function violations(schema: z.core.$ZodType, value: unknown): Violation[] {
  const result = z.safeParse(schema, value);
  return result.success ? [] : result.error.issues.flatMap((issue) => toViolations(issue, value));
}

/** `entries[3].company_name: at most 500 characters, found 612 characters` */
export function describeViolation({ field, rule, found }: Violation): string {
  return `${field}: ${rule}, found ${found}`;
}

function toViolations(issue: z.core.$ZodIssue, root: unknown): Violation[] {
  const path = toPath(issue);
  const locate = (extra: readonly string[] = []) => ({
    field: fieldName([...path, ...extra]),
    path: [...path, ...extra],
  });
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ ...locate([key]), rule: 'no such field', found: 'a value', code: issue.code }));
  }
  return [{ ...locate(), rule: describeRule(issue), found: describeFound(valueAt(root, path)), code: issue.code }];
}

function describeRule(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big')
    return `at most ${Number(issue.maximum).toLocaleString('en')}${describeUnit(issue.origin, issue.maximum)}`;
  if (issue.code === 'too_small' && issue.inclusive === false) return `above ${Number(issue.minimum)}`;
  if (issue.code === 'too_small')
    return `at least ${Number(issue.minimum).toLocaleString('en')}${describeUnit(issue.origin, issue.minimum)}`;
  if (issue.code === 'invalid_type') return `must be ${issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_format' && issue.format === 'guid') return 'must be a UUID';
  if (issue.code === 'invalid_format' && issue.format === 'url') return 'must be an http or https address';
  return issue.message;
}

function describeUnit(origin: string, size: number | bigint): string {
  const plural = Number(size) === 1 ? '' : 's';
  if (origin === 'string') return ` character${plural}`;
  return origin === 'array' ? ` item${plural}` : '';
}

function describeFound(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return value === '' ? 'an empty text' : describeLength(Array.from(value).length);
  if (Array.isArray(value)) return `${value.length.toLocaleString('en')}${describeUnit('array', value.length)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value;
}

/** In code points, as zod and JSON Schema measure a text. */
function describeLength(characters: number): string {
  return `${characters.toLocaleString('en')}${describeUnit('string', characters)}`;
}

export function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function fieldName(path: readonly (string | number)[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${toPrintableKey(key)}`)).join('');
  return text.replace(/^\./, '') || 'body';
}

function toPath({ path }: z.core.$ZodIssue): (string | number)[] {
  return path.map((key) => (typeof key === 'symbol' ? String(key) : key));
}

/**
 * Returns the parts of an answer that this version does not know: new fields as `company.colour`, new words of open lists as
 * `status=TELEPORTED`. Positions in lists are written as `[]`; other values are not included.
 */
export function createUnknownReader(schema: z.core.$ZodType): (value: unknown) => string[] {
  const strict = toStrict(schema);
  return (value) => {
    const result = z.safeParse(strict, value);
    return result.success ? [] : result.error.issues.flatMap((issue) => toUnknown(issue, value));
  };
}

function toUnknown(issue: z.core.$ZodIssue, root: unknown): string[] {
  const path = issue.path.map((key) => (typeof key === 'number' ? '[]' : String(key)));
  const name = path.join('.').replaceAll('.[]', '[]');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(toPrintableKey).map((key) => (name === '' ? key : `${name}.${key}`));
  if (issue.code !== 'invalid_value') return [];
  const word = valueAt(root, toPath(issue));
  return typeof word === 'string' ? [`${name}=${boundWord(word)}`] : [];
}
