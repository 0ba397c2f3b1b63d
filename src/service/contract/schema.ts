/**
 * Building blocks of the contract's schemas. They accept what a tolerant reader accepts; `toStrict` adds the duties of a server
 * (no unknown fields and words, exact timestamps), which are kept as metadata.
 */
import { z } from 'zod';
import type { AssumptionId } from './assumptions.ts';

/** A response object. Unknown fields are kept. */
export const record = z.looseObject;

/** A word list that may grow: any string is valid, and the known words are published as `x-known-values`. */
export function openEnum(values: readonly string[]) {
  return z.string().meta({ 'x-known-values': values });
}

const strictTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** ISO 8601 in UTC with microseconds and Z, like every timestamp of the service. */
export function timestamp() {
  return z.string().meta({ format: 'date-time', 'x-strict-pattern': strictTimestamp.source });
}

/** Any UUID: its version bits are not checked. */
export const uuid = z.guid;

export const count = () => z.int().min(0);

/**
 * An assumed field of a response: a reader accepts that it is missing or null. By `toStrict` it is required, and null only when
 * `schema` allows it.
 */
export function guessed<S extends z.ZodType>(id: AssumptionId, schema: S) {
  return assumed(id, schema.nullish());
}

/** A field of a response that may be missing by the specification. A reader accepts null too (A49); `toStrict` does not. */
export function mayBeMissing<S extends z.ZodType>(schema: S) {
  return schema.nullish().meta({ ...schema.meta(), 'x-assumed-null': 'A49' satisfies AssumptionId });
}

/** Marks a schema that the specification does not show; docs/assumptions.md lists every assumption. */
export function assumed<S extends z.ZodType>(id: AssumptionId, schema: S): S {
  return schema.meta({ ...schema.meta(), 'x-assumed': id });
}

/**
 * The schema as a server has to follow it: unknown fields and words are refused, timestamps have their exact form. The sandbox
 * checks its responses by it; clients never use it.
 */
export function toStrict(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodObject) {
    return z.strictObject(
      Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [key, strictField(field)])),
    );
  }
  if (schema instanceof z.ZodArray) return z.array(toStrict(schema.element));
  if (schema instanceof z.ZodNullable) return z.nullable(toStrict(schema.unwrap()));
  if (schema instanceof z.ZodOptional) return strictOptional(schema);
  if (schema instanceof z.ZodString) return strictString(schema);
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(toStrict));
  return schema;
}

/** An assumed field is required; other optional fields may be missing, but not null. */
function strictOptional(schema: z.ZodOptional): z.core.$ZodType {
  const inner = schema.unwrap();
  if (schema.meta()?.['x-assumed'] !== undefined) return toStrict(inner);
  return z.optional(toStrict(inner instanceof z.ZodNullable ? inner.unwrap() : inner));
}

function strictField(field: unknown): z.core.$ZodType {
  if (field instanceof z.ZodType) return toStrict(field);
  throw new TypeError('a contract object holds a field that is not a schema');
}

function strictString(schema: z.ZodString): z.core.$ZodType {
  const meta = schema.meta();
  const words = z.array(z.string()).safeParse(meta?.['x-known-values']);
  if (words.success) return z.enum(words.data);
  return meta?.['x-strict-pattern'] === strictTimestamp.source ? schema.regex(strictTimestamp) : schema;
}
