import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { createProspectingClient } from '../../src/prospecting/prospecting-client.ts';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';

let project: ExampleProject;
beforeAll(async () => {
  project = await startExampleProject();
});
afterAll(() => project?.stop());

const command = (...args: string[]) => project.command(...args);
const service = () => {
  const { url, apiKey } = project.service;
  return createProspectingClient({ baseUrl: url, apiKey: () => apiKey });
};
const blacklists = () => service().blacklists.list();
async function configure(change: (yaml: ReturnType<typeof parse>) => void): Promise<void> {
  const file = path.join(project.folder, 'prospect-sync.yaml');
  const yaml = parse(await readFile(file, 'utf8'));
  change(yaml);
  await writeFile(file, stringify(yaml));
}
const exclusionsFile = () => path.join(project.folder, 'exclusions.csv');

async function keepRows(count: number) {
  const lines = (await readFile(exclusionsFile(), 'utf8')).trimEnd().split('\n');
  await writeFile(exclusionsFile(), `${lines.slice(0, count + 1).join('\n')}\n`);
  return lines.length - 1 - count;
}

describe('exclusions preview', () => {
  it('shows what a sync would add and how entries can match, writes a private file of differences, and changes nothing', async () => {
    const { code, stdout } = await command('exclusions', 'preview', '--out', 'differences.csv', '--json');
    expect(code).toBe(0);
    const { exclusions, file } = JSON.parse(stdout);
    expect(exclusions).toMatchObject([
      {
        name: 'customers',
        blacklist_id: null,
        present: 0,
        wanted: 1000,
        added: 1000,
        removed: 0,
        pending: null,
        is_proposed: false,
      },
    ]);
    expect(exclusions[0].coverage.website_domain).toBeGreaterThan(0);
    expect(path.basename(file)).toBe('differences.csv');
    expect((await stat(path.join(project.folder, 'differences.csv'))).mode & 0o777).toBe(0o600);
    const lines = (await readFile(path.join(project.folder, 'differences.csv'), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(1_001);
    expect(lines[0]?.replaceAll('"', '')).toBe(
      '\uFEFFexclusion,change,entry_id,company_name,website_url,city,country,external_id,reason',
    );
    expect(await blacklists()).toEqual([]);
  });

  it('prints no company names, and rejects an unknown exclusion', async () => {
    const { stdout } = await command('exclusions', 'preview', 'customers');
    expect(stdout).toMatch(
      /^a new blacklist; a sync would do this:\n {2}excluded {5}1000 {2}customers \(1000 added, 0 removed\)\n/,
    );
    expect(stdout).toMatch(/can match: \d+ by external id, \d+ by domain, \d+ by name and city, \d+ by name only\n/);
    expect(stdout).toMatch(/\nNothing was changed\.\n$/);
    const unknown = await command('exclusions', 'preview', 'rivals');
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('There are no exclusions named rivals. The configuration has: customers.');
  });
});

describe('exclusions sync, exclusions approve', () => {
  it('keep removals pending until exactly this set is approved', async () => {
    const first = await command('exclusions', 'sync', 'customers', '--json');
    expect(JSON.parse(first.stdout)).toMatchObject({ ok: true, exclusions: [{ added: 1000, removed: 0 }] });

    const removed = await keepRows(100);
    expect(removed).toBeGreaterThan(100);
    // A set that only a preview has found cannot be approved yet.
    const early = await command('exclusions', 'preview', 'customers');
    const [, digest = ''] =
      /To propose them as ([0-9a-f]{16}), run: prospect-sync exclusions sync customers/.exec(early.stdout) ?? [];
    expect(early.stdout).not.toContain('exclusions approve');
    expect((await command('exclusions', 'approve', digest)).stderr).toContain('No removals wait for approval.');
    const held = await command('exclusions', 'sync', 'customers', '--json');
    expect(held.code).toBe(3);
    const [{ pending, ...synced }] = JSON.parse(held.stdout).exclusions;
    expect({ pending, removed: synced.removed }).toMatchObject({ pending: { entries: removed }, removed: 0 });
    expect(await blacklists()).toMatchObject([{ entry_count: 1000 }]);

    expect(pending.digest).toBe(digest);
    const later = await command('exclusions', 'preview', 'customers');
    expect(later.stdout).toContain(`To approve them, run: prospect-sync exclusions approve ${digest}`);

    const unknown = await command('exclusions', 'approve', '0123456789abcdef');
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain(`Pending sets: ${pending.digest} (${removed} entries of customers).`);

    const approved = await command('exclusions', 'approve', pending.digest);
    expect(approved.code).toBe(0);
    expect(approved.stdout).toContain(`customers (0 added, ${removed} removed)`);
    expect(await blacklists()).toMatchObject([{ entry_count: 1000 - removed }]);
    const again = await command('exclusions', 'approve', pending.digest);
    expect(again.stderr).toContain('No removals wait for approval.');
  });
});

describe('run with pending removals and excluded companies in the results', () => {
  it('completes with both findings, writes the evidence, and does not write the companies to HubSpot', async () => {
    await command('exclusions', 'sync', 'customers');
    const removed = await keepRows(20);
    const control = createControlClient({ baseUrl: project.control.url });
    await control.PUT('/drift', { body: { leaks: true } });
    const { code, stdout } = await command('run', 'demo-discovery', '--json');
    expect(code).toBe(3);
    const { ok, orders } = JSON.parse(stdout);
    expect(ok).toBe(false);
    const [{ leaks, findings, files, crm, exclusions }] = orders;
    expect(exclusions).toMatchObject([{ removed: 0, pending: { entries: removed, because: 'max_percent' } }]);
    expect(leaks.leak).toBeGreaterThan(0);
    expect(findings).toMatchObject([
      { code: 'exclusion_leak', count: leaks.leak },
      { code: 'exclusion_removals_wait', count: removed },
    ]);
    expect(crm.companies).toMatchObject({ created: 300 - leaks.leak, skipped: leaks.leak });
    const evidence = files.find(({ kind }: { kind: string }) => kind === 'leaks');
    expect(evidence.path).toMatch(/\.exclusion-leaks\.csv$/);
    expect((await readFile(evidence.path, 'utf8')).trimEnd().split('\r\n')).toHaveLength(
      1 + leaks.leak + leaks.late + leaks.weak,
    );
  });
});

describe('exclusions sync during another sync of the exclusion', () => {
  /** Starts a sync; `matched` resolves once its stderr matches. */
  function startSync(pattern: RegExp) {
    const matched = Promise.withResolvers<void>();
    let stderr = '';
    const onStderr = (text: string) => {
      stderr += text;
      if (pattern.test(stderr)) matched.resolve();
    };
    const ended = project.watchCommand(onStderr, 'exclusions', 'sync', 'customers', '--json');
    return { matched: matched.promise, ended };
  }

  it('waits for the other sync, then reads the sources again', async () => {
    const control = createControlClient({ baseUrl: project.control.url });
    await control.POST('/faults', { body: { method: 'POST', path: '*/entries', status: 503, times: 1_000 } });
    await appendFile(exclusionsFile(), 'Before the scan,,,\n');
    const first = startSync(/: adding entries/);
    await first.matched;
    await appendFile(exclusionsFile(), 'After the scan,,,\n');
    const second = startSync(/^(?:joined|attached to|waiting for) exclusions\//m);
    await second.matched;
    await control.DELETE('/faults');
    const [before, after] = await Promise.all([first.ended, second.ended]);
    const reportOf = ({ stdout }: typeof before) => JSON.parse(stdout).exclusions[0];
    expect(reportOf(after)).toMatchObject({ wanted: reportOf(before).wanted + 1, added: 1 });
    expect(await blacklists()).toHaveLength(1);
  });
});

describe('blacklists of the service', () => {
  const mark = 'Kept by prospect-sync; entries made by hand are removed.';
  const assigned = async (searchId: string) => (await service().blacklists.assigned(searchId)).map(({ id }) => id);
  const listed = async () => JSON.parse((await command('exclusions', 'list', '--json')).stdout);
  const runDiscovery = async () => {
    const { code, stdout, stderr } = await command('run', 'demo-discovery', '--yes', '--json');
    expect({ code, stderr: code === 0 || code === 3 ? '' : stderr }).toEqual({ code: expect.any(Number), stderr: '' });
    return JSON.parse(stdout).orders[0];
  };
  let searchId = '';
  let partners = '';
  let byHand = '';
  let delivered: { company_name: string; website_url: string; city: string } = {
    company_name: '',
    website_url: '',
    city: '',
  };

  it('attach an existing blacklist unchanged, follow name and description, and assign to the prospect search beside those of others', async () => {
    await createControlClient({ baseUrl: project.control.url }).PUT('/drift', { body: { leaks: false } });
    const { exclusions, prospect_searches: searches } = await listed();
    searchId = searches[0].prospect_search_id;
    const ours = exclusions[0].blacklist.id;
    await configure((yaml) => (yaml.runs['demo-discovery'].briefing_quantity = 20));
    const first = await runDiscovery();
    const { slots } = await service().results.page(first.order_id, 0);
    const { company } = JSON.parse(JSON.stringify(slots[0]));
    delivered = { company_name: company.name, website_url: company.website_url, city: company.city };
    const client = service().blacklists;
    ({ id: partners } = await client.create({ name: 'Partner list', description: 'By sales' }));
    await client.addEntries(partners, [delivered]);
    ({ id: byHand } = await client.create({ name: 'By hand' }));
    await client.assign(searchId, [byHand]);
    const before = (await blacklists()).find(({ id }) => id === partners);

    await configure((yaml) => {
      yaml.exclusions.customers = {
        ...yaml.exclusions.customers,
        blacklist: 'Customers',
        description: 'From the CRM',
        attach: 'both',
      };
      yaml.exclusions.partners = { existing: 'Partner list', attach: 'search' };
      yaml.runs['demo-discovery'].exclusions = ['customers', 'partners'];
    });
    const order = await runDiscovery();
    expect(order.exclusions).toMatchObject([
      { name: 'customers', blacklist_id: ours },
      { name: 'partners', blacklist_id: partners, existing: true, wanted: 1, added: 0, removed: 0 },
    ]);
    expect(order.leaks).toMatchObject({ leak: 0 });
    // Only the assignment names this blacklist: the order does not.
    const later = await service().results.page(order.order_id, 0);
    expect(JSON.stringify(later.slots)).not.toContain(delivered.website_url);
    expect(new Set(await assigned(searchId))).toEqual(new Set([ours, partners, byHand]));
    const now = await blacklists();
    expect(now.find(({ id }) => id === partners)).toEqual(before);
    expect(now.find(({ id }) => id === ours)).toMatchObject({
      name: 'Customers',
      description: `From the CRM\n${mark}`,
    });
    expect(now.filter(({ name }) => name === 'CRM exclusions')).toEqual([]);

    const { stdout } = await command('exclusions', 'list');
    expect(stdout).toContain(
      `exclusions.partners: blacklist ${partners} "Partner list" (1 entries), existing, never changed`,
    );
    expect(stdout).toContain(`prospect search ${searchId} of demo-discovery`);
    expect(stdout).toContain(`assigned by prospect-sync: blacklist ${ours} "Customers"`);
    expect(stdout).toContain(`assigned by others: blacklist ${byHand} "By hand" (0 entries)`);
    expect((await command('exclusions', 'sync', 'partners')).code).toBe(2);
    expect((await command('exclusions', 'preview', 'partners')).stdout).toContain('is never changed');

    await configure((yaml) => {
      delete yaml.exclusions.customers.attach;
      yaml.exclusions.partners = { existing: partners };
    });
    await runDiscovery();
    expect(await assigned(searchId)).toEqual([byHand]);
  });

  it('reject a description that has no room beside the mark, and an unknown existing blacklist, by name', async () => {
    await configure((yaml) => {
      yaml.exclusions.customers.description = 'x'.repeat(1_950);
      yaml.exclusions.unclear = { existing: 'No such list', adopt: true };
    });
    const { code, stderr } = await command('validate');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'exclusions.customers.description: at most 1,943 characters, found a text of 1,950 characters',
    );
    expect(stderr).toContain('exclusions.unclear.adopt: cannot be used together with existing');
    await configure((yaml) => {
      yaml.exclusions.customers.description = 'From the CRM';
      yaml.exclusions.unclear = { existing: 'Partner lists' };
    });
    const doctor = await command('doctor');
    expect(doctor.stdout).toMatch(
      /^exclusions.unclear +problem +exclusions.unclear.existing: the service has no blacklist with the name or id "Partner lists"; a similar name is "Partner list"$/m,
    );
    await configure((yaml) => delete yaml.exclusions.unclear);
  });

  it('judge leaks by the entries at the time of the match, which is a setting', async () => {
    await configure((yaml) => {
      yaml.exclusions.customers.description = 'From the CRM';
      yaml.runs['demo-discovery'].exclusions = ['partners'];
    });
    const probe = await runDiscovery();
    const { slots } = await service().results.page(probe.order_id, 0);
    const entries = slots.slice(0, 2).map((slot) => {
      const { company } = JSON.parse(JSON.stringify(slot));
      return { company_name: company.name, website_url: company.website_url, city: company.city };
    });
    const [removedEntry] = entries;
    const client = service().blacklists;
    const [removed] = removedEntry === undefined ? [] : await client.addEntries(partners, [removedEntry]);
    const countOrders = async () => (await service().orders.list())?.length ?? 0;
    const before = await countOrders();
    const ended = command('run', 'demo-discovery', '--yes', '--json');
    // As soon as the order exists: the sandbox matches when it publishes, seconds later.
    while ((await countOrders()) === before) await setTimeout(10);
    if (removed !== undefined) await client.removeEntries(partners, [removed.id]);
    const { stdout } = await ended;
    const order = JSON.parse(stdout).orders[0];
    // Returned although it was listed at the time of the order.
    const published = await service().results.page(order.order_id, 0);
    expect(JSON.stringify(published.slots).includes(String(removedEntry?.website_url))).toBe(true);
    expect(order.leaks).toEqual({ leak: 0, late: 0, weak: 0 });
    // Added after the publication: not a leak either.
    const [, lateEntry] = entries;
    if (lateEntry !== undefined) await client.addEntries(partners, [lateEntry]);
    const again = JSON.parse((await command('ingest', order.order_id, '--run', 'demo-discovery', '--json')).stdout);
    expect(again.orders[0].leaks).toMatchObject({ leak: 0, late: 1 });
    await configure((yaml) => (yaml.service.blacklists_matched = 'at_order'));
    const atOrder = JSON.parse((await command('ingest', order.order_id, '--run', 'demo-discovery', '--json')).stdout);
    expect(atOrder.orders[0].leaks).toMatchObject({ leak: 1, late: 1 });
    await configure((yaml) => delete yaml.service.blacklists_matched);
  });

  it('leave matching rows out of an enrichment, by all four tiers and by earlier deliveries, and account for every row', async () => {
    const entries = [
      { company_name: 'By Id', external_id: 'crm-1' },
      { company_name: 'By Domain', website_url: 'https://by-domain.example' },
      { company_name: 'By City', city: 'Köln' },
      { company_name: 'By Name' },
    ];
    await service().blacklists.addEntries(partners, entries);
    const rows = [
      'Other Name,,,crm-1',
      'Another Name,www.by-domain.example,,',
      'BY CITY,,köln,',
      'By  Name,unrelated.example,Bonn,',
      `Delivered before,${delivered.website_url},,`,
      'New GmbH,new.example,Berlin,new-1',
      'Other AG,other.example,Wien,new-2',
    ];
    await writeFile(
      path.join(project.folder, 'leads.csv'),
      `company_name,website_url,city,external_id\n${rows.join('\n')}\n`,
    );
    await configure((yaml) => {
      yaml.exclusions.delivered = { within: '365d' };
      yaml.runs.leads = { ...yaml.runs['demo-enrichment'], companies: { csv: 'leads.csv' } };
      yaml.runs.leads.exclusions = ['delivered', 'partners'];
    });
    const { code, stdout, stderr } = await command('run', 'leads', '--yes', '--json');
    expect({ code, stderr: code === 1 ? stderr : '' }).toEqual({ code: expect.any(Number), stderr: '' });
    const [order] = JSON.parse(stdout).orders;
    expect(order.source).toMatchObject({
      rows: 7,
      blank: 0,
      unusable: 0,
      ordered: 2,
      excluded: { delivered: 1, partners: 4 },
    });
    expect(order).toMatchObject({ ordered: 2, slots: 2 });
    expect(order.leaks).toBeNull();
    const { slots } = await service().results.page(order.order_id, 0);
    expect(slots.map((slot) => JSON.parse(JSON.stringify(slot)).external_id)).toEqual(['new-1', 'new-2']);

    const all = JSON.parse((await command('rows', order.order_id, '--json')).stdout);
    const bySource = new Map<number, Set<string>>();
    for (const { source_row: row, item, rule, outcome } of all)
      if (item === 'company')
        bySource.set(
          row,
          (bySource.get(row) ?? new Set()).add(rule?.startsWith('excluded') ? rule : `written: ${outcome}`),
        );
    expect(new Set(bySource.keys())).toEqual(new Set([2, 3, 4, 5, 6, 7, 8]));
    expect([...bySource.values()].every((outcomes) => outcomes.size === 1)).toBe(true);
    const excluded = JSON.parse((await command('rows', order.order_id, '--reason', 'excluded', '--json')).stdout);
    expect(excluded.map((row: Record<string, unknown>) => [row['source_row'], row['rule'], row['matched_by']])).toEqual(
      [
        [2, 'excluded:partners', 'external_id'],
        [3, 'excluded:partners', 'website_domain'],
        [4, 'excluded:partners', 'name_and_city'],
        [5, 'excluded:partners', 'name'],
        [6, 'excluded:delivered', 'website_domain'],
      ],
    );
    const text = await command('rows', order.order_id, '--outcome', 'skipped');
    expect(text.stdout).toMatch(
      /row 2 +company +skipped +excluded:partners +not ordered +external id crm-1 +by external_id of entry/,
    );
    expect((await command('reconcile', order.order_id)).stdout).toContain('reconciled 2 of 2');

    await writeFile(path.join(project.folder, 'leads.csv'), 'company_name\nBy Name\n');
    const none = await command('run', 'leads', '--yes');
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('run leads found 1 companies to enrich, and all of them match its exclusions');
  });

  it('are deleted only on request and only if prospect-sync made them; an orphan is listed', async () => {
    const { exclusions } = await listed();
    const orphan = exclusions.find(({ name }: { name: string }) => name === 'customers').blacklist;
    await configure((yaml) => {
      yaml.exclusions.clients = { ...yaml.exclusions.customers, blacklist: 'Clients' };
      delete yaml.exclusions.customers;
      yaml.runs['demo-discovery'].exclusions = ['clients'];
    });
    expect((await listed()).orphans).toEqual([orphan]);
    expect((await command('doctor')).stdout).toMatch(
      new RegExp(`^exclusions +warning +not used by an exclusion: blacklist ${orphan.id} "Customers"`, 'm'),
    );
    const refused = await command('exclusions', 'delete', 'Customers');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`would delete blacklist ${orphan.id} "Customers" (${orphan.entries} entries)`);
    expect(refused.stderr).toContain('Nothing was deleted. To delete it, add --yes.');
    for (const name of ['partners', 'Partner list', byHand])
      expect(await command('exclusions', 'delete', name, '--yes')).toMatchObject({ code: 2 });
    const deleted = await command('exclusions', 'delete', 'Customers', '--yes', '--json');
    expect(JSON.parse(deleted.stdout)).toEqual({ ok: true, deleted: orphan });
    const ids = (await blacklists()).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([partners, byHand]));
    expect(ids).not.toContain(orphan.id);
    expect((await listed()).orphans).toEqual([]);
  });

  it('show the code and the text of a refusal for lack of credit, and do not retry it', async () => {
    const control = createControlClient({ baseUrl: project.control.url });
    const body = { code: 'CREDITS_USED_UP', message: 'All credits of this month are used up.' };
    // A second request would be accepted.
    await control.POST('/faults', { body: { method: 'POST', path: '/api/v1/orders', status: 402, body, times: 1 } });
    const { code, stderr } = await command('run', 'demo-discovery', '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'POST /api/v1/orders failed with status 402 (CREDITS_USED_UP): All credits of this month are used up',
    );
    expect(stderr).toContain('Check plan, credits and payments of the organization');
  });
});
