import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { saveAnswerShapes } from '../../src/proof/report/service-drift.ts';
import type { Diagnosis } from '../../src/cli/documents/installation-document.ts';
import { toMarkedDescription } from '../../src/config/blacklist-settings.ts';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { createProspectingClient } from '../../src/service/client/prospecting-client.ts';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createServiceSandbox } from '../../sandbox/service/service-sandbox.ts';
import { runCommand } from '../helpers/run-command.ts';
import { serveFetch } from '../helpers/serve-fetch.ts';

let folder: string;
let env: Record<string, string>;
let portalId: number;
let organizationId: string;
const service = createServiceSandbox();
const hubspot = createHubSpotSandbox();
let closeAll = () => {};
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-doctor-'));
  const portal = hubspot.createPortal({ name: 'a', accountType: 'SANDBOX', plan: 'professional' });
  portalId = portal.portalId;
  const served = [await serveFetch(service.fetch), await serveFetch(hubspot.fetch)] as const;
  closeAll = () => served.forEach(({ close }) => close());
  const organization = service.createOrganization({ name: 'a' });
  organizationId = organization.organizationId;
  env = {
    PROSPECTING_BASE_URL: served[0].url,
    PROSPECTING_API_KEY: organization.apiKey,
    HUBSPOT_BASE_URL: served[1].url,
    HUBSPOT_TOKEN: portal.token,
  };
});
afterAll(async () => {
  closeAll();
  await rm(folder, { recursive: true, force: true });
});

interface More {
  readonly args?: string[];
  readonly env?: Record<string, string>;
  readonly command?: string[];
  /** Further sections of the configuration. */
  readonly sections?: string;
}

async function run(settings: string, more: More = {}) {
  await writeFile(
    path.join(folder, 'prospect-sync.yaml'),
    `service: {base_url: {env: PROSPECTING_BASE_URL}, api_key: {env: PROSPECTING_API_KEY}}
hubspot: {base_url: {env: HUBSPOT_BASE_URL}, token: {env: HUBSPOT_TOKEN}, ${settings}}
runs:
  weekly:
    kind: discovery
    briefing_quantity: 10
    profile: {profile_name: A, ideal_customer_profile: B, target_countries: [Germany]}
${more.sections ?? ''}`,
  );
  const args = more.command ?? ['doctor', ...(more.args ?? [])];
  return runCommand(args, { cwd: folder, env: { ...env, ...more.env } });
}

describe('doctor', () => {
  it('reports missing properties, which are a problem only where the first run may not create them', async () => {
    const fresh = hubspot.createPortal({ name: 'b', accountType: 'SANDBOX', plan: 'professional' });
    const token = { HUBSPOT_TOKEN: fresh.token };
    const refused = await run('create_properties: false', { env: token });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/^prospecting service +ok +available at http/);
    expect(refused.stdout).toMatch(/^companies: own properties +problem +missing: prospect_sync_company_key/m);
    expect(refused.stdout).toMatch(/^2 problems, 1 warning$/m);

    const made = await run(`portal_id: ${fresh.portalId}, account_type: SANDBOX, api: {associations: 2026-09}`, {
      env: token,
    });
    expect(made.code).toBe(0);
    expect(made.stdout).toMatch(new RegExp(`^HubSpot +ok +portal ${fresh.portalId}, SANDBOX`, 'm'));
    expect(made.stdout).toMatch(/^companies: own properties +ok +the first run creates prospect_sync_company_key/m);
    expect(made.stdout).toMatch(/^API of associations +ok +2026-09, supported until 2028-03-01/m);

    // The further sections continue the run "weekly", which ends the settings above.
    const again = await run('create_properties: true', {
      args: ['--json'],
      sections:
        '    webhook_url: https://127.0.0.1:1/orders/secret-path\ntemporal: {encryption: {key: {id: a, env: CODEC_KEY}, accept_plain: true}}',
      env: { ...token, CODEC_KEY: Buffer.alloc(32).toString('base64') },
    });
    const diagnosis = JSON.parse(again.stdout) as Diagnosis;
    expect(diagnosis.ok).toBe(true);
    expect(diagnosis.checks.find(({ check }) => check === 'contacts: own properties')).toEqual({
      check: 'contacts: own properties',
      state: 'ok',
      message: expect.stringContaining('the first run creates prospect_sync_contact_key') as string,
    });
    expect(diagnosis.checks.find(({ check }) => check === 'encryption')).toEqual({
      check: 'encryption',
      state: 'warning',
      message: expect.stringContaining('temporal.encryption.accept_plain is true') as string,
    });
    expect(diagnosis.checks.find(({ check }) => check === 'order receiver')).toEqual({
      check: 'order receiver',
      state: 'warning',
      message: expect.stringMatching(
        /^https:\/\/127\.0\.0\.1:1 could not be reached: .*runs\.weekly\.webhook_url/,
      ) as string,
    });
    expect(again.stdout).not.toContain('secret-path');
  });

  it('reports required properties that the mapping does not fill on dated paths', async () => {
    hubspot.configure(portalId, {
      requiredProperties: { companies: ['name', 'hubspot_owner_id'], contacts: ['email'] },
    });
    const dated = await run('api: {objects: 2026-09, properties: 2026-09}');
    expect(dated.code).toBe(1);
    expect(dated.stdout).toMatch(/^companies: required properties +problem +.* does not fill hubspot_owner_id$/m);
    expect(dated.stdout).toMatch(/^contacts: required properties +ok +email$/m);
    expect(dated.stdout).toMatch(/^1 problem, /m);

    hubspot.configure(portalId, { requiredProperties: { companies: ['name', 'domain'] } });
    const filled = await run('api: {objects: 2026-09}');
    expect(filled.code).toBe(0);
    expect(filled.stdout).toMatch(/^companies: required properties +ok +name, domain$/m);

    hubspot.configure(portalId, { requiredProperties: {} });
  });

  it('reports the reserved rest of the daily limit, and the scopes of the token nevertheless', async () => {
    hubspot.configure(portalId, { dailyUsed: 600_000 });
    const { code, stdout } = await run('create_properties: true');
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(
      /^calls of the day +warning +625000 allowed, \d+ left; this is within the reserve of 62500/m,
    );
    expect(stdout).toMatch(/^scopes +ok +the token has every scope that the configuration needs$/m);
    hubspot.configure(portalId, { dailyUsed: 0 });
  });

  it('reports the blacklist of each exclusion, and blacklists of the same name that are not updated', async () => {
    const { PROSPECTING_BASE_URL: baseUrl = '', PROSPECTING_API_KEY: apiKey = '' } = env;
    const { blacklists } = createProspectingClient({ baseUrl, apiKey: () => apiKey });
    const ledger = await openLedger({ dataDir: path.join(folder, '.prospect-sync') });
    const description = toMarkedDescription(null, ledger.installation);
    await ledger.blacklists.save({ name: 'Deleted', blacklistId: 'f9a3' });
    await ledger.close();
    const used = await blacklists.create({ name: 'Customers', description });
    await blacklists.addEntries(used.id, [{ company_name: 'Acme' }]);
    const unused = await blacklists.create({ name: 'Customers', description });
    const elsewhere = { name: 'Customers', description: toMarkedDescription(null, 'f'.repeat(64)) };
    const copy = await blacklists.create(elsewhere);
    const taken = await blacklists.create({ ...elsewhere, name: 'Prospects' });
    const foreign = await blacklists.create({ name: 'Partners', description: 'By hand' });
    const names = ['Customers', 'Prospects', 'Partners', 'Rivals', 'Deleted'];
    const of = (name: string) => `  ${name.toLowerCase()}: {blacklist: ${name}, csv: a.csv}\n`;
    const { code, stdout } = await run('create_properties: true', {
      sections: `exclusions:\n${names.map(of).join('')}`,
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      new RegExp(
        `^exclusions.customers +warning +uses blacklist ${used.id} \\(1 entries\\); prospect-sync also created blacklist ${unused.id} \\(0 entries\\) of the same name, and does not update it\\. To see what deleting it removes, run: prospect-sync exclusions delete ID; of the same name is blacklist ${copy.id} \\(0 entries\\), not created by this installation`,
        'm',
      ),
    );
    expect(stdout).toMatch(
      new RegExp(
        `^exclusions.prospects +problem +blacklist ${taken.id} "Prospects" belongs to another installation \\(ffffffffffff\\)\\. Set another name in .* --take-over`,
        'm',
      ),
    );
    expect(stdout).toMatch(
      new RegExp(`^exclusions.partners +problem +prospect-sync did not create blacklist ${foreign.id}`, 'm'),
    );
    expect(stdout).toMatch(/^exclusions.rivals +ok +no blacklist yet/m);
    expect(stdout).toMatch(/^exclusions.deleted +warning +blacklist f9a3 was deleted in the service/m);
  });

  it('names every scope that the configured runs need and the key lacks, and changes nothing', async () => {
    const sections = 'exclusions: {held: {blacklist: Held, csv: a.csv}}';
    const { PROSPECTING_BASE_URL: baseUrl = '', PROSPECTING_API_KEY: fullKey = '' } = env;
    const { blacklists, orders } = createProspectingClient({ baseUrl, apiKey: () => fullKey });
    const readState = async () => ({ blacklists: await blacklists.list(), orders: await orders.list() });
    const before = await readState();
    const withScopes = (...scopes: ('orders:read' | 'blacklists:read')[]) => ({
      PROSPECTING_API_KEY: service.createKey({ organizationId, scopes }).apiKey,
    });
    const readsOnly = await run('create_properties: true', { sections, env: withScopes('orders:read') });
    expect(readsOnly.code).toBe(1);
    expect(readsOnly.stdout).toMatch(
      /^service scopes +problem +missing: orders:write, blacklists:read, blacklists:write; the key holds orders:read\. Create a key/m,
    );
    const withoutExclusions = await run('create_properties: true', { env: withScopes('orders:read') });
    expect(withoutExclusions.code).toBe(1);
    expect(withoutExclusions.stdout).toMatch(/^service scopes +problem +missing: orders:write;/m);
    const existing = 'exclusions: {held: {existing: Held}}';
    const readsBoth = await run('create_properties: true', {
      sections: existing,
      env: withScopes('orders:read', 'blacklists:read'),
    });
    expect(readsBoth.stdout).toMatch(/^service scopes +problem +missing: orders:write;/m);
    const full = await run('create_properties: true', { sections });
    expect(full.stdout).toMatch(
      /^service scopes +ok +the key has orders:read, orders:write, blacklists:read, blacklists:write$/m,
    );
    expect(await readState()).toEqual(before);
  });

  it('reports problems of both systems', async () => {
    const { code, stdout } = await run('portal_id: 1', { env: { PROSPECTING_API_KEY: 'wrong' } });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^prospecting service +problem .*check service\.api_key, and that service\.base_url is/m);
    expect(stdout).toMatch(new RegExp(`^portal +problem .*WRONG_PORTAL: expected 1, found ${portalId}`, 'm'));
  });
});

describe('the check before a run', () => {
  // Guarantee: Nothing is bought while the check before the run finds a problem
  it('names every problem in one line, and nothing is started', async () => {
    await writeFile(path.join(folder, 'taken'), '');
    await writeFile(path.join(folder, 'rows.csv'), 'company_name,external_id\nAlpha,1\nBeta,2\n');
    await writeFile(path.join(folder, 'excluded.csv'), 'Firma\nAlpha\n');
    const sections = `    spreadsheets: {directory: taken/out}
    exclusions: [held, listed]
    hubspot_lists: {companies: Prospects}
  rows:
    kind: enrichment
    companies: {csv: rows.csv, external_ids: record_id}
    profile: {profile_name: A, ideal_customer_profile: B, target_countries: [Germany]}
exclusions:
  held: {blacklist: Held, hubspot: {lifecycle_stages: [customer, oportunity]}}
  listed: {blacklist: Listed, csv: excluded.csv}
mapping: {companies: {hubspot_owner_id: {value: 17}}}
`;
    const orders = async () => {
      const { PROSPECTING_BASE_URL: baseUrl = '', PROSPECTING_API_KEY: apiKey = '' } = env;
      return createProspectingClient({ baseUrl, apiKey: () => apiKey }).orders.list();
    };
    const before = await orders();
    const { token } = hubspot.createPortal({ name: 'checked', plan: 'professional' });
    const settings = { sections, env: { HUBSPOT_TOKEN: token } };
    const check = (name: string) =>
      run('create_properties: true', { ...settings, command: ['run', name, '--dry-run'] });
    const weekly = await check('weekly');
    expect(weekly.code).toBe(1);
    const lines = weekly.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Ledger: '));
    expect(lines).toEqual([
      expect.stringMatching(
        /^sources of exclusions\.held: HubSpot has no lifecycle stage "oportunity": .* Did you mean opportunity\?/,
      ),
      expect.stringMatching(/^sources of exclusions\.listed: .*excluded\.csv was not used: .*may be company_name/),
      expect.stringMatching(/^output folder: .*\/taken is not a folder\. .* runs\.weekly\.spreadsheets\.directory/),
      expect.stringMatching(/^owners: the mapping assigns 17, and no active owner has this id/),
      'Nothing was started.',
    ]);
    const rows = await check('rows');
    expect(rows.stderr).toMatch(/^source of rows: .* names no company of HubSpot: 2 \(row 2, 3\), of 2\. /m);
    expect(rows.stderr).not.toContain('exclusions');
    const { stdout } = await run('create_properties: true', settings);
    for (const check of ['source of rows', 'sources of exclusions.held', 'output folder', 'owners'])
      expect(stdout).toMatch(new RegExp(`^${check} +problem `, 'm'));
    expect(await orders()).toEqual(before);
  });

  it.each([
    ['an HTML page', () => new Response('<h1>Not found</h1>', { status: 404 }), 'prospecting service'],
    ['JSON', () => Response.json({ detail: 'Not Found' }, { status: 404 }), 'service scopes'],
  ])('does not take any web server for the service (%s)', async (_, answer, check) => {
    const other = await serveFetch(async () => answer());
    const { code, stdout } = await run('create_properties: true', { env: { PROSPECTING_BASE_URL: other.url } });
    other.close();
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${check} +problem .*base_url`, 'm'));
  });

  it('warns when schedules wait for a worker, and starts no Temporal for it', async () => {
    const sections = "    schedule: {cron: '0 6 * * 1', timezone: Europe/Berlin}\n";
    const { code, stdout } = await run('create_properties: true', { sections });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^worker +warning +none runs: the starts of the schedules of weekly wait until one does\. Start it with: prospect-sync worker$/m,
    );
    expect(stdout).not.toContain('Temporal: ');
  });

  it('reports files of signing secrets that are missing or hold no secret', async () => {
    await writeFile(path.join(folder, 'garbage'), 'secret\n');
    const sections =
      'replies: {secrets: [{file: missing}, {file: garbage}]}\norder_status: {secrets: [{env: STATUS}]}\n';
    const { code, stdout } = await run('create_properties: true', {
      sections,
      env: { STATUS: `whsec_${Buffer.alloc(32).toString('base64')}` },
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^signing secret +problem +The signing secret cannot be read: .*missing, there is no such file \(ENOENT\).*replies\.secrets\[0\]/m,
    );
    expect(stdout).toMatch(/^signing secret +problem +The webhook signing secret .*garbage\. .*replies\.secrets\[1\]/m);
    expect(stdout).toMatch(/^signing secret +ok +it can be read \(order_status\.secrets\[0\]\)/m);
  });

  it('reports two settings with the same signing secret', async () => {
    const sections = 'replies: {secrets: [{env: ONE}]}\norder_status: {secrets: [{file: same}]}\n';
    const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
    await writeFile(path.join(folder, 'same'), secret);
    const { stdout } = await run('create_properties: true', { sections, env: { ONE: secret } });
    expect(stdout).toMatch(/^signing secret +ok +it can be read \(replies\.secrets\[0\]\)/m);
    expect(stdout).toMatch(
      /^signing secret +warning +order_status\.secrets\[0\] is the same secret as replies\.secrets\[0\], but the service gives each receiver address its own, .*: copy the secret that the service shows for this address/m,
    );
  });

  it('reports lead statuses and scopes that replies need', async () => {
    const sections = `replies:
  secrets: [{env: REPLIES}]
  unsubscribe: true
  classes: {interested: {lead_status: Verbunden}}
`;
    const scopes = ['companies', 'contacts'].flatMap((type) => [
      `crm.objects.${type}.read`,
      `crm.objects.${type}.write`,
      `crm.schemas.${type}.read`,
      `crm.schemas.${type}.write`,
    ]);
    const { code, stdout } = await run('create_properties: true', {
      sections,
      env: {
        REPLIES: `whsec_${Buffer.alloc(32).toString('base64')}`,
        HUBSPOT_TOKEN: hubspot.createToken({ portalId, scopes }),
      },
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^scopes +problem +missing: communication_preferences\./m);
    expect(stdout).toMatch(/^contacts: mapped properties +problem +hs_lead_status .*Verbunden/m);
  });
});

describe('a list of hubspot_lists that does not exist', () => {
  const lists = async (names: string) => {
    const portal = hubspot.createPortal({ name: 'lists', plan: 'professional' });
    const client = createHubSpotClient({ baseUrl: env['HUBSPOT_BASE_URL'] ?? '', token: portal.token });
    await client.lists.create('companies', 'Prospects DACH');
    await client.lists.create('contacts', 'People DACH');
    const settings = { sections: `    hubspot_lists: ${names}\n`, env: { HUBSPOT_TOKEN: portal.token } };
    const command = (...words: string[]) => run('create_properties: true', { ...settings, command: words });
    return { command, names: async () => (await client.lists.names('companies')).toSorted() };
  };
  const created = (object: string, name: string) =>
    `list "${name}" of hubspot_lists.${object} does not exist, and the run creates it`;

  it('is named by doctor, a dry run and the start of a run, with lists of a similar name', async () => {
    const { command, names } = await lists('{companies: Propects DACH, contacts: Pepole DACH}');
    const text = `${created('companies', 'Propects DACH')}; a similar name exists: "Prospects DACH"; ${created('contacts', 'Pepole DACH')}; a similar name exists: "People DACH"`;
    expect((await command('doctor')).stdout).toMatch(new RegExp(`^lists of weekly +warning +${text}$`, 'm'));
    const dry = await command('run', 'weekly', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining(`lists of weekly: ${text}\n`) });
    expect(await names()).toEqual(['Prospects DACH']);
  });

  it('is named alone where no name is similar, and an id is no name', async () => {
    const { command } = await lists('{companies: "170000"}');
    const text = `${created('companies', '170000')}; an id of a list is not taken, write its name`;
    expect((await command('doctor')).stdout).toMatch(new RegExp(`^lists of weekly +warning +${text}$`, 'm'));
  });

  it('is no matter where the lists exist', async () => {
    const { command } = await lists('{companies: prospects dach, contacts: "People of {order.title}"}');
    expect((await command('doctor')).stdout).toMatch(/^lists of weekly +ok +available for the written records$/m);
    expect((await command('run', 'weekly', '--dry-run')).stderr).not.toContain('lists of weekly');
  });
});

describe('run', () => {
  // Guarantee: Nothing is written to a wrong portal
  it('waits when the service asks for a pause, and starts nothing in another portal than the expected one', async () => {
    service.faults.add({ path: '/api/v1/orders', times: 1, status: 429, headers: { 'retry-after': '1' } });
    const { code, stderr } = await run('account_type: STANDARD', { command: ['run', 'weekly'] });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The prospecting service is not available .* status 429.*\. Trying again in 1 s\.$/m);
    expect(stderr).toContain('WRONG_PORTAL_TYPE: expected STANDARD, found SANDBOX');
    expect(stderr).toContain('check hubspot.token and hubspot.account_type');
    expect(stderr).toContain('Nothing was started.');
  });

  // Guarantee: A new field, type, code or version of the service fails no run
  it('lists the drift of the answers with --drift, and exits with 0', async () => {
    const asSpecified = await run('create_properties: true', { args: ['--drift'] });
    expect(asSpecified.stdout).toMatch(/^Drift: none recorded\. The answers of the service are as specified$/m);

    const { discovery_order_id: discoveryOrderId } = await service.seed(organizationId, { entries: 1, companies: 3 });
    service.tamper(discoveryOrderId, [{ kind: 'rename_field', path: 'reason_codes', name: 'reason_names' }]);
    const { PROSPECTING_BASE_URL: baseUrl = '', PROSPECTING_API_KEY: apiKey = '' } = env;
    const client = createProspectingClient({ baseUrl, apiKey: () => apiKey });
    await client.results.page(discoveryOrderId, 0);
    const ledger = await openLedger({ dataDir: path.join(folder, '.prospect-sync') });
    await saveAnswerShapes(ledger, client);
    await ledger.close();
    const drifted = await run('create_properties: true', { args: ['--drift'] });
    expect(drifted.code).toBe(0);
    expect(drifted.stdout).toMatch(
      /^Drift: 2 differences from the specification; none fails a run\n {2}listResults\n {4}missing field {2}items\[\]\.reason_codes: required by the specification, first seen \d{4}-\d\d-\d\d\n {4}new field {6}items\[\]\.reason_names: array, first seen \d{4}-\d\d-\d\d$/m,
    );

    const printed = await run('create_properties: true', { args: ['--drift', '--json'] });
    const { ok, drift } = JSON.parse(printed.stdout) as Diagnosis;
    expect({ ok, kinds: drift?.map(({ kind }) => kind) }).toEqual({ ok: true, kinds: ['missing', 'field'] });
    expect(JSON.parse((await run('create_properties: true', { args: ['--json'] })).stdout)).not.toHaveProperty('drift');
  });
});
