// Whatever faults HubSpot has, an order is written completely: no row is lost, no record is duplicated, and the sums add up.
import { ApplicationFailure } from '@temporalio/common';
import type { Fault } from '../../sandbox/fault-rules.ts';
import { faultPresets } from '../../sandbox/hubspot/fault-presets.ts';
import type { CrmRecord, ObjectType } from '../../src/hubspot/hubspot-record.ts';
import { createActivityHarness, type Collected, type ActivityHarness } from './activity-harness.ts';
import { sampleOf } from '../helpers/sample.ts';

const quantity = 12;
/** Temporal retries for two weeks. */
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

/** HubSpot already contains half of the companies and some contacts, so every kind of request is sent. */
async function createOrder() {
  const harness = await createActivityHarness();
  await harness.prepareCrm();
  const order = await harness.collectDiscovery(quantity);
  const stored = await harness.ledger.slots.read(order.orderId, { from: 0, to: quantity });
  const companies = stored.map(({ json }) => JSON.parse(json).company as Company);
  await harness.createRecords(
    'companies',
    companies.slice(0, quantity / 2).map(({ domain }) => ({ domain, name: 'As people wrote it' })),
  );
  const emails = companies.slice(0, 4).map(({ prospects }) => prospects[0]?.email ?? '');
  await harness.createRecords(
    'contacts',
    emails.filter((email) => email !== '').map((email) => ({ email })),
  );
  return { harness, order, people: companies.flatMap(({ prospects }) => prospects).length };
}

interface Company {
  readonly domain: string;
  readonly prospects: readonly { readonly email: string }[];
}

function project({ perform }: ActivityHarness, { orderId, total }: Collected, projectionId: string, attempt = 1) {
  const range = { from: 0, to: total, onlyUnfinished: false };
  return perform('projectToCrm', { orderId, projectionId, ...range }, { attempt });
}

async function projectWithRetries(harness: ActivityHarness, order: Collected): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await project(harness, order, 'first', attempt).then(
      () => null,
      (error: unknown) => error,
    );
    if (failure === null) return;
    if (attempt === attempts || !(failure instanceof ApplicationFailure) || failure.nonRetryable) throw failure;
    harness.advanceHubSpotClock(Number(failure.nextRetryDelay ?? 0));
  }
}

async function valuesOf(harness: ActivityHarness, type: ObjectType, property: string): Promise<string[]> {
  const records: CrmRecord[] = await harness.records(type);
  return records.map(({ properties }) => properties[property] ?? '');
}

describe('projectToCrm', () => {
  const cases = [
    // Every kind of request in turn, or only one kind.
    ...Object.keys(effects).map((name) => [name, 'every call', name === 'conflict' ? writes : calls] as const),
    ...['reset_after_commit', 'half_an_answer'].flatMap((name) => calls.map((call) => [name, call, [call]] as const)),
  ];
  it.each(sampleOf(cases, 8))('writes every row to HubSpot exactly once under %s of %s', async (name, _, paths) => {
    const { harness, order, people } = await createOrder();
    for (const path of paths) {
      const fault: Fault = { path: `*${path}`, times: 2, ...effects[name as keyof typeof effects] };
      harness.portals.faults(harness.portalId).add(fault);
    }
    await projectWithRetries(harness, order);

    const tally = await harness.perform('tallyCrm', order);
    const none = { unchanged: 0, skipped: 0, quarantined: 0, failed: 0 };
    expect(tally.companies).toEqual({ ...none, created: quantity / 2, updated: quantity / 2 });
    expect(tally.contacts).toMatchObject({ ...none, updated: 4, created: people - 4 });
    for (const [type, property, count] of [
      ['companies', 'domain', quantity],
      ['contacts', 'email', people],
    ] as const) {
      const values = await valuesOf(harness, type, property);
      expect([values.length, new Set(values).size]).toEqual([count, count]);
    }
    harness.portals.faults(harness.portalId).clear();
    const { orderId } = order;
    const proof = await harness.perform('reconcileRange', { orderId, from: 0, to: quantity, crm: true });
    expect(proof).toMatchObject({ reconciled: quantity, findings: [] });

    const journal = harness.portals.journal(harness.portalId);
    journal.clear();
    await project(harness, order, 'second');
    expect(journal.entries().filter((call) => /batch\/(?:create|update|upsert|associate)/.test(call.path))).toEqual([]);
  });
});
