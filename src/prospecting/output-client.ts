import { operations, outputReceiptSchema, type OutputInput, type OutputReceipt } from '../contract/index.ts';
import { downloadFile, type DownloadOptions } from './download-file.ts';
import { assertRequest, read, type Api, type CallOptions, type ProspectingSettings } from './service-transport.ts';

const route = '/api/v1/orders/{order_id}/outputs';
const outputRoute = '/api/v1/orders/{order_id}/outputs/{output_id}';

export function createOutputClient(api: Api, settings: ProspectingSettings) {
  return {
    /** The same key and body return the same output (`created: false`). Without a key the service returns the output of the destination. */
    async create(
      orderId: string,
      input: OutputInput,
      idempotencyKey: string | null,
      options: CallOptions = {},
    ): Promise<OutputReceipt> {
      const request = { method: 'POST', path: route.replace('{order_id}', orderId) };
      assertRequest(request, operations.createOutput.body, input);
      const header = idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey };
      const params = { path: { order_id: orderId }, header };
      return read(outputReceiptSchema, api.POST(route, { params, body: input, ...options }), request);
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
