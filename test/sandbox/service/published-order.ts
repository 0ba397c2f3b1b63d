import type { ServiceSandboxOptions } from '../../../sandbox/service/service-sandbox.ts';
import { createTestService } from './service-harness.ts';

/** One row of every status. */
export const rows = [
  { company_name: 'Acme, "Great" GmbH', website_url: 'https://acme.test', external_id: 'crm-1' },
  { company_name: 'Acme', website_url: 'https://www.acme.test/about', external_id: 'crm-2' },
  { company_name: 'Moved', website_url: 'https://acme.website-moved.example' },
  { company_name: 'Nobody', website_url: 'https://acme.unresolved-identity.example', external_id: '=1+1' },
  { company_name: 'Held', website_url: 'https://acme.blocked-for-review.example' },
  { company_name: 'Beta', website_url: 'https://beta.test' },
];

interface PublishOptions extends ServiceSandboxOptions {
  readonly title?: string;
  /** How many companies a discovery order asks for; an enrichment order of `rows` when absent. */
  readonly quantity?: number;
  readonly profile?: Record<string, unknown>;
}

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const service of opened.splice(0)) service.close();
});

/** A published order, and its outputs; closed after the test, files and work included. */
export async function publish({ title = 'Spring', quantity, profile, ...options }: PublishOptions = {}) {
  const service = createTestService(options);
  opened.push(service.service);
  const profile_id = await service.createProfile(profile);
  const wanted =
    quantity === undefined
      ? { order_type: 'ENRICHMENT', companies: rows }
      : { order_type: 'DISCOVERY', briefing_quantity: quantity };
  const order: { companies?: unknown[] } & Record<string, unknown> = { ...wanted, profile_id, title };
  const orderId = await service.finishOrder(order);
  const path = `/orders/${orderId}/outputs`;
  const create = (body: unknown, idempotencyKey?: string) =>
    service.ask('POST', path, body, idempotencyKey === undefined ? {} : { idempotencyKey });
  const read = async (id: string) => (await service.ask('GET', `${path}/${id}`)).body;
  const list = async (query = '') => (await service.ask('GET', `${path}${query}`)).body;
  /** A new output, read when it is over. */
  const finish = async (body: unknown, idempotencyKey?: string) => {
    const { output_id } = (await create(body, idempotencyKey)).body;
    await service.advance(1);
    return read(output_id);
  };
  const send = (target: string, headers: Record<string, string> = {}) =>
    service.service.fetch(new Request(new URL(target, 'http://service.test'), { headers }));
  /** As a client that follows redirects, which here takes nothing of the first request along. */
  const download = async (exportJobId: string) => {
    const target = `/api/v1/exports/jobs/${exportJobId}/download`;
    const redirect = await send(target, { authorization: `Bearer ${service.apiKey}` });
    return { redirect, file: await send(redirect.headers.get('location') ?? '/nowhere') };
  };
  return { ...service, profileId: profile_id, order, orderId, path, create, read, list, finish, send, download };
}
