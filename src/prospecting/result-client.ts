import { limits } from '../contract/index.ts';
import { isProblem, readResultsPage, type Problem, type ResultsPage } from '../shape/read-answers.ts';
import { readUnspecified, type Api, type CallOptions } from './service-transport.ts';

const resultsRoute = '/api/v1/orders/{order_id}/results';

export interface StorablePage extends ResultsPage {
  /** By slot: the number of characters that were replaced because no database can store them. */
  readonly replaced: readonly number[];
}

/** @param itemsField configured name of the slots in a page (A01) */
export function createResultClient(api: Api, itemsField: string | null) {
  return {
    /** One page of up to 100 published slots, unchanged. */
    async page(orderId: string, offset: number, options: CallOptions = {}): Promise<StorablePage> {
      const query = { limit: limits.resultsPage.max, offset };
      const call = api.GET(resultsRoute, { params: { path: { order_id: orderId }, query }, ...options });
      const request = { method: 'GET', path: resultsRoute.replace('{order_id}', orderId) };
      return readUnspecified(read, call, request);
    },
  };

  function read(answer: unknown, replacedIn: ReadonlyMap<unknown, number>): StorablePage | Problem {
    const page = readResultsPage(answer, itemsField);
    return isProblem(page) ? page : { ...page, replaced: page.slots.map((slot) => replacedIn.get(slot) ?? 0) };
  }
}
