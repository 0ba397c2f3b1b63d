/**
 * Words in which the contract is written. Schemas describe what a tolerant reader accepts; what only a server owes
 * (no unknown field, no unknown word, exact timestamps) is carried as metadata and enforced by `toStrict`.
 */
import { z } from 'zod';
import type { AssumptionId } from './assumed.ts';

/** A response object: fields that this version does not know are kept. */
export const record = z.looseObject;

/** A word list that may grow: any string is read, the known words are published as `x-known-values`. */
export function openEnum(values: readonly string[]) {
  return z.string().meta({ 'x-known-values': values });
}

const strictTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** ISO 8601 UTC with microseconds and Z, as every timestamp of the service. */
export function timestamp() {
  return z.string().meta({ format: 'date-time', 'x-strict-pattern': strictTimestamp.source });
}

/** Ids are read by form only: the version bits of a UUID are the service's own business. */
export const uuid = z.guid;

export const count = () => z.int().min(0);

/**
 * A field of a response that is only assumed: it may be missing or null, and costs no reader anything. A server that
 * follows this contract sends it (`toStrict`), null where `nullable` says so.
 */
export function guessed<S extends z.ZodType>(id: AssumptionId, schema: S) {
  return assumed(id, schema.nullish());
}

/**
 * A field of a response that may be missing by the specification. A reader puts up with null as well (A49); a server
 * that follows this contract leaves the field out (`toStrict`).
 */
export function mayBeMissing<S extends z.ZodType>(schema: S) {
  return schema.nullish().meta({ ...schema.meta(), 'x-assumed-null': 'A49' satisfies AssumptionId });
}

/** Marks what the specification does not show; `docs/assumptions.md` lists each mark. */
export function assumed<S extends z.ZodType>(id: AssumptionId, schema: S): S {
  return schema.meta({ ...schema.meta(), 'x-assumed': id });
}

/**
 * The same schema as a server has to keep it: unknown fields and words are refused, timestamps have their exact form.
 * Used by the stand-in on every response, never by a client.
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

/** A guessed field is owed, null included; of other optional ones only the reader puts up with null. */
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
