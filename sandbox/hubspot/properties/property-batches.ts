import type { HonoRequest } from 'hono';
import { z } from 'zod';
import { ApiError, type BatchError } from '../api-error.ts';
import { answerBatch } from '../batch-response.ts';
import type { Portal } from '../portal/portal.ts';
import { checkBatchSize, readBody } from '../request-bodies.ts';
import type { PropertyDefinition } from '../built-in/property-definition.ts';
import { propertyCreateSchema, toDefinition } from './property-bodies.ts';
import type { PropertyRegistry } from '../portal/property-registry.ts';

const createSchema = z.object({ inputs: z.array(propertyCreateSchema) });
const namesSchema = z.object({ inputs: z.array(z.object({ name: z.string() })), archived: z.boolean().default(false) });

/** Creates the valid properties, and reports the others in a 207. */
export async function createProperties(
  portal: Portal,
  registry: PropertyRegistry,
  request: HonoRequest,
): Promise<Response> {
  const { inputs } = await readBody(request, createSchema);
  checkBatchSize(inputs, portal.assumed.propertyBatchLimit);
  return answerEach(portal, 201, inputs, (input) => registry.create(toDefinition(portal, registry, input)));
}

export async function readProperties(
  portal: Portal,
  registry: PropertyRegistry,
  request: HonoRequest,
): Promise<Response> {
  const { inputs, archived } = await readBody(request, namesSchema);
  checkBatchSize(inputs, portal.assumed.propertyBatchLimit);
  return answerEach(portal, 200, inputs, ({ name }) => registry.read(name, archived));
}

export async function archiveProperties(
  portal: Portal,
  registry: PropertyRegistry,
  request: HonoRequest,
): Promise<Response> {
  const { inputs } = await readBody(request, namesSchema);
  checkBatchSize(inputs, portal.assumed.propertyBatchLimit);
  for (const { name } of inputs) if (registry.get(name)) registry.archive(name);
  return new Response(null, { status: 204 });
}

function answerEach<Input extends { readonly name: string }>(
  portal: Portal,
  status: number,
  inputs: readonly Input[],
  step: (input: Input) => PropertyDefinition,
): Response {
  const startedAt = portal.clock().toISOString();
  const results: PropertyDefinition[] = [];
  const errors: BatchError[] = [];
  for (const input of inputs) {
    try {
      results.push(step(input));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { message, category = 'VALIDATION_ERROR', subCategory } = error.body;
      errors.push({
        status: 'error',
        category,
        ...(subCategory && { subCategory }),
        message,
        context: { name: [input.name] },
      });
    }
  }
  return answerBatch(status, results, errors, startedAt, portal.clock().toISOString());
}
