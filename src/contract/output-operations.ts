import { z } from 'zod';
import { limits } from './limits.ts';
import { keyed, missing, orderId, page, type Operation } from './operation.ts';
import { exportInputSchema, outputInputSchema, outputSchema, outputsPageSchema } from './output.ts';

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
