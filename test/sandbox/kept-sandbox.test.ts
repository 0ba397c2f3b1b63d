import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveSandbox, type ServedSandbox } from '../../sandbox/serve-sandbox.ts';
import { startSandbox, type RunningSandbox } from '../helpers/command.ts';
import { runCommand } from '../helpers/run-command.ts';
import { itOfAll } from '../helpers/sample.ts';

// Tests may read any field.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const folder = mkdtempSync(join(tmpdir(), 'prospect-sync-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Served = Pick<ServedSandbox, 'service' | 'hubspot' | 'control'> | RunningSandbox['ready'];

function callers({ service, hubspot, control }: Served) {
  const caller = (url: string, key: string) => async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${url}${path}`, { method, headers: { ...headers, ...keyOf(path) }, body: sent });
    const text = await response.text();
    const parsed: Json = text === '' ? null : JSON.parse(text);
    return { status: response.status, body: parsed };
  };
  return {
    ask: caller(`${service.url}/api/v1`, service.apiKey),
    crm: caller(hubspot.url, hubspot.token),
    control: caller(control.url, ''),
  };
}

function keyOf(path: string): Record<string, string> {
  return /creations$|orders$/.test(path) ? { 'idempotency-key': `key of ${path}` } : {};
}

const profile = { profile_name: 'Makers', ideal_customer_profile: 'Companies', target_countries: ['Germany'] };

describe('sandbox --data', () => {
  itOfAll(
    'continues after SIGKILL with the order, HubSpot records, faults and clock, and a second process is refused',
    async () => {
      const data = join(folder, 'killed');
      const example = join(folder, 'example');
      const first = await startSandbox(example, { data, progression: null });
      const before = callers(first.ready);
      await before.control('POST', '/clock', { mode: 'frozen', to: '2030-01-01T00:00:00Z' });
      const { profile_creation_id } = (await before.ask('POST', '/search-profile-creations', profile)).body;
      await before.control('POST', '/clock', { advance: 'PT2S' });
      const { profile_id } = (await before.ask('GET', `/search-profile-creations/${profile_creation_id}`)).body;
      const input = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 30 };
      const { order_id } = (await before.ask('POST', '/orders', input)).body;
      const created = await before.crm('POST', '/crm/v3/objects/companies', {
        properties: { name: 'Kept', city: 'Ulm' },
      });
      await before.crm('PATCH', `/crm/v3/objects/companies/${created.body.id}`, { properties: { city: 'Bonn' } });
      await before.control('POST', '/faults', { path: '/api/v1/orders', times: 2, call: 3, status: 503 });
      const portal_id = first.ready.hubspot.portalId;
      await before.control('POST', '/faults', { path: '/crm', times: 1, call: 900, status: 502, portal_id });
      await before.ask('GET', '/orders');
      const [clock, faults, record, snapshot] = [
        (await before.control('GET', '/clock')).body,
        (await before.control('GET', '/faults')).body,
        (await before.crm('GET', `/crm/v3/objects/companies/${created.body.id}?propertiesWithHistory=city`)).body,
        (await before.control('POST', '/snapshots', { name: 'before' })).status,
      ];
      const crmFaults = (await before.control('GET', `/faults?portal_id=${portal_id}`)).body;
      const companies = (await before.crm('GET', '/crm/v3/objects/companies?limit=100')).body;
      expect([clock.mode, faults.faults[0].calls, snapshot]).toEqual(['frozen', 1, 201]);

      const second = await runCommand(
        ['sandbox', '--data', data, '--port', '0', '--hubspot-port', '0', '--control-port', '0'],
        {
          cwd: folder,
        },
      );
      expect([second.code, second.stderr]).toEqual([
        1,
        expect.stringContaining(`The data folder ${data} cannot be used: another sandbox uses it. Stop that sandbox`),
      ]);
      await first.stop('SIGKILL');

      const again = await startSandbox(example, { data, progression: null });
      try {
        const after = callers(again.ready);
        expect(again.ready.service).toMatchObject({ apiKey: first.ready.service.apiKey });
        expect(again.ready.hubspot).toMatchObject({ token: first.ready.hubspot.token, portalId: portal_id });
        expect((await after.control('GET', '/clock')).body).toEqual(clock);
        expect((await after.control('GET', '/faults')).body).toEqual(faults);
        expect(
          (await after.crm('GET', `/crm/v3/objects/companies/${created.body.id}?propertiesWithHistory=city`)).body,
        ).toEqual(record);
        expect((await after.crm('GET', '/crm/v3/objects/companies?limit=100')).body.results).toEqual(companies.results);
        const kept = (await after.control('GET', `/faults?portal_id=${portal_id}`)).body.faults[0];
        expect(kept.fault_id).toBe(crmFaults.faults[0].fault_id);
        expect(kept.calls).toBeGreaterThan(crmFaults.faults[0].calls);
        // The key of the order still belongs to it.
        expect((await after.ask('POST', '/orders', input)).body.order_id).toBe(order_id);
        expect((await after.ask('GET', `/orders/${order_id}`)).status).toBe(503);
        expect((await after.ask('GET', `/orders/${order_id}`)).status).toBe(503);
        expect((await after.ask('GET', `/orders/${order_id}`)).body.status).toBe('RECEIVED');
        await after.control('POST', '/clock', { advance: 'PT4S' });
        const results = (await after.ask('GET', `/orders/${order_id}/results?limit=100`)).body;
        expect([results.total, results.items.length]).toEqual([30, 30]);
        expect((await after.crm('POST', '/crm/v3/objects/companies', { properties: { name: 'New' } })).status).toBe(
          201,
        );
        expect((await after.control('GET', '/snapshots')).body).toEqual({ snapshots: ['before'] });
        expect((await after.control('POST', '/snapshots/before/restore')).status).toBe(204);
        expect((await after.ask('GET', `/orders/${order_id}`)).body.results_published).toBe(true);
      } finally {
        await again.stop();
      }
    },
  );

  it('keeps portals, settings and outputs when it is stopped and started again', async () => {
    const data = join(folder, 'stopped');
    const first = await serveSandbox({ data, seed: 4 });
    const before = callers(first);
    const { organizationId } = first.service;
    await before.control('POST', '/clock', { mode: 'frozen' });
    await before.control('PUT', '/progression', { orders: { after_seconds: 7 } });
    const seeded = (
      await before.control('POST', '/seed', { organization_id: organizationId, entries: 3, companies: 3 })
    ).body;
    const place = `/orders/${seeded.discovery_order_id}/outputs`;
    const { output_id, export_job_id } = (await before.ask('POST', place, { output_type: 'csv' })).body;
    const portal = (await before.control('POST', '/portals', { name: 'second' })).body;
    await first.close();

    const second = await serveSandbox({ data, seed: 4 });
    const after = callers(second);
    expect((await after.control('GET', '/portals')).body.portals).toHaveLength(2);
    const other = await fetch(`${second.hubspot.url}/account-info/v3/details`, {
      headers: { authorization: `Bearer ${portal.token}` },
    });
    expect(other.status).toBe(200);
    await after.control('POST', '/clock', { advance: 'PT1S' });
    expect((await after.ask('GET', `${place}/${output_id}`)).body).toMatchObject({
      status: 'COMPLETED',
      result_count: 3,
    });
    const download = await fetch(`${second.service.url}/api/v1/exports/jobs/${export_job_id}/download`, {
      headers: { authorization: `Bearer ${second.service.apiKey}` },
    });
    expect((await download.text()).trim().split('\r\n')).toHaveLength(4);
    const order = { order_type: 'DISCOVERY', profile_id: seeded.profile_id, briefing_quantity: 2 };
    const { order_id } = (await after.ask('POST', '/orders', order)).body;
    await after.control('POST', '/clock', { advance: 'PT6S' });
    expect((await after.ask('GET', `/orders/${order_id}`)).body.status).toBe('IN_PROGRESS');
    await second.close();

    expect(statSync(data).mode & 0o077).toBe(0);
    expect(readdirSync(data).toSorted()).toEqual(expect.arrayContaining(['sandbox.db', 'service.db', 'snapshots']));
    await expect(serveSandbox({ data, seed: 5 })).rejects.toThrow('was created with --seed 4, found --seed 5');
  });

  it('names a folder that cannot be used', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    await expect(serveSandbox({ data: join(file, 'below') })).rejects.toThrow(/^The data folder .+ cannot be used: /);
  });
});
