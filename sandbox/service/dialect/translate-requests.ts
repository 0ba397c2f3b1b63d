/** Translates orders in the form of another service to the contract; fields in the contract's own form are rejected. */
import { isRecord, put, take, type Choose, type Json } from './json-paths.ts';

interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

const unknownType = 'extra_forbidden';

const rowFields = ['company_name', 'website_url', 'city', 'country'] as const;
const overrides = ['features', 'ideal_customer_profile', 'seller_offering', 'target_countries'] as const;

/** Translates a request to the contract, or rejects one that is not in the form of this service. */
export function createRequestTranslator(choose: Choose) {
  return async (request: Request): Promise<Request | Response> => {
    const { pathname } = new URL(request.url);
    if (request.method !== 'POST') return request;
    if (blacklistPath.test(pathname)) return translateBlacklist(request, pathname);
    if (pathname !== '/api/v1/orders') return request;
    const sent: unknown = await request
      .clone()
      .json()
      .catch(() => null);
    if (!isRecord(sent)) return request;
    const problems: Problem[] = [];
    let body = sent;
    body = rename(body, choose('profile_reference'), 'profile_id', [], problems, true);
    body = translateType(body, choose('enrichment_order_type'), problems);
    if (Array.isArray(body['companies'])) {
      const companies = body['companies'].map((row: unknown, index) =>
        isRecord(row) ? toRow(row, index, problems) : row,
      );
      body = { ...body, companies };
    }
    for (const field of overrides) {
      const rule = choose(field);
      const isThere = body[field] !== undefined && body[field] !== null;
      if (rule === 'required' && !isThere)
        problems.push({ loc: ['body', field], msg: 'Field required', type: 'missing' });
      if (rule === 'refused' && Object.hasOwn(body, field)) problems.push(unknownField([field]));
    }
    // A service that ignores unknown fields reports only missing ones.
    const reported =
      choose('unknown_request_fields') === 'ignore' ? problems.filter(({ type }) => type !== unknownType) : problems;
    if (reported.length > 0) return Response.json({ detail: reported }, { status: 422 });
    return withBody(request, withoutNulls(withoutEmptyBlacklists(body)));
  };

  /** New blacklists and their entries. */
  async function translateBlacklist(request: Request, pathname: string): Promise<Request> {
    const field = pathname.endsWith('/entries') ? 'entries' : 'description';
    if (field === 'entries' ? choose('entry_id') !== 'ignore' : choose('null_description') !== 'accept') return request;
    const sent: unknown = await request
      .clone()
      .json()
      .catch(() => null);
    if (!isRecord(sent)) return request;
    const { entries, ...rest } = sent;
    if (field === 'description')
      return withBody(request, sent['description'] === null ? without(sent, ['description']) : sent);
    if (!Array.isArray(entries)) return request;
    const kept = entries.map((entry: unknown) => (isRecord(entry) ? without(entry, ['id', 'created_at']) : entry));
    return withBody(request, { ...rest, entries: kept });
  }

  function withoutEmptyBlacklists(body: Json): Json {
    const ids = body['blacklist_ids'];
    const isEmpty = Array.isArray(ids) && ids.length === 0 && body['order_type'] === 'ENRICHMENT';
    return isEmpty && choose('empty_blacklists') === 'accept' ? without(body, ['blacklist_ids']) : body;
  }

  function toRow(row: Json, index: number, problems: Problem[]): Json {
    let body = row;
    for (const field of rowFields) {
      const name = choose(`row.${field}`);
      body = rename(body, name, field, ['companies', index], problems, field === 'company_name');
      // A field for domains does not accept a URL with a scheme.
      if (field === 'website_url' && name.includes('domain') && typeof body[field] === 'string')
        body = { ...body, [field]: `https://${body[field]}` };
    }
    return body;
  }
}

function rename(
  record: Json,
  name: string,
  own: string,
  at: readonly (string | number)[],
  problems: Problem[],
  isRequired: boolean,
): Json {
  if (name === own) return record;
  if (Object.hasOwn(record, own)) problems.push(unknownField([...at, own]));
  const { value, rest } = take(record, name);
  if (value === undefined && isRequired)
    problems.push({ loc: ['body', ...at, ...name.split('.')], msg: 'Field required', type: 'missing' });
  return value === undefined ? record : put(rest, own, value);
}

function translateType(body: Json, word: string, problems: Problem[]): Json {
  const type = body['order_type'];
  if (word === 'ENRICHMENT' || type === 'DISCOVERY') return body;
  if (type === word) return { ...body, order_type: 'ENRICHMENT' };
  problems.push({ loc: ['body', 'order_type'], msg: `Input should be 'DISCOVERY' or '${word}'`, type: 'enum' });
  return body;
}

function unknownField(path: readonly (string | number)[]): Problem {
  return { loc: ['body', ...path], msg: 'Extra inputs are not permitted', type: unknownType };
}

const blacklistPath = /^\/api\/v1\/blacklists(?:\/[^/]+\/entries)?$/;

function withBody(request: Request, body: Json): Request {
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  return new Request(request.url, { method: 'POST', headers, body: JSON.stringify(body), signal: request.signal });
}

function without(record: Json, fields: readonly string[]): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)));
}

function withoutNulls(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
