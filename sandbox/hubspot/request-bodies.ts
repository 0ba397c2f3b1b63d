import type { HonoRequest } from 'hono';
import { z } from 'zod';
import { validationError } from './api-error.ts';

/** A record's id or unique value. HubSpot also accepts numbers. */
export const idSchema = z.union([z.string(), z.number()]).transform(String);

export async function readBody<T>(request: HonoRequest, schema: z.ZodType<T>): Promise<T> {
  return parseBody(await request.text(), schema);
}

export function parseBody<T>(text: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  // HubSpot names the place in the text, which is unknown after parsing; the sandbox names the field.
  throw validationError(
    `Invalid input JSON on line 1, column 1: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
  );
}

/** Refuses a batch above its limit. An empty batch is refused too. */
export function checkBatchSize(inputs: readonly unknown[], limit: number): void {
  if (inputs.length === 0) throw validationError('The batch contains no inputs.');
  if (inputs.length > limit) {
    throw validationError(
      `The maximum number of inputs supported in a batch request is ${limit}. Please reduce the number of items and try again`,
    );
  }
}

/** A list in the query: repeated, separated by commas, or both. */
export function queryList(request: HonoRequest, name: string): string[] {
  return (request.queries(name) ?? []).flatMap((value) => value.split(',')).filter((value) => value !== '');
}

export function queryLimit(request: HonoRequest, fallback: number, max: number): number {
  const text = request.query('limit');
  if (text === undefined) return fallback;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > max) {
    throw validationError(`Invalid value for limit: ${text}. It must be an integer between 1 and ${max}.`);
  }
  return limit;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw validationError('Invalid input JSON on line 1, column 1: the body is not JSON');
  }
}
