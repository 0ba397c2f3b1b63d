/**
 * Compares a response with the contract. A breach of the specification is a finding. A difference that the specification
 * leaves open (`x-assumed`), or allows a service to add, is a note. Texts contain fields, rules and sizes, never values.
 */
import { z } from 'zod';
import { blacklistSchema } from '../../src/service/contract/blacklist.ts';
import { slotSchema } from '../../src/service/contract/result.ts';
import { toStrict, violations, type Violation } from '../../src/service/contract/index.ts';
import { valueAt } from '../../src/service/contract/violations.ts';

export interface Observation {
  readonly kind: 'finding' | 'note';
  readonly text: string;
}

type Path = readonly (string | number)[];

/** Equal violations in the items of a list become one observation with their number. */
export function observe(schema: z.ZodType, body: unknown): Observation[] {
  const broken = new Set(violations(schema, body).map(({ field }) => field));
  const tally = new Map<string, { observation: Observation; count: number }>();
  for (const violation of violations(strictOf(schema), body)) {
    const observation = classify(schema, { violation, body, isBroken: broken.has(violation.field) });
    const key = `${observation.kind} ${observation.text}`;
    tally.set(key, { observation, count: (tally.get(key)?.count ?? 0) + 1 });
  }
  return [...tally.values()].map(({ observation: { kind, text }, count }) => ({
    kind,
    text: count === 1 ? text : `${text} (${count.toLocaleString('en')} times)`,
  }));
}

const strict = new WeakMap<z.ZodType, z.core.$ZodType>();

/** Cached, because zod compiles a schema with every call. */
function strictOf(schema: z.ZodType): z.core.$ZodType {
  const made = strict.get(schema) ?? toStrict(schema);
  strict.set(schema, made);
  return made;
}

/** The number of the assumption that applies to a path, or to a schema that contains it. */
function assumptionAt(schema: z.core.$ZodType, path: Path): string | undefined {
  return schemasAlong(schema, path)
    .map((part) => markOf(part, 'x-assumed'))
    .findLast((mark) => mark !== undefined);
}

interface Seen {
  readonly violation: Violation;
  readonly body: unknown;
  readonly isBroken: boolean;
}

function classify(schema: z.ZodType, { violation, body, isBroken }: Seen): Observation {
  const { path, rule, found, code } = violation;
  const field = nameOf(path);
  if (code === 'unrecognized_keys') return note(`drift: ${field} is a field that this version does not know`);
  const assumption = assumptionAt(schema, path);
  if (assumption !== undefined) return note(`assumed ${assumption}: ${field}: ${rule}, found ${found}`);
  if (isBroken) return finding(`${field}: ${rule}, found ${found}`);
  const along = schemasAlong(schema, path);
  if (along.some((part) => markOf(part, 'x-strict-pattern') !== undefined) && found !== 'null') {
    return classifyTimestamp(along, field, valueAt(body, path));
  }
  if (code === 'invalid_value') return note(`drift: ${field} is ${wordOf(valueAt(body, path))}`);
  return note(`drift: ${field}: ${rule}, found ${found}`);
}

/** The specification requires microseconds and Z for blacklists, ISO 8601 UTC for entries and profile creations, a "timestamp" for slots. */
function classifyTimestamp(along: readonly z.core.$ZodType[], field: string, value: unknown): Observation {
  if (along.includes(blacklistSchema)) return finding(`${field}: must be ISO 8601 UTC with microseconds and Z`);
  const isUtc = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)$/.test(value);
  if (isUtc) return note(`drift: ${field} is UTC, but without microseconds and Z`);
  if (along.includes(slotSchema)) return note(`drift: ${field} is not ISO 8601 UTC`);
  return finding(`${field}: must be ISO 8601 UTC`);
}

/** Every schema from the root to a path, with wrappers and alternatives. */
function schemasAlong(schema: z.core.$ZodType, path: Path): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return [schema, ...schemasAlong(schema.unwrap(), path)];
  }
  if (schema instanceof z.ZodUnion) return [schema, ...schema.options.flatMap((option) => schemasAlong(option, path))];
  const [key, ...rest] = path;
  const inner = key === undefined ? undefined : childSchema(schema, key);
  return inner === undefined ? [schema] : [schema, ...schemasAlong(inner, rest)];
}

function childSchema(schema: z.core.$ZodType, key: string | number): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element;
  if (!(schema instanceof z.ZodObject)) return undefined;
  const field: unknown = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
  return field instanceof z.ZodType ? field : undefined;
}

function markOf(schema: z.core.$ZodType, name: string): string | undefined {
  const mark = schema instanceof z.ZodType ? schema.meta()?.[name] : undefined;
  return typeof mark === 'string' ? mark : undefined;
}

/** For example `entries[].created_at`. An unusual name is replaced, because it could contain a value. */
function nameOf(path: Path): string {
  const names = path.map((key) => (typeof key === 'number' ? '[]' : `.${/^[\w-]{1,60}$/.test(key) ? key : '?'}`));
  return names.join('').replace(/^\./, '') || 'body';
}

function wordOf(value: unknown): string {
  return isWord(value)
    ? `${value}, a value that this version does not know`
    : 'a value that this version does not know';
}

/** The status for a message. A value that is not a plain word is not shown, because it could contain anything. */
export function describeStatusWord(value: unknown): string {
  return isWord(value) ? value : 'in an invalid status';
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z][\w.:-]{0,59}$/.test(value);
}

function finding(text: string): Observation {
  return { kind: 'finding', text };
}

function note(text: string): Observation {
  return { kind: 'note', text };
}
