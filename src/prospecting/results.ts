import { z } from 'zod';
import {
  limits,
  resultSummarySchema,
  resultsItemsField,
  slotSchema,
  type ResultSummary,
  type Slot,
} from '../contract/index.ts';
import { ProspectingError } from './error.ts';
import { read, type Api, type CallOptions } from './transport.ts';

const resultsRoute = '/api/v1/orders/{order_id}/results';

export interface ResultsPage {
  readonly summary: ResultSummary;
  readonly total: number;
  readonly hasMore: boolean;
  readonly slots: Slot[];
}

const pageSchema = z.looseObject({ summary: resultSummarySchema, total: z.int().min(0), has_more: z.boolean() });
const slotsSchema = z.array(slotSchema);

/** `itemsField` is the name of the page's slot array, which the specification does not show (A01). */
export function createResultCalls(api: Api, itemsField: string = resultsItemsField) {
  return {
    /** One page of the published set; `limit` is 100 at most. */
    async page(orderId: string, offset: number, options: CallOptions = {}): Promise<ResultsPage> {
      const query = { limit: limits.resultsPage.max, offset };
      const call = api.GET(resultsRoute, { params: { path: { order_id: orderId }, query }, ...options });
      const request = { method: 'GET', path: resultsRoute.replace('{order_id}', orderId) };
      const page = await read(pageSchema, call, request);
      const found = findSlots(page, itemsField);
      if (typeof found === 'string') throw new ProspectingError({ kind: 'contract', ...request, detail: found });
      const slots = await read(slotsSchema, Promise.resolve({ data: found, response: new Response() }), request);
      return { summary: page.summary, total: page.total, hasMore: page.has_more, slots };
    },
  };
}

/** The slot array under its expected name, else the only array of objects on the page, else what was seen instead. */
export function findSlots(page: Record<string, unknown>, itemsField: string): unknown[] | string {
  const named = page[itemsField];
  if (Array.isArray(named)) return named;
  const arrays = Object.entries(page).flatMap(([key, value]) => (isArrayOfObjects(value) ? [{ key, value }] : []));
  const [only] = arrays;
  if (only !== undefined && arrays.length === 1) return only.value;
  const seen = arrays.length === 0 ? Object.keys(page) : arrays.map(({ key }) => key);
  return `the page has no array of slots named ${itemsField}; ${
    arrays.length === 0 ? 'its keys are' : 'several arrays could be it:'
  } ${seen.join(', ')}; set service.results_items`;
}

function isArrayOfObjects(value: unknown): value is unknown[] {
  return (
    Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  );
}
