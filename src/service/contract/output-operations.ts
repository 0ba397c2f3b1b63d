import { z } from 'zod';
import { limits } from './limits.ts';
import { keyed, missing, orderId, page, type Operation } from './operation.ts';
import { assumed, count, guessed, mayBeMissing, openEnum, record, timestamp } from './schema.ts';
import { outputStatuses, outputTypes } from './enum-values.ts';
import { longestId } from '../../base/text/bound-text.ts';

const text = () => assumed('A51', z.string().min(1));

export const outputInputSchema = z
  .strictObject({
    output_type: z.enum(outputTypes),
    output_language: text().optional(),
    spreadsheet_id: text().optional(),
  })
  .refine((output) => output.output_type !== 'google_sheets' || output.spreadsheet_id !== undefined, {
    path: ['spreadsheet_id'],
    message: 'is required when output_type is google_sheets',
  })
  .meta({
    anyOf: [{ properties: { output_type: { enum: ['csv', 'xlsx'] } } }, { required: ['spreadsheet_id'] }],
  });

const exportInputSchema = assumed(
  'A22',
  z.strictObject({ output_type: z.enum(['csv', 'xlsx']), output_language: text().optional() }),
);

export type OutputInput = z.infer<typeof outputInputSchema>;

export const outputSchema = record({
  output_id: z.string(),
  export_job_id: z.string(),
  status: assumed('A21', openEnum(outputStatuses)),
  created: z.boolean().optional(),
  output_type: guessed('A23', openEnum(outputTypes)),
  output_language: guessed('A23', z.string()),
  /** Only of outputs of type google_sheets. */
  spreadsheet_id: z.string().nullish(),
  /** On a COMPLETED output (A41). */
  result_count: mayBeMissing(count()),
  result_sha256: mayBeMissing(z.string()),
  idempotency_key: z.string().optional(),
  /** On a COMPLETED output of type google_sheets (A50). */
  location: mayBeMissing(z.string()),
  created_at: guessed('A23', timestamp()),
});

export type Output = z.infer<typeof outputSchema>;

/** The fields of an output that the specification names, as a client reads them. The rest is not shown (A23). */
export const outputReceiptSchema = record({
  output_id: z.string().min(1).max(longestId),
  export_job_id: z.string().min(1).nullish(),
  status: z.string(),
  created: z.boolean().nullish(),
  result_count: count().nullish(),
  result_sha256: z.string().nullish(),
  location: z.string().nullish(),
});

export type OutputReceipt = z.infer<typeof outputReceiptSchema>;

const readable = () => z.string().nullish().catch(null);

/** An item of the list of outputs. Its destination and date are not shown (A23): null where the service does not name them. */
export const listedOutputSchema = outputReceiptSchema.extend({
  output_type: readable(),
  output_language: readable(),
  spreadsheet_id: readable(),
  created_at: readable(),
});

export type ListedOutput = z.infer<typeof listedOutputSchema>;

/** A page of outputs as a client reads it: items that are no outputs do no harm. */
export const listedOutputsSchema = record({
  outputs: z.array(z.unknown()),
  has_more: z.boolean(),
});

const outputsPageSchema = record({
  outputs: assumed('A23', z.array(outputSchema)),
  total: count(),
  has_more: z.boolean(),
});

const outputId = orderId.extend({ output_id: z.string().min(1) });

export const outputOperations = {
  createExport: {
    method: 'post',
    path: '/api/v1/orders/{order_id}/export',
    summary: 'Create a CSV or XLSX export',
    scopes: ['orders:write'],
    idempotency: 'replay',
    keyAssumed: 'A53',
    params: orderId,
    query: null,
    body: exportInputSchema,
    responses: { 202: outputSchema, ...keyed },
    assumed: 'A22',
  },
  createOutput: {
    method: 'post',
    path: '/api/v1/orders/{order_id}/outputs',
    summary: 'Create a durable file or Google Sheets output',
    scopes: ['orders:write'],
    idempotency: 'replay',
    params: orderId,
    query: null,
    body: outputInputSchema,
    responses: { 202: outputSchema, ...keyed },
    assumed: 'A23',
  },
  listOutputs: {
    method: 'get',
    path: '/api/v1/orders/{order_id}/outputs',
    summary: 'Page through output attempts',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: orderId,
    query: page(limits.outputsPage.default, 100, 'A26'),
    body: null,
    responses: { 200: outputsPageSchema, ...missing },
    assumed: 'A23',
  },
  getOutput: {
    method: 'get',
    path: '/api/v1/orders/{order_id}/outputs/{output_id}',
    summary: 'Read one output receipt',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: outputId,
    query: null,
    body: null,
    responses: { 200: outputSchema, ...missing },
    assumed: 'A23',
  },
  downloadExport: {
    method: 'get',
    path: '/api/v1/exports/jobs/{export_job_id}/download',
    summary: 'Download the file of a completed output; follow redirects',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: z.object({ export_job_id: z.string().min(1) }),
    query: null,
    body: null,
    responses: { 200: null, 302: null, ...keyed },
    assumed: 'A43',
  },
} as const satisfies Record<string, Operation>;
