import { scopes, type Scope } from '../../src/contract/index.ts';
import { createTestService } from '../sandbox/service/service-harness.ts';

type TestService = ReturnType<typeof createTestService>;

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** "ISO 8601 UTC timestamp with microseconds and Z suffix" */
export const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** Refused with the scope named when the key lacks that scope only; let through when the key has no other. */
export async function expectScope(service: TestService, scope: Scope, method: string, path: string, body?: unknown) {
  const keyWith = (held: readonly Scope[]) =>
    service.service.createKey({ organizationId: service.organizationId, scopes: held });
  const others = scopes.filter((other) => other !== scope);
  const refused = await service.ask(method, path, body, { ...keyWith(others), idempotencyKey: 'scope' });
  expect([refused.status, refused.body?.required_scopes]).toEqual([403, [scope]]);
  const passed = await service.ask(method, path, body, { ...keyWith([scope]), idempotencyKey: 'scope' });
  expect(passed.status).toBeLessThan(300);
}

/** A published enrichment order: its slots in order, a results page and the order itself. */
export async function enrich(companies: readonly Record<string, unknown>[], title = 'Enrichment') {
  const service = createTestService();
  const profile_id = await service.createProfile();
  const id = await service.finishOrder({ order_type: 'ENRICHMENT', profile_id, companies, title });
  return readPublished(service, id);
}

/** A published discovery order, in the same form. */
export async function discover(briefing_quantity: number, title = 'Discovery') {
  const service = createTestService();
  const profile_id = await service.createProfile();
  const id = await service.finishOrder({ order_type: 'DISCOVERY', profile_id, briefing_quantity, title });
  return readPublished(service, id);
}

async function readPublished(service: TestService, id: string) {
  const { body: page } = await service.ask('GET', `/orders/${id}/results?limit=100`);
  const { body: order } = await service.ask('GET', `/orders/${id}`);
  return { slots: page.items, page, order };
}

/** Every value that a field had, by the status that stood beside it. */
export function byStatus(seen: readonly Record<string, unknown>[], field: string): Record<string, unknown[]> {
  const values: Record<string, unknown[]> = {};
  for (const reading of seen) {
    const [status, value] = [String(reading['status']), reading[field]];
    const known = (values[status] ??= []);
    if (!known.includes(value)) known.push(value);
  }
  return values;
}
