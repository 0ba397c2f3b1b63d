/**
 * Schemas of activity inputs. Anyone with access to the Temporal namespace can choose an input, so it only contains names, ids and
 * positions, and each activity validates it first.
 */
import { z } from 'zod';
import { nonRetryable } from '../src/base/failures/application-failure.ts';

/** Workflow ids, activity ids and keys that contain them. Temporal limits an id to 1,000 bytes. */
export const workflowKeySchema = z.string().min(1).max(1_200);
export const orderIdSchema = z.guid();
export const entryIdSchema = z.string().min(1).max(200);
export const digestSchema = z.string().regex(/^[0-9a-f]{1,64}$/);
export const countSchema = z.int().min(0).max(1e9);

export const runNameSchema = z.string().regex(/^[a-z0-9-]{1,60}$/);

/** `digest`: of the configuration that the run has read. */
export const runSchema = z.object({ runName: runNameSchema, digest: digestSchema });

/** `runName`: the run whose configuration defines how the order is delivered. */
export const deliverySchema = z.object({ orderId: orderIdSchema, runName: runNameSchema });
export type OrderDelivery = z.output<typeof deliverySchema>;

export const exclusionSchema = z.object({ name: runNameSchema });

/** Slots of an order, `to` exclusive. */
export const rangeSchema = z
  .object({ orderId: orderIdSchema, from: countSchema, to: countSchema })
  .refine(({ from, to }) => from <= to, 'from must not be above to');

const countsSchema = z.record(z.string(), countSchema);
const readBackSchema = z.object({
  records: countSchema,
  equal: countSchema,
  edited: countSchema,
  missing: countSchema,
  merged: countSchema,
  archived: countSchema,
  wrong: countSchema,
  unknown: countSchema,
  properties: z.object({ edited: countsSchema, wrong: countsSchema }),
  items: z.record(z.string(), z.object({ written: countSchema, gone: countSchema })),
  sampled: countSchema.nullable(),
});

export const repairSchema = z.object({ before: readBackSchema, rewritten: countSchema, reopened: countSchema });

export const proofSchema = z.object({
  reconciled: countSchema,
  findings: z.array(
    z.object({ code: z.string().max(200), count: countSchema, positions: z.array(countSchema).readonly() }),
  ),
  readBack: readBackSchema.optional(),
  erased: countSchema.optional(),
});

/** Validates the input of an activity. @throws InputRefused, non-retryable; it names fields, never values */
export function checked<Schema extends z.ZodType, Result>(
  schema: Schema,
  perform: (input: z.output<Schema>) => Promise<Result>,
): (input: z.input<Schema>) => Promise<Result> {
  return async (input) => perform(parseInput(schema, input));
}

export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join('.') || 'input'))];
  throw nonRetryable('InputRefused', `invalid input: ${fields.slice(0, 5).join(', ')}`);
}
