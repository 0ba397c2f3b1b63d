import { z } from 'zod';
import { toPrintableKey } from '../text/printable-text.ts';
import { toStrict } from './strict.ts';
import { boundWord } from '../text/bound-text.ts';

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

/** Checks a request against its schema before it is sent or after it was received. */
export function violations(schema: z.core.$ZodType, value: unknown): Violation[] {
  const result = z.safeParse(schema, value);
  return result.success ? [] : result.error.issues.flatMap((issue) => toViolations(issue, value));
}

/** `entries[3].company_name: at most 500 characters, found 612 characters` */
export function describeViolation({ field, rule, found }: Violation): string {
  return `${field}: ${rule}, found ${found}`;
}

function toViolations(issue: z.core.$ZodIssue, root: unknown): Violation[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  const at = (extra: readonly string[] = []) => ({ field: fieldName([...path, ...extra]), path: [...path, ...extra] });
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ ...at([key]), rule: 'no such field', found: 'a value', code: issue.code }));
  }
  return [{ ...at(), rule: ruleOf(issue), found: sizeOf(valueAt(root, path)), code: issue.code }];
}

function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big')
    return `at most ${Number(issue.maximum).toLocaleString('en')}${unitOf(issue.origin, issue.maximum)}`;
  if (issue.code === 'too_small' && issue.inclusive === false) return `above ${Number(issue.minimum)}`;
  if (issue.code === 'too_small')
    return `at least ${Number(issue.minimum).toLocaleString('en')}${unitOf(issue.origin, issue.minimum)}`;
  if (issue.code === 'invalid_type') return `must be ${issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_format' && issue.format === 'guid') return 'must be a UUID';
  if (issue.code === 'invalid_format' && issue.format === 'url') return 'must be an http or https address';
  return issue.message;
}

function unitOf(origin: string, size: number | bigint): string {
  const plural = Number(size) === 1 ? '' : 's';
  if (origin === 'string') return ` character${plural}`;
  return origin === 'array' ? ` item${plural}` : '';
}

function sizeOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return value === '' ? 'an empty text' : sizeOfText(Array.from(value).length);
  if (Array.isArray(value)) return `${value.length.toLocaleString('en')}${unitOf('array', value.length)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value;
}

/** In code points, by which zod and JSON Schema measure a text. */
function sizeOfText(characters: number): string {
  return `${characters.toLocaleString('en')}${unitOf('string', characters)}`;
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

/**
 * A reader for what an answer says that this version does not know: new fields as `company.colour`, new words as
 * `status=TELEPORTED`; positions in lists are written as `[]`. Values other than words of open lists are never told.
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
  const word = issue.path.reduce(
    (value: unknown, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  );
  return typeof word === 'string' ? [`${name}=${boundWord(word)}`] : [];
}
