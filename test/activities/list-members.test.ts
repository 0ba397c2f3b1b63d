// The records that an order has written become members of static lists of HubSpot.
import type { ListNames } from '../../src/delivery/mapping/list-names.ts';
import { failure, plan, type ActivityHarness, type Collected } from './activity-harness.ts';
import { createReady, range, reconcile, row } from './order-steps.ts';

interface List {
  readonly listId: string;
  readonly processingType: string;
}

const prospects = { companies: 'Prospects', contacts: 'People of {order.id}' };

async function createProjected(lists: ListNames | null = prospects) {
  const harness = await createReady();
  const order = await harness.collectEnrichment([row('Acme'), row('Bolt'), row('Crane')]);
  configureLists(harness, lists);
  await harness.perform('projectToCrm', range(order));
  return { ...harness, order };
}

function configureLists({ configureRun }: Pick<ActivityHarness, 'configureRun'>, lists: ListNames | null): void {
  const run = plan({ runName: 'collecting' });
  configureRun({ ...run, delivery: { ...run.delivery, lists } });
}

const add = ({ perform }: ActivityHarness, { orderId, total }: Collected) =>
  perform('addToLists', { orderId, runName: 'collecting', from: 0, to: total });

const findList = async ({ sendToHubSpot }: ActivityHarness, type: '0-1' | '0-2', name: string): Promise<List> =>
  (await sendToHubSpot<{ list: List }>('GET', `/crm/v3/lists/object-type-id/${type}/name/${encodeURIComponent(name)}`))
    .list;

async function membersOf(harness: ActivityHarness, type: '0-1' | '0-2', name: string): Promise<string[]> {
  const { listId } = await findList(harness, type, name);
  const path = `/crm/v3/lists/${listId}/memberships?limit=100`;
  const { results } = await harness.sendToHubSpot<{ results: { recordId: string }[] }>('GET', path);
  return results.map(({ recordId }) => recordId).toSorted();
}

async function recordsOf(harness: ActivityHarness, type: 'companies' | 'contacts'): Promise<string[]> {
  return (await harness.records(type)).map(({ id }) => id).toSorted();
}

describe('addToLists', () => {
  it('creates the lists, and adds all written companies and contacts once', async () => {
    const harness = await createProjected();
    const [companies, contacts] = [await recordsOf(harness, 'companies'), await recordsOf(harness, 'contacts')];
    expect(contacts.length).toBeGreaterThan(0);
    expect(await add(harness, harness.order)).toEqual([
      { object: 'companies', listId: expect.any(String), added: companies.length, missing: 0 },
      { object: 'contacts', listId: expect.any(String), added: contacts.length, missing: 0 },
    ]);
    expect(await membersOf(harness, '0-2', 'Prospects')).toEqual(companies);
    expect(await membersOf(harness, '0-1', `People of ${harness.order.orderId}`)).toEqual(contacts);
    expect(await findList(harness, '0-2', 'Prospects')).toMatchObject({ processingType: 'MANUAL' });
    expect((await add(harness, harness.order)).map(({ added }) => added)).toEqual([companies.length, contacts.length]);
  });

  it('is read back: members that people have removed are counted, and are no finding', async () => {
    const harness = await createProjected({ companies: 'Prospects' });
    await add(harness, harness.order);
    const { listId } = await findList(harness, '0-2', 'Prospects');
    const [removed] = await recordsOf(harness, 'companies');
    await harness.sendToHubSpot('PUT', `/crm/v3/lists/${listId}/memberships/remove`, [removed]);
    const { findings, readBack } = await reconcile(harness, harness.order);
    expect(findings).toEqual([]);
    expect(readBack?.items).toEqual({ list_members: { written: 3, gone: 1 } });
  });

  it('refuses a list name with a field that the order does not have, before a second list is created', async () => {
    const harness = await createProjected({ companies: 'From {order.title}' });
    const orderId = '00000000-0000-4000-8000-000000000001';
    expect(await failure(add(harness, { ...harness.order, orderId }))).toMatchObject({
      type: 'ListNameUnknown',
      nonRetryable: true,
      message: expect.stringContaining(`run: prospect-sync ingest ${orderId}`),
    });
  });

  // Guarantee: A list gets each record once
  it('does not add a record again that a person has removed', async () => {
    const harness = await createProjected({ companies: 'Prospects' });
    const [report] = await add(harness, harness.order);
    const [removed = '', ...others] = await recordsOf(harness, 'companies');
    await harness.sendToHubSpot('PUT', `/crm/v3/lists/${report?.listId}/memberships/remove`, [removed]);
    expect(await add(harness, harness.order)).toMatchObject([{ added: 3 }]);
    expect(await membersOf(harness, '0-2', 'Prospects')).toEqual(others);
  });

  it('uses a static list of the name, whatever its upper and lower case', async () => {
    const harness = await createProjected({ companies: 'Prospects' });
    const list = { name: 'PROSPECTS', objectTypeId: '0-2', processingType: 'MANUAL' };
    const { listId } = (await harness.sendToHubSpot<{ list: List }>('POST', '/crm/v3/lists', list)).list;
    expect(await add(harness, harness.order)).toMatchObject([{ listId }]);
  });

  it('creates one list when the answer to its creation is lost', async () => {
    const harness = await createProjected({ companies: 'Prospects' });
    const fault = { method: 'POST', path: /\/lists$/, commit: true, reset: true, times: 1 } as const;
    harness.portals.faults(harness.portalId).add(fault);
    expect(await add(harness, harness.order)).toMatchObject([{ added: 3 }]);
    expect(await membersOf(harness, '0-2', 'Prospects')).toEqual(await recordsOf(harness, 'companies'));
  });

  it('counts records that HubSpot no longer has, and adds them when they are back', async () => {
    const harness = await createProjected({ companies: 'Prospects' });
    const [gone = ''] = await recordsOf(harness, 'companies');
    await harness.hubspot.objects.archive('companies', [gone]);
    expect(await add(harness, harness.order)).toMatchObject([{ added: 2, missing: 1 }]);
  });

  it('adds nothing where the run names no list, or its slots have no records', async () => {
    const harness = await createProjected(null);
    expect(await add(harness, harness.order)).toEqual([]);
    configureLists(harness, { companies: 'Prospects' });
    const other = await harness.collectEnrichment([row('Delta')]);
    configureLists(harness, { companies: 'Prospects' });
    expect(await add(harness, other)).toMatchObject([{ added: 0, missing: 0 }]);
  });
});

describe('prepareCrm', () => {
  const beforeOrder = { beforeOrder: true, runName: 'collecting' };

  it('refuses a DYNAMIC list before anything is ordered', async () => {
    const harness = await createReady();
    configureLists(harness, { companies: 'Active' });
    const filterBranch = {
      filterBranchType: 'OR',
      filterBranches: [
        {
          filterBranchType: 'AND',
          filterBranches: [],
          filters: [
            {
              filterType: 'PROPERTY',
              property: 'name',
              operation: { operationType: 'ALL_PROPERTY', operator: 'IS_KNOWN' },
            },
          ],
        },
      ],
      filters: [],
    };
    const list = { name: 'Active', objectTypeId: '0-2', processingType: 'DYNAMIC', filterBranch };
    await harness.sendToHubSpot('POST', '/crm/v3/lists', list);
    expect(await failure(harness.perform('prepareCrm', beforeOrder))).toMatchObject({
      type: 'ListNotStatic',
      nonRetryable: true,
      message: expect.stringContaining('hubspot_lists.companies names list'),
    });
  });

  it.each([
    ['0-1', 'People', 'names list 1 of HubSpot, which is a list of contacts. Choose the name of a list of companies'],
    ['0-2', '1', 'names 1, which is the id of list "People" of HubSpot. Write the name of a list'],
  ])(
    'refuses before anything is ordered a list of other records, and an id: %s %s',
    async (type, companies, message) => {
      const harness = await createReady();
      configureLists(harness, { companies });
      const list = { name: 'People', objectTypeId: type, processingType: 'MANUAL' };
      const { listId } = (await harness.sendToHubSpot<{ list: List }>('POST', '/crm/v3/lists', list)).list;
      configureLists(harness, { companies: companies === '1' ? listId : companies });
      expect(await failure(harness.perform('prepareCrm', beforeOrder))).toMatchObject({
        type: 'ListNameTaken',
        nonRetryable: true,
        message: expect.stringContaining(message.replaceAll(/\b1\b/g, listId)),
      });
    },
  );

  it('creates no list, and asks for the scope only where the run names one', async () => {
    const harness = await createReady();
    const asked = () =>
      harness.portals
        .journal(harness.portalId)
        .entries()
        .filter(({ path }) => path.includes('/lists'))
        .map(({ method, path, status }) => `${method} ${path} ${status}`);
    configureLists(harness, null);
    await harness.perform('prepareCrm', beforeOrder);
    expect(asked()).toEqual([]);
    configureLists(harness, { companies: 'Prospects' });
    await harness.perform('prepareCrm', beforeOrder);
    expect(asked()).toEqual([
      'PUT /crm/v3/lists/0/memberships/add 404',
      'GET /crm/v3/lists/object-type-id/0-2/name/Prospects 404',
      'GET /crm/v3/lists/object-type-id/0-1/name/Prospects 404',
    ]);
  });
});
