import {
  limits,
  listedOutputSchema,
  listedOutputsSchema,
  operations,
  outputReceiptSchema,
  type ListedOutput,
  type OutputInput,
  type OutputReceipt,
} from '../contract/index.ts';
import { assertRequest, read } from './contract-calls.ts';
import { downloadFile, type DownloadOptions } from './download-file.ts';
import { ProspectingError } from './prospecting-error.ts';
import type { Api, CallOptions, ProspectingSettings } from './service-transport.ts';

const outputsRoute = '/api/v1/orders/{order_id}/outputs';
const outputRoute = '/api/v1/orders/{order_id}/outputs/{output_id}';
const exportRoute = '/api/v1/orders/{order_id}/export';

/** Of attempts at the outputs of one order: 20 outputs of 100 attempts each. */
const mostListed = 2_000;

export function createOutputClient(api: Api, settings: ProspectingSettings) {
  return {
    /** The same key and body return the same output (`created: false`). Without a key the service returns the output of the destination. */
    async create(
      orderId: string,
      input: OutputInput,
      idempotencyKey: string | null,
      options: CallOptions = {},
    ): Promise<OutputReceipt> {
      const request = { method: 'POST', path: outputsRoute.replace('{order_id}', orderId) };
      assertRequest(request, operations.createOutput.body, input);
      const params = { path: { order_id: orderId }, header: toKeyHeader(idempotencyKey) };
      return read(outputReceiptSchema, api.POST(outputsRoute, { params, body: input, ...options }), request);
    },

    /** A plain CSV or XLSX export. The specification names no key for it (A53): after a lost answer, read `list` before repeating it. */
    async createExport(
      orderId: string,
      { output_type, output_language }: OutputInput,
      idempotencyKey: string | null,
      options: CallOptions = {},
    ): Promise<OutputReceipt> {
      const request = { method: 'POST', path: exportRoute.replace('{order_id}', orderId) };
      const parsed = operations.createExport.body.safeParse({ output_type, output_language });
      if (!parsed.success) {
        const detail = `output_type: must be csv or xlsx, found ${output_type}`;
        throw new ProspectingError({ kind: 'request', ...request, detail });
      }
      const params = { path: { order_id: orderId }, header: toKeyHeader(idempotencyKey) };
      return read(outputReceiptSchema, api.POST(exportRoute, { params, body: parsed.data, ...options }), request);
    },

    /** Every attempt at an output of the order, from all pages ("Export and output rules"). Items without an id are left out. */
    async list(orderId: string, options: CallOptions = {}): Promise<ListedOutput[]> {
      const request = { method: 'GET', path: outputsRoute.replace('{order_id}', orderId) };
      const found = new Map<string, ListedOutput>();
      for (let offset = 0; ;) {
        const query = { limit: limits.outputsPage.default, offset };
        const call = api.GET(outputsRoute, { params: { path: { order_id: orderId }, query }, ...options });
        const page = await read(listedOutputsSchema, call, request);
        const items = page.outputs.flatMap((item) => listedOutputSchema.safeParse(item).data ?? []);
        for (const item of items) found.set(item.output_id, item);
        offset += page.outputs.length;
        if (!page.has_more) return [...found.values()];
        if (page.outputs.length === 0 || offset >= mostListed) {
          const detail = `has_more: must be false after ${offset} outputs, found true`;
          throw new ProspectingError({ kind: 'contract', ...request, detail });
        }
      }
    },

    async get(orderId: string, outputId: string, options: CallOptions = {}): Promise<OutputReceipt> {
      const params = { path: { order_id: orderId, output_id: outputId } };
      const path = outputRoute.replace('{order_id}', orderId).replace('{output_id}', outputId);
      return read(outputReceiptSchema, api.GET(outputRoute, { params, ...options }), { method: 'GET', path });
    },

    /** The bytes of the file of a COMPLETED output. */
    download(exportJobId: string, options: DownloadOptions = {}): AsyncGenerator<Uint8Array> {
      return downloadFile(settings, `/api/v1/exports/jobs/${encodeURIComponent(exportJobId)}/download`, options);
    },
  };
}

function toKeyHeader(idempotencyKey: string | null) {
  return idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey };
}
