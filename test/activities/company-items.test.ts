// Notes and tasks on the companies of rows with chosen reason codes.
import { defaultContactPolicy } from '../../src/delivery/mapping/contact-policy.ts';
import { toCrmPlan } from '../../src/delivery/mapping/crm-plan.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import type { ActivityHarness, Collected } from './activity-harness.ts';
import { failure } from './activity-harness.ts';
import { createReady, range, reconcile, row } from './order-steps.ts';

interface Engagement {
  readonly id: string;
  readonly properties: Record<string, string | null>;
  readonly associations?: { readonly companies?: { readonly results: readonly { readonly id: string }[] } };
}

const texts = {
  companyNotes: { POLICY_ELIGIBLE: 'Delivered by {order.id}:\n<{company.name}>' },
  companyTasks: { POLICY_ELIGIBLE: 'Call {company.name}', NO_PEOPLE_FOUND: 'never used here' },
};

async function createProjected() {
  const harness = await createReady();
  const order = await harness.collectEnrichment([row('Acme'), row('Bolt')]);
  harness.configureMapping(toCrmPlan({ ...defaultMapping, ...texts }, defaultContactPolicy));
  await harness.perform('projectToCrm', range(order));
  return { ...harness, order };
}

const create = ({ perform }: ActivityHarness, { orderId, total }: Collected) =>
  perform('createCompanyItems', { orderId, from: 0, to: total });

async function list({ sendToHubSpot }: ActivityHarness, type: 'notes' | 'tasks'): Promise<Engagement[]> {
  const properties = 'hs_note_body,hs_task_subject,hs_task_body,hs_timestamp,hubspot_owner_id';
  const path = `/crm/v3/objects/${type}?limit=100&associations=companies&properties=${properties}`;
  return (await sendToHubSpot<{ results: Engagement[] }>('GET', path)).results;
}

describe('createCompanyItems', () => {
  it('creates one note and one task on each company of the reason', async () => {
    const harness = await createProjected();
    const { order } = harness;
    expect(await create(harness, order)).toEqual({ note: 2, task: 2, unwritten: {} });
    const [notes, tasks] = [await list(harness, 'notes'), await list(harness, 'tasks')];
    const names = (await harness.records('companies')).map(({ id, properties }) => [id, properties['name']]);
    expect(tasks.map((task) => [parentOf(task), task.properties['hs_task_subject']])).toEqual(
      names.map(([id, name]) => [id, `Call ${name}`]),
    );
    expect(notes.map((note) => [parentOf(note), note.properties['hs_note_body']])).toEqual(
      names.map(([id, name], index) => [
        id,
        `<p>Delivered by ${order.orderId}:<br>&lt;${name}&gt;</p><p>prospect-sync order ${order.orderId}, row ${index + 1}.</p>`,
      ]),
    );
  });

  it('creates those of many rows in few calls', async () => {
    const harness = await createReady();
    const order = await harness.collectEnrichment(Array.from({ length: 120 }, (_, index) => row(`Maker${index}`)));
    harness.configureMapping(toCrmPlan({ ...defaultMapping, ...texts }, defaultContactPolicy));
    await harness.perform('projectToCrm', range(order));
    const before = harness.portals.journal(harness.portalId).entries().length;
    expect(await create(harness, order)).toMatchObject({ note: 120, task: 120 });
    const calls = harness.portals.journal(harness.portalId).entries().slice(before);
    // The companies and the links to notes and tasks are read, and each of both is created, 100 a call.
    expect(calls.length).toBeLessThanOrEqual(10);
    expect(calls.filter(({ path }) => path.endsWith('/batch/create'))).toHaveLength(4);
  });

  it('gives them to the owner of the company', async () => {
    const harness = await createProjected();
    const [company] = await harness.records('companies');
    const owned = { properties: { hubspot_owner_id: '77' } };
    await harness.sendToHubSpot('PATCH', `/crm/v3/objects/companies/${company?.id}`, owned);
    await create(harness, harness.order);
    const owners = (await list(harness, 'tasks')).map(({ properties }) => properties['hubspot_owner_id']);
    expect(owners).toEqual(['77', null]);
  });

  it('creates nothing again, not even what people have deleted', async () => {
    const harness = await createProjected();
    await create(harness, harness.order);
    const [deleted] = await list(harness, 'tasks');
    await harness.sendToHubSpot('DELETE', `/crm/v3/objects/tasks/${deleted?.id}`);
    expect(await create(harness, harness.order)).toMatchObject({ note: 2, task: 2 });
    expect(await list(harness, 'tasks')).toHaveLength(1);
  });

  it('is read back: what people have deleted is counted, and is no finding', async () => {
    const harness = await createProjected();
    await create(harness, harness.order);
    const [deleted] = await list(harness, 'notes');
    await harness.sendToHubSpot('DELETE', `/crm/v3/objects/notes/${deleted?.id}`);
    const { findings, readBack } = await reconcile(harness, harness.order);
    expect(findings).toEqual([]);
    expect(readBack?.items).toEqual({ notes: { written: 2, gone: 1 }, tasks: { written: 2, gone: 0 } });
  });

  it('finds what an attempt created whose answer was lost', async () => {
    const harness = await createProjected();
    const { portals, portalId, order } = harness;
    portals
      .faults(portalId)
      .add({ method: 'POST', path: /objects\/notes\/batch\/create$/, commit: true, reset: true, times: 1 });
    const lost = await failure(create(harness, order));
    expect(lost).toMatchObject({ nonRetryable: false });
    expect(await create(harness, order)).toMatchObject({ note: 2, task: 2 });
    expect(await list(harness, 'notes')).toHaveLength(2);
  });

  it('waits a minute before it repeats a creation that HubSpot may still carry out', async () => {
    const harness = await createProjected();
    const { portals, portalId, order } = harness;
    portals.faults(portalId).add({ method: 'POST', path: /objects\/notes\/batch\/create$/, reset: true, times: 1 });
    await failure(create(harness, order));
    // Tasks are created meanwhile; both notes were in one call.
    expect(await failure(create(harness, order))).toMatchObject({ type: 'ItemUnsettled', nonRetryable: false });
    expect([await list(harness, 'notes'), await list(harness, 'tasks')].map(({ length }) => length)).toEqual([0, 2]);
    harness.pass(61);
    expect(await create(harness, order)).toMatchObject({ note: 2, task: 2 });
    expect(await list(harness, 'notes')).toHaveLength(2);
  });

  it('counts rows without a written company instead', async () => {
    const harness = await createReady();
    harness.configureMapping(toCrmPlan({ ...defaultMapping, ...texts }, defaultContactPolicy));
    const order = await harness.collectEnrichment([row('Acme')]);
    expect(await create(harness, order)).toEqual({ note: 0, task: 0, unwritten: { POLICY_ELIGIBLE: 1 } });
  });
});

function parentOf({ associations }: Engagement): string | undefined {
  return associations?.companies?.results[0]?.id;
}
