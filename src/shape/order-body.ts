/** Builds the body of an order with the names that `service.requests` sets for this service. */
import { domainOf, type CompanyRow, type OrderInput } from '../contract/index.ts';
import { isRecord } from './flatten-record.ts';
import type { RequestSettings, Sending } from '../contract/request-settings.ts';

type Body = Record<string, unknown>;

const overrides = ['features', 'ideal_customer_profile', 'seller_offering', 'target_countries'] as const;

export function toOrderBody(input: OrderInput, requests: RequestSettings): Body {
  const { profile_id: profileId, order_type: orderType, companies, ...rest } = input;
  const body: Body = {
    order_type: orderType === 'ENRICHMENT' ? requests.enrichment_order_type : orderType,
    ...put({}, requests.profile_reference, profileId),
    ...rest,
  };
  for (const field of overrides) {
    const sending: Sending = requests[field];
    if (sending === 'omit') delete body[field];
    if (sending === 'null') body[field] = null;
  }
  return companies === undefined ? body : { ...body, companies: companies.map((row) => toRow(row, requests)) };
}

/** Sets a value at a path of keys joined by dots; other keys stay. */
function put(body: Body, path: string, value: unknown): Body {
  const [key = path, ...inner] = path.split('.');
  if (inner.length === 0) return { ...body, [key]: value };
  const nested = Object.hasOwn(body, key) ? body[key] : undefined;
  return { ...body, [key]: put(isRecord(nested) ? { ...nested } : {}, inner.join('.'), value) };
}

/** Unknown values are left out: the specification does not show whether null is accepted. */
function toRow(row: CompanyRow, { company_row: names }: RequestSettings): Body {
  const { external_id: externalId } = row;
  let body: Body = {};
  for (const field of ['company_name', 'website_url', 'city', 'country'] as const) {
    const name = names[field];
    const value =
      field === 'website_url' && name?.toLowerCase().includes('domain') ? domainOf(row.website_url) : row[field];
    if (name !== null && value) body = put(body, name, value);
  }
  return externalId ? { ...body, external_id: externalId } : body;
}
