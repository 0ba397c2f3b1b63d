/**
 * Inputs of activities. Anyone who reaches the Temporal namespace can choose them, hence they only name runs, exclusions,
 * orders and positions, and each activity checks the form of its own before it does anything.
 */
import { z } from 'zod';
import { nonRetryable } from '../src/failures/non-retryable.ts';
import { isRecord } from '../src/shape/flatten-record.ts';

/** Activity or workflow ids, and keys made of them. Temporal's own limit of an id is 1,000 bytes. */
export const workflowKeySchema = z.string().min(1).max(1_200);
export const orderIdSchema = z.guid();
export const entryIdSchema = z.string().min(1).max(200);
export const digestSchema = z.string().regex(/^[0-9a-f]{1,64}$/);
export const countSchema = z.int().min(0).max(1e9);

export const runNameSchema = z.string().regex(/^[a-z0-9-]{1,60}$/);

/** `digest` is null in what early releases scheduled: the run as it is configured now. */
export const runSchema = z.object({
  runName: runNameSchema,
  digest: digestSchema.nullish().transform((digest) => digest ?? null),
});

/** `runName` is absent in what earlier releases scheduled: the run that placed the order. */
export const deliverySchema = z.object({ orderId: orderIdSchema, runName: runNameSchema.optional() });
export type OrderDelivery = z.output<typeof deliverySchema>;

export const exclusionSchema = z.object({ name: runNameSchema });

/** Slots of an order, `to` exclusive. */
export const rangeSchema = z
  .object({ orderId: orderIdSchema, from: countSchema, to: countSchema })
  .refine(({ from, to }) => from <= to, 'from must not be above to');

/** An activity that runs only with an input of this form. @throws InputRefused, final: it names fields, never values */
export function checked<Schema extends z.ZodType, Result>(
  schema: Schema,
  perform: (input: z.output<Schema>) => Promise<Result>,
): (input: z.input<Schema>) => Promise<Result> {
  return async (input) => perform(parseInput(schema, input));
}

export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(nameRun(input));
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join('.') || 'the input'))];
  throw nonRetryable('InputRefused', `the input of this activity is not valid: ${fields.slice(0, 5).join(', ')}`);
}

/** Earlier releases sent the whole plan of a run; only its name and digest are used. */
function nameRun(input: unknown): unknown {
  return isRecord(input) && isRecord(input['plan']) && !('run' in input) ? { ...input, run: input['plan'] } : input;
}
