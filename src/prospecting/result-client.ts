import { limits } from '../contract/index.ts';
import { isProblem, readResultsPage, type Problem, type ResultsPage } from '../shape/read-answers.ts';
import { readUnspecified, type Api, type CallOptions } from './service-transport.ts';

const resultsRoute = '/api/v1/orders/{order_id}/results';

export interface StorablePage extends ResultsPage {
  /** Of each slot: how many of its characters were replaced, since no database holds them. */
  readonly replaced: readonly number[];
}

/** `itemsField` is the name of the page's slot array where it is configured (A01). */
export function createResultClient(api: Api, itemsField: string | null) {
  return {
    /** One page of the published set, its slots as they were received; `limit` is 100 at most. */
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
