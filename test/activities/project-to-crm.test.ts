import { toCrmPlan } from '../../src/delivery/mapping/crm-plan.ts';
import { defaultContactPolicy } from '../../src/delivery/mapping/contact-policy.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import { companyKey, contactKey } from '../../src/ledger/identity.ts';
import { createActivityHarness, failure, type Collected, type ActivityHarness } from './activity-harness.ts';
import { propertyGroup, replyProperties } from '../../src/hubspot/managed-properties.ts';
import {
  byId,
  changeResults,
  companyLines,
  createProjected,
  createReady,
  outcomeLines,
  outcomes,
  projectOrder,
  range,
  row,
} from './order-steps.ts';

const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, quarantined: 0, failed: 0 };

async function slots({ ledger }: ActivityHarness, { orderId, total }: Collected) {
  const stored = await ledger.slots.read(orderId, { from: 0, to: total });
  return stored.map(({ json }) => JSON.parse(json));
}

describe('projectToCrm', () => {
  it('creates and links companies and contacts that HubSpot does not have', async () => {
    const harness = await createReady();
    const order = await projectOrder(harness, harness.collectDiscovery(250));
    const people = (await slots(harness, order)).flatMap(({ company }) => company.prospects);
    const tally = await harness.perform('tallyCrm', order);
    expect(tally).toEqual({
      companies: { ...none, created: 250 },
      contacts: { ...none, created: people.length },
      newerOrders: {},
      recreated: 0,
      restoredLinks: 0,
    });

    const [companies, contacts] = [await harness.records('companies'), await harness.records('contacts')];
    expect([companies.length, contacts.length]).toEqual([250, people.length]);
    const [slot] = await slots(harness, order);
    const company = companies.find(({ properties }) => properties['domain'] === slot.company.domain);
    expect(company?.properties).toMatchObject({
      prospect_sync_company_key: companyKey(slot.company),
      prospect_sync_order_id: order.orderId,
      prospect_sync_position: '0',
      prospect_sync_status: 'ENRICHED',
      prospect_sync_reason_codes: 'POLICY_ELIGIBLE',
      name: slot.company.name,
      city: slot.company.city,
    });
    const linked = await harness.hubspot.associations.read('companies', 'contacts', [company?.id ?? '']);
    const emails = (linked.get(company?.id ?? '') ?? []).map(({ id }) => byId(contacts, id)['email']);
    expect(new Set(emails)).toEqual(new Set(slot.company.prospects.map(({ email }: { email: string }) => email)));
  });

  it('writes a company only to the record that a later row submitted for it', async () => {
    const harness = await createReady();
    const [one = '', two = ''] = await harness.createRecords('companies', [{ name: 'Acme' }, { name: 'ACME Ltd' }]);
    const order = await harness.collectEnrichment([
      row('Acme'),
      row('Acme', { external_id: one }),
      row('Acme', { external_id: two }),
    ]);
    for (const projectionId of ['first', 'second']) {
      await harness.perform('projectToCrm', range(order, { projectionId }));
      const ended = projectionId === 'first' ? 'updated' : 'unchanged';
      expect(companyLines(await outcomeLines(harness, order))).toEqual([
        `0 company ${ended}`,
        '1 company skipped same_record',
        `2 company ${ended}`,
      ]);
    }
    expect(await harness.records('companies')).toHaveLength(2);
    expect((await outcomes(harness, order)).find(({ position }) => position === 2)).toMatchObject({
      recordId: two,
      candidates: [two, one],
    });
    const proof = await harness.perform('reconcileRange', { orderId: order.orderId, from: 0, to: 3, crm: true });
    expect(proof).toMatchObject({ reconciled: 3, findings: [] });
  });

  it('matches its records again when the results do not arrive in the order of their positions', async () => {
    const harness = await createReady(
      changeResults<{ items: { input_position: number }[] }>(({ items }) => {
        for (const slot of items) slot.input_position = 9 - slot.input_position;
      }),
    );
    const order = await projectOrder(harness, harness.collectDiscovery(10));
    await harness.perform('projectToCrm', range(order, { projectionId: 'second' }));
    expect((await harness.perform('tallyCrm', order)).companies).toEqual({ ...none, created: 10 });
    expect(new Set((await outcomes(harness, order)).map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']));
  });

  it('updates what an earlier order wrote, and fills only empty properties', async () => {
    const harness = await createReady();
    await projectOrder(harness, harness.collectEnrichment([row('Acme', { city: 'Bern' })]));
    const [company] = await harness.records('companies');
    const edits = { name: 'By hand', city: '', phone: '+41 555 0199' };
    await harness.hubspot.objects.update('companies', [{ id: company?.id ?? '', properties: edits }]);
    const second = await projectOrder(harness, harness.collectEnrichment([row('Acme', { city: 'Basel' })]));
    expect(companyLines(await outcomeLines(harness, second))).toEqual(['0 company updated']);
    expect(await harness.records('companies')).toEqual([
      expect.objectContaining({
        id: company?.id,
        properties: expect.objectContaining({
          name: 'By hand',
          phone: '+41 555 0199',
          city: 'Basel',
          prospect_sync_order_id: second.orderId,
        }),
      }),
    ]);
  });

  // Guarantee: A worker that dies loses nothing and repeats little
  it('resumes at the position of the last heartbeat', async () => {
    const harness = await createReady();
    const order = await harness.collectDiscovery(150);
    await harness.perform('projectToCrm', range(order), { attempt: 2, heartbeatDetails: { next: 100 } });
    expect(companyLines(await outcomeLines(harness, order))).toHaveLength(50);
  });

  it('keeps the outcomes that an earlier attempt recorded', async () => {
    const harness = await createReady();
    const order = await projectOrder(harness, harness.collectDiscovery(20));
    const before = await outcomes(harness, order);
    harness.pass(60);
    await harness.perform('projectToCrm', range(order), { attempt: 2 });
    expect(await outcomes(harness, order)).toEqual(before);
  });

  it.each([
    ['found again by the client itself', 1],
    ['found again by the next attempt', 2],
  ])('reports created when the answer to a create was lost, %s', async (_, times) => {
    const harness = await createReady();
    const order = await harness.collectDiscovery(30);
    const lost = { method: 'POST', path: /batch\/upsert$/, commit: true, reset: true, times } as const;
    harness.portals.faults(harness.portalId).add(lost);
    const input = range(order);
    const attempt = (number: number) => harness.perform('projectToCrm', input, { attempt: number });
    await attempt(1).catch(() => attempt(2));
    const people = (await slots(harness, order)).flatMap(({ company }) => company.prospects);
    expect(await harness.perform('tallyCrm', order)).toEqual({
      companies: { ...none, created: 30 },
      contacts: { ...none, created: people.length },
      newerOrders: {},
      recreated: 0,
      restoredLinks: 0,
    });
    expect(await harness.records('companies')).toHaveLength(30);
    expect(await harness.records('contacts')).toHaveLength(people.length);
  });

  it('reports updated when the answer to an update was lost', async () => {
    const harness = await createReady();
    const [id] = await harness.createRecords('companies', [{ name: 'Acme', domain: 'acme.example' }]);
    const order = await harness.collectEnrichment([row('Acme')]);
    const lost = {
      method: 'POST',
      path: /companies\/batch\/update$/,
      commit: true,
      status: 502,
      times: 1,
    } as const;
    harness.portals.faults(harness.portalId).add(lost);
    await failure(harness.perform('projectToCrm', range(order)));
    await harness.perform('projectToCrm', range(order), { attempt: 2 });
    const [company] = await outcomes(harness, order);
    expect(company).toMatchObject({ item: 'company', outcome: 'updated', recordId: id });
  });

  it('ends the run when the key lacks a scope, and retries when HubSpot returns 429', async () => {
    const harness = await createReady();
    const order = await harness.collectDiscovery(2);
    const { portals, portalId } = harness;
    const path = /batch\/read$/;
    portals.faults(portalId).add({ path, status: 403, body: { category: 'MISSING_SCOPES' }, times: 1 });
    expect(await failure(harness.perform('projectToCrm', range(order)))).toMatchObject({ nonRetryable: true });
    portals.faults(portalId).add({ path, status: 429, headers: { 'Retry-After': '3' }, times: 1 });
    expect(await failure(harness.perform('projectToCrm', range(order)))).toMatchObject({
      nonRetryable: false,
      nextRetryDelay: 3_000,
    });
  });
});

describe('projectToCrm for contacts', () => {
  /** An order of one company; `change` changes its contacts before they are published. */
  async function withContacts(change: (prospects: Record<string, unknown>[]) => void, rows = [row('Acme')]) {
    const harness = await createReady(
      changeResults<{ items: { company: { prospects: Record<string, unknown>[] } | null }[] }>((page) => {
        const shape = page.items[0]?.company?.prospects[0] ?? {};
        for (const { company } of page.items) {
          if (company === null) continue;
          company.prospects = [{ ...shape }, { ...shape }];
          company.prospects.forEach((prospect, index) => {
            prospect['email'] = `person-${index}@${(company as never as { domain: string }).domain}`;
          });
          change(company.prospects);
        }
      }),
    );
    const order = await harness.collectEnrichment(rows);
    return { ...harness, order };
  }

  const contactsOf = async (harness: ActivityHarness & { order: Collected }) =>
    (await outcomeLines(harness, harness.order)).filter((line) => line.includes('contact')).sort();

  it('matches a contact by its address, whatever the case and spaces', async () => {
    const harness = await withContacts((prospects) => {
      Object.assign(prospects[0] ?? {}, { email: ' Anna@ACME.example ', first_name: 'Anna', job_title: 'Head' });
    });
    const [id = ''] = await harness.createRecords('contacts', [{ email: 'anna@acme.example', firstname: 'Anne' }]);
    await harness.perform('projectToCrm', range(harness.order));
    expect(await contactsOf(harness)).toEqual(['0 contact:0 updated', '0 contact:1 created']);
    const contacts = await harness.records('contacts');
    expect(contacts).toHaveLength(2);
    expect(byId(contacts, id)).toMatchObject({
      firstname: 'Anne',
      jobtitle: 'Head',
      prospect_sync_contact_key: contactKey({ email: 'anna@acme.example', id: 'x' }, { id: 'x', prospects: [] }),
    });
    const linked = await harness.hubspot.associations.read(
      'contacts',
      'companies',
      contacts.map((record) => record.id),
    );
    expect(linked.size).toBe(2);
  });

  it('links contacts that an earlier attempt created without a link', async () => {
    const harness = await withContacts(() => undefined);
    const { portals, portalId, order } = harness;
    portals.faults(portalId).add({ path: /\/associations\//, status: 503, times: 1 });
    expect((await failure(harness.perform('projectToCrm', range(order)))).nonRetryable).toBe(false);
    await harness.perform('projectToCrm', range(order), { attempt: 2 });
    expect(await contactsOf(harness)).toEqual(['0 contact:0 created', '0 contact:1 created']);
    const ids = (await harness.records('contacts')).map(({ id }) => id);
    expect((await harness.hubspot.associations.read('contacts', 'companies', ids)).size).toBe(2);
  });
});

describe('a record that a person deleted in HubSpot', () => {
  it('stays deleted when its order or a later one is delivered, unless --force', async () => {
    const harness = await createProjected([row('Acme')]);
    const { order, perform } = harness;
    const [contact] = await harness.records('contacts');
    const contacts = (await harness.records('contacts')).length;
    await harness.sendToHubSpot('DELETE', `/crm/v3/objects/contacts/${contact?.id}`);
    await perform('projectToCrm', range(order, { projectionId: 'second' }));
    const skipped = (await outcomes(harness, order)).filter(({ outcome }) => outcome === 'skipped');
    expect(skipped).toMatchObject([{ rule: 'deleted_in_hubspot', recordId: null, candidates: [contact?.id] }]);
    expect(await perform('reconcileRange', { orderId: order.orderId, from: 0, to: 1, crm: true })).toMatchObject({
      findings: [],
    });
    const later = await projectOrder(harness, harness.collectEnrichment([row('Acme')]));
    expect((await outcomeLines(harness, later)).filter((line) => line.includes('deleted_in_hubspot'))).toHaveLength(1);
    expect(await harness.records('contacts')).toHaveLength(contacts - 1);
    await perform('projectToCrm', range(later, { projectionId: 'forced', force: true }));
    expect(await harness.records('contacts')).toHaveLength(contacts);
    expect(await perform('tallyCrm', { orderId: later.orderId, projectionId: 'forced' })).toMatchObject({
      contacts: { created: 1 },
    });
  });

  it('is skipped with its people if it is a company', async () => {
    const harness = await createProjected([row('Acme')]);
    const [company] = await harness.records('companies');
    await harness.sendToHubSpot('DELETE', `/crm/v3/objects/companies/${company?.id}`);
    await harness.perform('projectToCrm', range(harness.order, { projectionId: 'second' }));
    const lines = await outcomeLines(harness, harness.order);
    expect(lines[0]).toBe('0 company skipped deleted_in_hubspot');
    expect(lines[1]).toBe('0 contact:0 skipped company_not_written');
    expect(await harness.records('companies')).toEqual([]);
  });
});

describe('a value that a person cleared in HubSpot', () => {
  it('stays cleared when its order or a later one is delivered, unless --force', async () => {
    const harness = await createProjected([row('Acme')]);
    const readWebsite = async () => (await harness.records('companies'))[0]?.properties['website'] ?? '';
    const website = await readWebsite();
    const [company] = await harness.records('companies');
    const change = { objectType: 'companies', id: company?.id ?? '', properties: { website: '' } };
    harness.portals.editRecord(harness.portalId, change);
    await harness.perform('projectToCrm', range(harness.order, { projectionId: 'second' }));
    expect(await readWebsite()).toBe('');
    await projectOrder(harness, harness.collectEnrichment([row('Acme')]));
    expect(await readWebsite()).toBe('');
    await harness.perform('projectToCrm', range(harness.order, { projectionId: 'forced', force: true }));
    expect(await readWebsite()).toBe(website);
  });
});

describe('a company that a person merged into another one in HubSpot', () => {
  it('is skipped with its people, without a finding, because nothing is left to do', async () => {
    const harness = await createProjected([row('Acme'), row('Other')]);
    const { order, perform } = harness;
    const companies = await harness.records('companies');
    const idOf = (domain: string) => companies.find(({ properties }) => properties['domain'] === domain)?.id ?? '';
    await harness.merge('companies', idOf('acme.example'), idOf('other.example'));
    await perform('projectToCrm', range(order, { projectionId: 'second' }));
    const lines = await outcomeLines(harness, order);
    expect(lines).toContain('1 company skipped merged_in_hubspot');
    expect(lines).toContain('1 contact:0 skipped company_not_written');
    expect(await harness.records('companies')).toHaveLength(1);
    const { findings } = await perform('reconcileRange', { orderId: order.orderId, from: 0, to: 2, crm: true });
    expect(findings).toEqual([]);
  });
});

describe('a contact whose last reply in HubSpot is do_not_contact', () => {
  it('is skipped as suppressed by a ledger that does not know the suppression, until that ledger has removed one', async () => {
    const harness = await createProjected([row('Acme')]);
    const { order, perform, hubspot, ledger } = harness;
    await hubspot.properties.ensure('contacts', { group: propertyGroup, properties: replyProperties, mustExist: [] });
    const [contact] = await harness.records('contacts');
    const properties = { prospect_sync_reply_class: 'do_not_contact', jobtitle: '' };
    await hubspot.objects.update('contacts', [{ id: contact?.id ?? '', properties }]);
    await perform('projectToCrm', range(order, { projectionId: 'second' }));
    const suppressed = (await outcomes(harness, order)).filter(({ rule }) => rule === 'suppressed');
    expect(suppressed).toMatchObject([{ outcome: 'skipped', recordId: contact?.id }]);
    expect(byId(await harness.records('contacts'), contact?.id)['jobtitle']).toBeFalsy();

    const value = contact?.properties['email'] ?? '';
    const change = {
      identifier: { kind: 'email', value },
      at: new Date().toISOString(),
      by: 'anna',
      reason: 'x',
    } as const;
    await ledger.suppressions.add(change);
    await ledger.suppressions.remove(change);
    await perform('projectToCrm', range(order, { projectionId: 'third' }));
    expect(byId(await harness.records('contacts'), contact?.id)['jobtitle']).toBe(contact?.properties['jobtitle']);
  });
});

describe('prepareCrm', () => {
  // Guarantee: Nothing is written to a wrong portal
  it('refuses another portal than that to which the ledger has written', async () => {
    const harness = await createActivityHarness();
    await harness.perform('prepareCrm', {});
    expect(await harness.ledger.portal.get()).toBe(harness.portalId);
    const other = await createActivityHarness();
    await other.ledger.portal.bind(harness.portalId + 1);
    const { nonRetryable, message } = await failure(other.perform('prepareCrm', { beforeOrder: true }));
    expect(nonRetryable).toBe(true);
    expect(message).toContain(`(WRONG_PORTAL: expected ${harness.portalId + 1}, found ${other.portalId})`);
  });

  it('provokes no refusal of HubSpot but the check of the two write scopes before an order', async () => {
    const harness = await createActivityHarness();
    const { perform, portals, portalId } = harness;
    await perform('prepareCrm', { beforeOrder: true });
    const order = await harness.collectDiscovery(30);
    await perform('prepareCrm', {});
    await perform('projectToCrm', range(order));
    const refused = portals
      .journal(portalId)
      .entries()
      .filter(({ status }) => status >= 400);
    expect(refused.map(({ path, status }) => `${path} ${status}`)).toEqual([
      '/crm/v3/objects/companies/batch/update 400',
      '/crm/v3/objects/contacts/batch/update 400',
    ]);
  });

  it('creates the properties once', async () => {
    const { perform } = await createActivityHarness();
    expect((await perform('prepareCrm', {})).created).toBeGreaterThan(10);
    expect(await perform('prepareCrm', {})).toEqual({ created: 0 });
  });

  it('ends the run when the portal has a property of the same name and another type', async () => {
    const { perform, hubspot, portals, portalId } = await createActivityHarness();
    const group = { name: 'own', label: 'Own' };
    const status = { name: 'prospect_sync_status', label: 'Taken', type: 'number', fieldType: 'number' } as const;
    await hubspot.properties.ensure('companies', { group, properties: [status] });
    const outcome = await failure(perform('prepareCrm', {}));
    expect(outcome).toMatchObject({ type: 'PROPERTY_TYPE_DIFFERS', nonRetryable: true });
    expect(outcome.message).toContain('prospect_sync_status');
    expect(portals.journal(portalId).entries()).not.toEqual([]);
  });

  it('ends the run when a mapped property does not exist, and names the property', async () => {
    const { perform, configureMapping } = await createActivityHarness();
    const field = { from: 'company.industry', transform: null, policy: 'always' } as const;
    const mapping = { ...defaultMapping, companies: { ...defaultMapping.companies, no_such_property: field } };
    configureMapping(toCrmPlan(mapping, defaultContactPolicy));
    const outcome = await failure(perform('prepareCrm', {}));
    expect(outcome).toMatchObject({ type: 'PROPERTY_MISSING', nonRetryable: true });
    expect(outcome.message).toContain('no_such_property');
  });
});

describe('prepareCrm before an order is placed', () => {
  it.each([
    ['PROPERTY_READ_ONLY', 'hs_object_id', 'company.id'],
    ['PROPERTY_TYPE_DIFFERS', 'closedate', 'company.name'],
    ['PROPERTY_OPTION_MISSING', 'lifecyclestage', 'slot.status'],
  ])('ends the run with %s when a mapped property can never be written', async (type, property, from) => {
    const { perform, configureMapping } = await createActivityHarness();
    const companies = { ...defaultMapping.companies, [property]: { from, transform: null, policy: 'always' } as const };
    configureMapping(toCrmPlan({ ...defaultMapping, companies }, defaultContactPolicy));
    const outcome = await failure(perform('prepareCrm', {}));
    expect(outcome).toMatchObject({ type, nonRetryable: true });
    expect(outcome.message).toContain(`(${type}: ${property})`);
  });

  it('ends the run when the key has read scopes but no write scopes', async () => {
    const { perform, portals, portalId, hubspot } = await createActivityHarness();
    await perform('prepareCrm', {});
    const body = {
      category: 'MISSING_SCOPES',
      errors: [{ context: { requiredGranularScopes: ['crm.objects.contacts.write'] } }],
    };
    portals.faults(portalId).add({ path: /contacts\/batch\/update$/, status: 403, body, times: 1 });
    const outcome = await failure(perform('prepareCrm', { beforeOrder: true }));
    expect(outcome).toMatchObject({ nonRetryable: true });
    expect(outcome.message).toContain('MISSING_SCOPES: crm.objects.contacts.write');
    for await (const page of hubspot.objects.list('companies', { properties: [] })) expect(page).toEqual([]);
  });
});
