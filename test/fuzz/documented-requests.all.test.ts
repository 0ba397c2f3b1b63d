/**
 * Sends requests that openapi.json and openapi-control.json describe to the sandbox, and checks every answer by the same documents.
 * The requests are generated from the documents alone, so a rule that a document lacks is found as an unexpected refusal.
 */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { createClock } from '../../sandbox/clock.ts';
import { createControlPlane } from '../../sandbox/control/control-plane.ts';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createServiceSandbox } from '../../sandbox/service/service-sandbox.ts';
import type { Fetch } from '../../src/base/http/http-answer.ts';
import { readDocument, type DescribedOperation, type Hints } from '../helpers/openapi-requests.ts';

// Tests may read any field.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const service = JSON.parse(readFileSync('openapi.json', 'utf8'));
const control = JSON.parse(readFileSync('openapi-control.json', 'utf8'));
const requestsPerOperation = 75;

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

async function createTarget() {
  const clock = createClock({ frozenAt: Date.parse('2026-11-20T12:00:00Z') });
  const deliver = () => Promise.resolve({ status: 404, headers: {}, text: '' });
  const sandbox = createServiceSandbox({ clock, receivers: { deliver: deliver as never } });
  opened.push(sandbox, clock);
  const hubspot = createHubSpotSandbox({ clock: () => new Date(clock.now()) });
  const { portalId } = hubspot.createPortal({ name: 'test' });
  const token = hubspot.createToken({ portalId, scopes: ['crm.objects.companies.write'] });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ properties: { name: 'Nordwind' } });
  const created = await hubspot.fetch(
    new Request('http://127.0.0.1/crm/v3/objects/companies', { method: 'POST', headers, body }),
  );
  const record: Json = await created.json();
  const plane = createControlPlane({ service: sandbox, hubspot, clock });
  const { organizationId, apiKey, keyId } = sandbox.createOrganization({ name: 'test' });
  const seeded = await sandbox.seed(organizationId, { entries: 3, companies: 3 });
  const ask = async (path: string, body?: unknown): Promise<Json> => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': path,
    };
    const request = new Request(`http://127.0.0.1/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    return (await sandbox.fetch(request)).json();
  };
  const { blacklist_id, profile_id, discovery_order_id, enrichment_order_id } = seeded;
  const { entries } = await ask(`/blacklists/${blacklist_id}/entries`);
  const profile = { profile_name: 'stay:PENDING', ideal_customer_profile: 'a', target_countries: ['Germany'] };
  const creation = await ask('/search-profile-creations', profile);
  const output = await ask(`/orders/${discovery_order_id}/outputs`, { output_type: 'csv' });
  const sheet = { output_type: 'google_sheets', spreadsheet_id: 'sheet-1' };
  await ask(`/orders/${enrichment_order_id}/outputs`, sheet);
  const active = await ask('/orders', {
    order_type: 'DISCOVERY',
    profile_id,
    briefing_quantity: 2,
    title: 'stay:IN_PROGRESS',
  });
  await clock.advanceTo(clock.now() + 5_000);
  const pending = await ask(`/orders/${discovery_order_id}/export`, { output_type: 'xlsx' });
  const { companies } = await ask(`/deliveries/${profile_id}/companies`);
  const address = sandbox.webhooks.addresses.add(organizationId, {
    role: 'owner',
    added_by: 'a@b.example',
    url: 'https://hooks.example/a',
  });
  const unused = sandbox.webhooks.addresses.add(organizationId, {
    role: 'owner',
    added_by: 'a@b.example',
    url: 'https://hooks.example/c',
  });
  const action = sandbox.webhooks.actions.add(organizationId, {
    campaign_id: 'c',
    address_id: address.address_id,
    added_by: 'a@b.example',
  });
  const { deliveries } = {
    deliveries: sandbox.webhooks.replies.receive(organizationId, {
      campaign_id: 'c',
      classification: 'interested',
      reply_from_email: 'x@y.example',
    }),
  };
  sandbox.snapshots.save('one');
  const rule = sandbox.faults.add({ path: '/nowhere', times: 1, status: 500 });
  const known: Hints['known'] = {
    blacklist_id: [blacklist_id],
    blacklist_ids: [blacklist_id],
    entry_ids: entries.map(({ id }: { id: string }) => id),
    prospect_search_id: [profile_id],
    profile_id: [profile_id],
    profile_creation_id: [creation.profile_creation_id],
    order_id: [discovery_order_id, enrichment_order_id, active.order_id],
    output_id: [output.output_id, pending.output_id],
    spreadsheet_id: ['sheet-1'],
    export_job_id: [output.export_job_id],
    company_id: companies.map(({ id }: { id: string }) => id),
    organization_id: [organizationId],
    portal_id: [portalId],
    object_type: ['companies'],
    record_id: [record.id],
    key_id: [keyId],
    address_id: [address.address_id, unused.address_id],
    action_id: [action.action_id],
    delivery_id: deliveries.map(({ delivery_id }) => delivery_id),
    fault_id: [rule.fault_id],
    webhook_url: ['https://hooks.example/orders'],
    url: ['https://hooks.example/b'],
    name: ['one'],
    campaign_id: ['c'],
  };
  const authorized: Fetch = (request) => {
    request.headers.set('authorization', `Bearer ${apiKey}`);
    return sandbox.fetch(request);
  };
  return { known, service: authorized, control: plane.fetch };
}

/** Values instead of those of a schema. Requests with larger numbers are valid, but take minutes or wait. */
const only: Hints['only'] = {
  briefing_quantity: fc.integer({ min: 1, max: 20 }),
  timeout_ms: fc.integer({ min: 0, max: 2 }),
  advance: fc.constantFrom('PT0S', 'PT1S', 'PT4.5S', 'P1DT2H'),
  time_zone: fc.constantFrom('Europe/Berlin', 'UTC'),
  to: fc.constantFrom('2026-11-20T13:00:00Z', '2026-12-01T00:00:00+01:00', '2020-01-01T00:00:00Z'),
};
const onlyOf: Record<string, Hints['only']> = {
  editRecord: { properties: fc.constantFrom({ city: 'Kiel' }, { name: '' }, {}) },
  seed: { entries: fc.integer({ min: 0, max: 5 }), companies: fc.integer({ min: 1, max: 5 }) },
};

/** Rules that a document can only describe in words. Any other 422 is a rule that its schema lacks. */
const described: Record<string, (text: string, body: string) => boolean> = {
  createProfile: (text) => text.includes('company_size_min'),
  createOrder: (text) => text.includes('webhook_url'),
  addFault: (text, body) => text.includes('cannot be answered with this body') || body.includes('"preset"'),
  addAddress: (text) => /RECEIVER_ADDRESS_REFUSED|is reserved/.test(text),
  changeKey: (text) => text.includes('is reserved'),
  tamperWithOrder: (text) => /there are \d+ slots/.test(text),
};

interface Finding {
  readonly request: string;
  readonly difference: string;
}

async function findDifferences(
  document: unknown,
  operation: DescribedOperation,
  { known, fetch }: { readonly known: Hints['known']; readonly fetch: Fetch },
): Promise<{ findings: Finding[]; statuses: Set<number> }> {
  const { requestsOf, differenceOf } = readDocument(document);
  const requests = requestsOf(operation, {
    known: known ?? {},
    only: { ...only, ...onlyOf[operation.id] },
    always: ['timeout_ms'],
  });
  const findings: Finding[] = [];
  const statuses = new Set<number>();
  for (const { method, url, headers, body } of fc.sample(requests, { numRuns: requestsPerOperation, seed: 1 })) {
    const answer = await fetch(new Request(`http://127.0.0.1${url}`, { method, headers, body }));
    const text = await answer.text();
    statuses.add(answer.status);
    const refused =
      answer.status === 422 && described[operation.id]?.(text, body ?? '') !== true
        ? `is refused: ${text.slice(0, 300)}`
        : null;
    const difference = differenceOf(operation, answer.status, text) ?? refused;
    if (difference !== null) findings.push({ request: `${method} ${url} ${body?.slice(0, 500) ?? ''}`, difference });
  }
  return { findings, statuses };
}

describe.each([
  ['openapi.json', service, 'service'],
  ['openapi-control.json', control, 'control'],
] as const)('%s', (_, document, plane) => {
  it.each(readDocument(document).operations.map((operation) => [operation.id, operation] as const))(
    'documents every answer to requests of %s',
    async (_id, operation) => {
      const target = await createTarget();
      const { findings, statuses } = await findDifferences(document, operation, { ...target, fetch: target[plane] });
      expect(findings).toEqual([]);
      expect([...statuses].some((status) => status < 400)).toBe(true);
    },
  );
});

describe('the check of documented answers', () => {
  const operationOf = (document: unknown, id: string): DescribedOperation => {
    const found = readDocument(document).operations.find((operation) => operation.id === id);
    if (!found) throw new Error(`no operation ${id}`);
    return found;
  };
  it.each([
    [
      'a status that the document lacks',
      'getOrder',
      (copy: typeof service) => delete copy.paths['/api/v1/orders/{order_id}'].get.responses[404],
      'status 404 is not documented',
    ],
    [
      'a field of another type',
      'listBlacklists',
      (copy: typeof service) => {
        copy.components.schemas.Blacklist.properties.entry_count.type = 'string';
      },
      'differs from its schema',
    ],
    [
      'a limit that the document lacks',
      'listEntries',
      (copy: typeof service) => {
        for (const { schema } of copy.paths['/api/v1/blacklists/{blacklist_id}/entries'].get.parameters)
          delete schema.maximum;
      },
      'is refused',
    ],
  ])('finds %s', async (_, id, mutate, difference) => {
    const copy = structuredClone(service);
    mutate(copy);
    const target = await createTarget();
    const { findings } = await findDifferences(copy, operationOf(copy, id), { ...target, fetch: target.service });
    expect(findings).toContainEqual(expect.objectContaining({ difference: expect.stringContaining(difference) }));
  });

  it.each([
    ['a lost field', () => Response.json({ blacklists: [{}] }), 'differs from its schema'],
    ['another status', () => Response.json({}, { status: 418 }), 'status 418 is not documented'],
    ['no JSON', () => new Response('<html>'), 'not JSON'],
  ])('finds an answer with %s', async (_, answer, difference) => {
    const fetch: Fetch = () => Promise.resolve(answer());
    const { findings } = await findDifferences(service, operationOf(service, 'listBlacklists'), { known: {}, fetch });
    expect(findings[0]?.difference).toContain(difference);
  });
});
