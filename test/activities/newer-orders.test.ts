// Two orders contain the same companies and people: the newest order keeps its records, whichever is delivered last.
import { defaultContactPolicy } from '../../src/delivery/mapping/contact-policy.ts';
import { toCrmPlan } from '../../src/delivery/mapping/crm-plan.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import { failure, plan, type ActivityHarness, type Collected } from './activity-harness.ts';
import { createReady, outcomeLines, outcomes, projectOrder, range, reconcile, row } from './order-steps.ts';

const rows = [row('Acme'), row('Bolt')];

async function createDelivered(oldRows = rows, newRows = rows) {
  const harness = await createReady();
  const older = await projectOrder(harness, harness.collectEnrichment(oldRows));
  harness.pass(60);
  const newer = await projectOrder(harness, harness.collectEnrichment(newRows));
  return { ...harness, older, newer };
}

const everyRecord = async (harness: ActivityHarness) => [
  ...(await harness.records('companies')),
  ...(await harness.records('contacts')),
];

const again = (order: Collected, changes: Parameters<typeof range>[1] = {}) =>
  range(order, { projectionId: 'again', ...changes });

describe('an older order that is delivered again', () => {
  // Guarantee: The newest order keeps its records
  it('leaves companies and contacts as the newer order has written them, and both reconciliations are green', async () => {
    const harness = await createDelivered();
    const { older, newer, perform } = harness;
    const before = await everyRecord(harness);
    await perform('projectToCrm', again(older));
    expect(await everyRecord(harness)).toEqual(before);
    const written = (await outcomes(harness, older)).filter(({ recordId }) => recordId !== null);
    expect(written.length).toBeGreaterThan(2);
    expect(new Set(written.map(({ outcome, rule }) => `${outcome} ${rule}`))).toEqual(
      new Set([`skipped newer_order:${newer.orderId}`]),
    );
    expect(await perform('tallyCrm', { orderId: older.orderId })).toMatchObject({
      companies: { skipped: 2 },
      newerOrders: { [newer.orderId]: written.length },
    });
    for (const order of [older, newer])
      expect(await reconcile(harness, order)).toMatchObject({ reconciled: 2, findings: [] });
  });

  it('adds neither notes, tasks nor list members to them, also when its delivery waited meanwhile', async () => {
    const harness = await createDelivered();
    const { older, newer, perform, configureMapping, configureRun } = harness;
    const texts = { companyNotes: { POLICY_ELIGIBLE: 'Note' }, companyTasks: { POLICY_ELIGIBLE: 'Task' } };
    configureMapping(toCrmPlan({ ...defaultMapping, ...texts }, defaultContactPolicy));
    const run = plan({ runName: 'collecting' });
    configureRun({ ...run, delivery: { ...run.delivery, lists: { companies: 'All', contacts: 'People' } } });
    const everything = ({ orderId, total }: Collected) => ({ orderId, runName: 'collecting', from: 0, to: total });
    const items = ({ orderId, total }: Collected) => ({ orderId, from: 0, to: total });
    const nothing = [{ added: 0 }, { added: 0 }];
    // The outcomes of the older order still say that it created the records.
    expect(await perform('createCompanyItems', items(older))).toEqual({ note: 0, task: 0, unwritten: {} });
    expect(await perform('addToLists', everything(older))).toMatchObject(nothing);
    await perform('projectToCrm', again(older));
    expect(await perform('createCompanyItems', items(older))).toEqual({ note: 0, task: 0, unwritten: {} });
    expect(await perform('addToLists', everything(older))).toMatchObject(nothing);
    expect(await perform('createCompanyItems', items(newer))).toEqual({ note: 2, task: 2, unwritten: {} });
    expect(await perform('addToLists', everything(newer))).toMatchObject([{ added: 2 }, {}]);
  });

  it('writes them with force', async () => {
    const harness = await createDelivered();
    const { older, newer, perform } = harness;
    await perform('projectToCrm', again(older, { force: true }));
    const companies = await harness.records('companies');
    expect(companies.map(({ properties }) => properties['prospect_sync_order_id'])).toEqual([
      older.orderId,
      older.orderId,
    ]);
    for (const order of [older, newer])
      expect(await reconcile(harness, order)).toMatchObject({ reconciled: 2, findings: [] });
  });

  it('writes the records that the newer order does not have', async () => {
    const harness = await createDelivered(rows, [row('Acme')]);
    const { older, newer, perform } = harness;
    const bolt = (await outcomes(harness, older)).find(({ position }) => position === 1)?.recordId ?? '';
    await harness.hubspot.objects.update('companies', [{ id: bolt, properties: { prospect_sync_status: '' } }]);
    await perform('projectToCrm', again(older));
    const lines = (await outcomeLines(harness, older)).filter((line) => / company /.test(line));
    expect(lines).toEqual([`0 company skipped newer_order:${newer.orderId}`, '1 company updated']);
  });

  it('leaves a record to an order that this ledger does not know, by the time on the record', async () => {
    const harness = await createReady();
    const older = await projectOrder(harness, harness.collectEnrichment(rows));
    const { perform } = harness;
    const [company] = await harness.records('companies');
    const stamp = (prospect_sync_delivered_at: string) =>
      harness.hubspot.objects.update('companies', [
        { id: company?.id ?? '', properties: { prospect_sync_order_id: 'elsewhere', prospect_sync_delivered_at } },
      ]);
    await stamp('2099-01-01T00:00:00.000Z');
    await perform('projectToCrm', again(older));
    expect(await outcomeLines(harness, older)).toContain('0 company skipped newer_order:elsewhere');
    await stamp('2000-01-01T00:00:00.000Z');
    await perform('projectToCrm', again(older, { projectionId: 'third' }));
    expect(await outcomeLines(harness, older)).toContain('0 company updated');
  });

  it('does not create records anew that the newer order wrote and HubSpot has lost', async () => {
    const harness = await createDelivered();
    const { older, newer, perform } = harness;
    harness.portals.reset(harness.portalId);
    await harness.prepareCrm();
    const all = ({ orderId, total }: Collected) => ({ orderId, from: 0, to: total });
    expect(await perform('repairRecords', all(older))).toMatchObject({ reopened: 0 });
    expect((await perform('repairRecords', all(newer))).reopened).toBeGreaterThan(2);
  });

  it('reports no wrong values of records that the newer order has written', async () => {
    const harness = await createDelivered();
    const [company] = await harness.records('companies');
    await harness.hubspot.objects.update('companies', [{ id: company?.id ?? '', properties: { name: 'Wrong' } }]);
    expect(await reconcile(harness, harness.older)).toMatchObject({ reconciled: 2, findings: [] });
    expect(await reconcile(harness, harness.newer)).toMatchObject({ reconciled: 1 });
  });
});

describe('orders that were published at the same time', () => {
  it('leave a record to the order with the greater id', async () => {
    const harness = await createReady();
    const orders = [await harness.collectEnrichment(rows), await harness.collectEnrichment(rows)];
    const at = '2099-01-01T00:00:00.000Z';
    for (const { orderId } of orders) await harness.ledger.orders.savePublishedAt(orderId, at);
    const [lesser, greater] = orders.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
    if (lesser === undefined || greater === undefined) throw new Error('two orders');
    await harness.perform('projectToCrm', range(greater));
    await harness.perform('projectToCrm', range(lesser));
    expect(await outcomeLines(harness, lesser)).toContain(`0 company skipped newer_order:${greater.orderId}`);
    await harness.perform('projectToCrm', again(greater));
    expect(await outcomeLines(harness, greater)).toContain('0 company unchanged');
  });
});

describe('an order that was cancelled and is delivered again', () => {
  // Guarantee: Counts are those of the ledger
  it('counts as created what its first pass created, although no answer was recorded', async () => {
    const harness = await createReady();
    const order = await harness.collectEnrichment(rows);
    const lost = { method: 'POST', path: /companies\/batch\/upsert$/, commit: true, reset: true, times: 2 } as const;
    harness.portals.faults(harness.portalId).add(lost);
    await failure(harness.perform('projectToCrm', range(order)));
    await harness.perform('projectToCrm', again(order));
    const { companies } = await harness.perform('tallyCrm', { orderId: order.orderId });
    expect(companies).toMatchObject({ created: 2, unchanged: 0, updated: 0 });
  });
});
