import { z } from 'zod';
import { strictTimestamp } from './schema.ts';

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
