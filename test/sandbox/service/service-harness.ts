import { createClock } from '../../../sandbox/clock.ts';
import { createServiceSandbox, type ServiceSandboxOptions } from '../../../sandbox/service/service-sandbox.ts';

// Tests may read any field; the sandbox itself checks answers against the contract.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

export interface ServiceAnswer {
  status: number;
  body: Json;
  text: string;
  headers: Headers;
}

export interface AskOptions {
  apiKey?: string;
  idempotencyKey?: string;
}

const noon = Date.parse('2026-11-20T12:00:00Z');

// After all tests of a file: some share one sandbox.
const opened: { close(): void }[] = [];
afterAll(() => {
  for (const each of opened.splice(0)) each.close();
});

/** A sandbox service with one organisation and a frozen clock that only `pass` and `advance` move. Closed after all tests. */
export function createTestService(options: ServiceSandboxOptions = {}) {
  let keys = 0;
  const clock = createClock({ frozenAt: noon });
  const service = createServiceSandbox({ clock, ...options });
  opened.push(service, clock);
  const { organizationId, apiKey } = service.createOrganization({ name: 'test' });

  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    options: AskOptions = {},
  ): Promise<ServiceAnswer> => {
    const headers = new Headers({ authorization: `Bearer ${options.apiKey ?? apiKey}` });
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (options.idempotencyKey !== undefined) headers.set('Idempotency-Key', options.idempotencyKey);
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const response = await service.fetch(
      new Request(`http://service.test/api/v1${path}`, { method, headers, body: sent }),
    );
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      text,
      headers: response.headers,
    };
  };
  /** Moves the clock and waits for running work, such as output files. */
  const advance = (seconds: number) => clock.advanceTo(clock.now() + seconds * 1_000);
  /** Moves the clock without waiting. */
  const pass = (seconds: number) => void advance(seconds);
  const createProfile = async (changes: Record<string, unknown> = {}): Promise<string> => {
    const created = await ask('POST', '/search-profile-creations', profileInput(changes), {
      idempotencyKey: `profile ${(keys += 1)}`,
    });
    await advance(2);
    const read = await ask('GET', `/search-profile-creations/${created.body.profile_creation_id}`);
    return read.body.profile_id;
  };
  const createBlacklist = async (entries: unknown[] = []): Promise<string> => {
    const { body } = await ask('POST', '/blacklists', { name: 'Exclusions' });
    if (entries.length > 0) await ask('POST', `/blacklists/${body.id}/entries`, { entries });
    return body.id;
  };
  const createOrder = async (order: Record<string, unknown>): Promise<string> => {
    const { body } = await ask('POST', '/orders', order);
    return body.order_id;
  };
  /** Places an order and waits until it has ended. */
  const finishOrder = async (order: Record<string, unknown>): Promise<string> => {
    const id = await createOrder(order);
    await advance(4);
    return id;
  };
  const readSlots = async (orderId: string, limit = 100): Promise<Json[]> => {
    const slots: Json[] = [];
    for (;;) {
      const { body } = await ask('GET', `/orders/${orderId}/results?limit=${limit}&offset=${slots.length}`);
      slots.push(...body.items);
      if (!body.has_more) return slots;
      if (body.items.length === 0) throw new Error('an empty page says that more follow');
    }
  };

  return {
    service,
    clock,
    organizationId,
    apiKey,
    ask,
    pass,
    advance,
    createProfile,
    createBlacklist,
    createOrder,
    finishOrder,
    readSlots,
  };
}

export function profileInput(changes: Record<string, unknown> = {}) {
  return {
    profile_name: 'Makers',
    ideal_customer_profile: 'Companies that make things',
    target_countries: ['Germany'],
    ...changes,
  };
}

export const unknownId = '00000000-0000-4000-8000-000000000000';
