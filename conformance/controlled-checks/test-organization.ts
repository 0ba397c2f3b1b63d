import { isDeepStrictEqual } from 'node:util';
import { operations, type Order, type OrderInput, type Slot } from '../../src/service/contract/index.ts';
import { need } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { byBlacklist, byCreation, byOrder } from '../checks/path-parameters.ts';

/** By then every profile creation, order and output of the sandbox has ended. */
const longestSeconds = 60;

/** Creates an organization for one check, so that data of other checks does not disturb it. */
export function createTestOrganization(common: Probe) {
  const server = need(common.server, 'control over the server');
  const { organizationId, apiKey } = server.createOrganization();
  const probe = common.withKey(apiKey);

  async function createProfile(changes: Record<string, unknown> = {}): Promise<string> {
    const body = profileInput(changes);
    const created = await probe.ask(operations.createProfile, 202, { idempotencyKey: probe.newId(), body });
    await server.advance(longestSeconds);
    const read = await probe.ask(operations.getProfileCreation, 200, byCreation(created.profile_creation_id));
    return need(read.profile_id ?? undefined, 'a profile that succeeded');
  }

  async function createBlacklist(entries: readonly object[] = []): Promise<string> {
    const { id } = await probe.ask(operations.createBlacklist, 201, { body: { name: 'Exclusions' } });
    if (entries.length > 0) await probe.ask(operations.addEntries, 201, { ...byBlacklist(id), body: { entries } });
    return id;
  }

  const placeOrder = (body: OrderInput): Promise<Order> => probe.ask(operations.createOrder, 201, { body });

  /** @returns the id of the order when it has ended */
  async function finishOrder(body: OrderInput): Promise<string> {
    const { order_id } = await placeOrder(body);
    await server.advance(longestSeconds);
    return order_id;
  }

  const readResults = (orderId: string) =>
    probe.ask(operations.listResults, 200, { ...byOrder(orderId), query: { limit: 100 } });
  const readSlots = async (orderId: string): Promise<readonly Slot[]> => (await readResults(orderId)).items;

  return {
    probe,
    server,
    organizationId,
    createProfile,
    createBlacklist,
    placeOrder,
    finishOrder,
    readResults,
    readSlots,
    expectEqual: (what: string, found: unknown, expected: unknown) => expectEqual(probe, what, found, expected),
  };
}
export type TestOrganization = ReturnType<typeof createTestOrganization>;

/** Findings show both values, because all data on a server under control is generated. */
function expectEqual(probe: Probe, what: string, found: unknown, expected: unknown): void {
  const isEqual = isDeepStrictEqual(found, expected);
  probe.expect(isEqual, `${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}

export function profileInput(changes: Record<string, unknown> = {}) {
  return {
    profile_name: 'Makers',
    ideal_customer_profile: 'Companies that make things',
    target_countries: ['Germany'],
    ...changes,
  };
}
