// Whatever HubSpot does to its callers, an order arrives: no row is lost, nobody is there twice, the sums close.
import { ApplicationFailure } from '@temporalio/common';
import type { Fault } from '../../sandbox/fault-rules.ts';
import { faultPresets } from '../../sandbox/hubspot/fault-presets.ts';
import type { CrmRecord, ObjectType } from '../../src/hubspot/hubspot-record.ts';
import { createActivityHarness, type Collected, type ActivityHarness } from './harness.ts';

const quantity = 12;
/** Temporal tries for two weeks. */
const attempts = 30;

const effects = {
  ...faultPresets,
  slow: { delay_ms: 20 },
  page_instead_of_json: { status: 502, html: true },
  broken_off: { truncate: true, reset: true },
  half_an_answer: { truncate: true },
  unknown_to_everybody: { status: 524 },
} as const;

const calls = [
  'companies/batch/read',
  'companies/search',
  'companies/batch/upsert',
  'companies/batch/update',
  'contacts/batch/read',
  'contacts/batch/upsert',
  'contacts/batch/update',
  'contacts/companies/batch/read',
  'contacts/companies/batch/create',
];

const writes = calls.filter((path) => /batch\/(?:upsert|update|create)$/.test(path));

/** Half of the companies and some people are in the CRM already, so that every kind of call is made. */
async function createOrder() {
  const surroundings = await createActivityHarness();
  await surroundings.prepareCrm();
  const order = await surroundings.collectDiscovery(quantity);
  const stored = await surroundings.ledger.slots.read(order.orderId, { from: 0, to: quantity });
  const companies = stored.map(({ json }) => JSON.parse(json).company as Company);
  await surroundings.createRecords(
    'companies',
    companies.slice(0, quantity / 2).map(({ domain }) => ({ domain, name: 'As people wrote it' })),
  );
  const emails = companies.slice(0, 4).map(({ prospects }) => prospects[0]?.email ?? '');
  await surroundings.createRecords(
    'contacts',
    emails.filter((email) => email !== '').map((email) => ({ email })),
  );
  return { surroundings, order, people: companies.flatMap(({ prospects }) => prospects).length };
}

interface Company {
  readonly domain: string;
  readonly prospects: readonly { readonly email: string }[];
}

function project({ perform }: ActivityHarness, { orderId, total }: Collected, projectionId: string, attempt = 1) {
  const range = { from: 0, to: total, onlyUnfinished: false };
  return perform('projectToCrm', { orderId, projectionId, ...range }, { attempt });
}

async function projectPatiently(surroundings: ActivityHarness, order: Collected): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await project(surroundings, order, 'first', attempt).then(
      () => null,
      (error: unknown) => error,
    );
    if (failure === null) return;
    if (attempt === attempts || !(failure instanceof ApplicationFailure) || failure.nonRetryable) throw failure;
    surroundings.wait(Number(failure.nextRetryDelay ?? 0));
  }
}

async function valuesOf(surroundings: ActivityHarness, type: ObjectType, property: string): Promise<string[]> {
  const records: CrmRecord[] = await surroundings.records(type);
  return records.map(({ properties }) => properties[property] ?? '');
}

describe('projectToCrm', () => {
  it.each([
    // Each kind of call in turn, or one of them alone.
    ...Object.keys(effects).map((name) => [name, 'every call', name === 'conflict' ? writes : calls] as const),
    ...['reset_after_commit', 'half_an_answer'].flatMap((name) => calls.map((call) => [name, call, [call]] as const)),
  ])('brings every row to the CRM once under %s of %s', async (name, _, paths) => {
    const { surroundings, order, people } = await createOrder();
    for (const path of paths) {
      const fault: Fault = { path: `*${path}`, times: 2, ...effects[name as keyof typeof effects] };
      surroundings.portals.faults(surroundings.portalId).add(fault);
    }
    await projectPatiently(surroundings, order);

    const tally = await surroundings.perform('tallyCrm', order);
    const none = { unchanged: 0, skipped: 0, quarantined: 0, failed: 0 };
    expect(tally.companies).toEqual({ ...none, created: quantity / 2, updated: quantity / 2 });
    expect(tally.contacts).toMatchObject({ ...none, updated: 4, created: people - 4 });
    for (const [type, property, count] of [
      ['companies', 'domain', quantity],
      ['contacts', 'email', people],
    ] as const) {
      const values = await valuesOf(surroundings, type, property);
      expect([values.length, new Set(values).size]).toEqual([count, count]);
    }
    surroundings.portals.faults(surroundings.portalId).clear();
    const { orderId } = order;
    const proof = await surroundings.perform('reconcileRange', { orderId, from: 0, to: quantity, crm: true });
    expect(proof).toEqual({ reconciled: quantity, findings: [] });

    const journal = surroundings.portals.journal(surroundings.portalId);
    journal.clear();
    await project(surroundings, order, 'second');
    expect(journal.entries().filter((call) => /batch\/(?:create|update|upsert|associate)/.test(call.path))).toEqual([]);
  });
});
