/** Translates answers of the contract to the chosen alternatives. */
import { isRecord, put, type Choose, type Json } from './json-paths.ts';
import { createRecordTranslator } from './translate-records.ts';

const orderPath = /^\/api\/v1\/orders\/[^/]+$/;
const resultsPath = /^\/api\/v1\/orders\/[^/]+\/results$/;
const outputsPath = /^\/api\/v1\/orders\/[^/]+\/(?:export|outputs(?:\/[^/]+)?)$/;
const creationPath = /^\/api\/v1\/search-profile-creations(?:\/[^/]+)?$/;

export function createAnswerTranslator(choose: Choose) {
  const { toSlot, toTime } = createRecordTranslator(choose);
  return async (request: Request, response: Response): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    if (!isRecord(body)) return response;
    if (pathname === '/api/v1/orders' && request.method === 'POST') return toOrderAnswer(body, response);
    if (pathname === '/api/v1/orders') return toOrderList(body, response);
    if (orderPath.test(pathname)) return reply(response, wrap(choose('order_record'), toOrder(body)));
    if (resultsPath.test(pathname)) return reply(response, toPage(body));
    if (outputsPath.test(pathname)) return reply(response, withOutputNulls(body));
    if (creationPath.test(pathname)) return reply(response, wrap(choose('creation_answer'), body));
    return response;
  };

  function toOrder(order: Json): Json {
    const {
      available_briefing_quantity: available,
      created_at: createdAt,
      updated_at: updatedAt,
      result_summary: summary,
      ...rest
    } = order;
    const isOpen = order['results_published'] === false;
    const choice = isOpen ? choose('available_quantity') : '0';
    return {
      ...rest,
      ...(choice === 'absent' ? {} : { available_briefing_quantity: choice === 'null' ? null : available }),
      result_summary: toSummary(summary, order['order_type'] === 'DISCOVERY'),
      created_at: toTime(createdAt),
      updated_at: toTime(updatedAt),
    };
  }

  function withOutputNulls(body: Json): Json {
    if (choose('output_nulls') !== 'null') return body;
    const { outputs } = body;
    if (!Array.isArray(outputs)) return { ...unknownOutputFacts, ...body };
    return {
      ...body,
      outputs: outputs.map((output: unknown) => (isRecord(output) ? withOutputNulls(output) : output)),
    };
  }

  function toSummary(summary: unknown, isDiscovery: boolean): unknown {
    if (!isRecord(summary) || !isDiscovery || choose('discovery_reasons') !== 'absent') return summary;
    const { reasons: _reasons, ...counts } = summary;
    return counts;
  }

  function toOrderAnswer(order: Json, response: Response): Response {
    const id = String(order['order_id']);
    const location = { location: `/api/v1/orders/${id}` };
    const shape = choose('order_answer');
    if (shape === 'id_only') return reply(response, { order_id: id, status: order['status'] });
    if (shape === 'id') {
      const { order_id: _id, ...rest } = toOrder(order);
      return reply(response, { id, ...rest });
    }
    if (shape === 'location')
      return new Response('{}', {
        status: response.status,
        headers: { 'content-type': 'application/json', ...location },
      });
    if (shape === 'link')
      return reply(response, { status: 'RECEIVED', links: { self: `https://service.example/api/v1/orders/${id}` } });
    return reply(response, shape === 'data.order' ? { data: { order: toOrder(order) } } : wrap(shape, toOrder(order)));
  }

  function toOrderList(page: Json, response: Response): Response {
    const { orders, ...paging } = page;
    const list = Array.isArray(orders)
      ? orders.map((order: unknown) => (isRecord(order) ? toOrder(order) : order))
      : [];
    const choice = choose('order_list');
    if (choice === 'none')
      return Response.json({ code: 'ROUTE_NOT_FOUND', message: 'No such route.' }, { status: 404 });
    return reply(response, choice === 'array' ? list : { ...paging, [choice]: list });
  }

  function toPage(page: Json): unknown {
    const { items, summary, ...paging } = page;
    const slots = Array.isArray(items) ? items.map((slot: unknown) => (isRecord(slot) ? toSlot(slot) : slot)) : [];
    const isDiscovery = isRecord(summary) && Array.isArray(summary['reasons']) && summary['reasons'].length === 0;
    const extra = choose('results_extra');
    const whole = {
      ...(extra === 'none' ? {} : { [extra]: [] }),
      summary: toSummary(summary, isDiscovery),
      ...paging,
      [choose('results_items')]: slots,
    };
    return wrap(choose('results_wrapper') === 'none' ? 'bare' : choose('results_wrapper'), whole);
  }
}

const unknownOutputFacts = { result_count: null, result_sha256: null, location: null } as const;

function wrap(name: string, body: unknown): unknown {
  return name === 'bare' ? body : put({}, name, body);
}

function reply({ status, headers }: Response, body: unknown): Response {
  const kept = new Headers(headers);
  kept.delete('content-length');
  return new Response(JSON.stringify(body), { status, headers: kept });
}
