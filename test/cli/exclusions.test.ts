import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';
import { createProspectingClient } from '../../src/service/client/prospecting-client.ts';
import { toMarkedDescription } from '../../src/config/blacklist-settings.ts';
import { describeIf, needsPseudoTerminal } from '../helpers/describe-if.ts';
import { hasPseudoTerminal, runOnTerminal } from '../helpers/pseudo-terminal.ts';
import { createSeparateProject, type SeparateProject } from '../helpers/separate-project.ts';
import { until } from '../helpers/until.ts';
import { itOfAll } from '../helpers/sample.ts';

let example: ExampleProject;
/** Each test that uses it has its own configuration file and blacklists. */
let shared: SeparateProject;

beforeAll(async () => {
  example = await startExampleProject();
  shared = await createSeparateProject(example, 'shared');
});
afterAll(() => example?.stop());

type Yaml = ReturnType<typeof parse>;
type Flags = readonly string[];

/** Writes a changed copy of the configuration. @returns the flags of commands that use it */
async function configure({ folder }: SeparateProject, change: (yaml: Yaml) => void, file = 'few.yaml') {
  const yaml = parse(await readFile(path.join(folder, 'prospect-sync.yaml'), 'utf8'));
  change(yaml);
  await writeFile(path.join(folder, file), stringify(yaml));
  return ['--config', file];
}

/** The portal belongs to all tests, so these companies are not written to it. */
function orderFew(yaml: Yaml): void {
  Object.assign(yaml.runs['demo-discovery'], { briefing_quantity: 3, crm: false, exclusions: [] });
}

async function runDiscovery({ command }: SeparateProject, flags: Flags) {
  const { code, stdout, stderr } = await command('run', 'demo-discovery', '--yes', '--json', ...flags);
  expect({ code, stderr: code === 0 || code === 3 ? '' : stderr }).toEqual({ code: expect.any(Number), stderr: '' });
  return JSON.parse(stdout).orders[0];
}

async function readCompanies({ service }: SeparateProject, orderId: string) {
  const { slots } = await service.results.page(orderId, 0);
  return slots.map((slot): { company_name: string; website_url: string; city: string } => {
    const { company } = JSON.parse(JSON.stringify(slot));
    return { company_name: company.name, website_url: company.website_url, city: company.city };
  });
}

/** The companies of a new order, which no blacklist had. */
async function deliverCompanies() {
  return readCompanies(shared, (await runDiscovery(shared, await configure(shared, orderFew))).order_id);
}

async function listExclusions({ command }: SeparateProject, flags: Flags = []) {
  return JSON.parse((await command('exclusions', 'list', '--json', ...flags)).stdout);
}

describe('exclusions preview, sync and approve', () => {
  // Guarantee: A mistake in a source does not empty a blacklist
  // Guarantee: Excluded companies never reach HubSpot
  itOfAll(
    'keep removals pending until exactly this set is approved; a run reports them, and does not write the excluded companies of its results to HubSpot',
    async () => {
      const project = await createSeparateProject(example, 'removals');
      const { folder, command, service } = project;
      await previewNewBlacklist(project);
      const first = await command('exclusions', 'sync', 'customers', '--json');
      expect(JSON.parse(first.stdout)).toMatchObject({ ok: true, exclusions: [{ added: 1000, removed: 0 }] });

      const csv = path.join(folder, 'exclusions.csv');
      const lines = (await readFile(csv, 'utf8')).trimEnd().split('\n');
      await writeFile(csv, `${lines.slice(0, 601).join('\n')}\n`);
      const removed = lines.length - 601;
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
      expect({ pending, removed: synced.removed }).toMatchObject({ pending: { digest, entries: removed }, removed: 0 });
      await runWithLeaks(project, removed);
      expect(await service.blacklists.list()).toMatchObject([{ entry_count: 1000 }]);

      const later = await command('exclusions', 'preview', 'customers');
      expect(later.stdout).toContain(`To approve them, run: prospect-sync exclusions approve ${digest}`);
      const unknown = await command('exclusions', 'approve', '0123456789abcdef');
      expect(unknown).toMatchObject({ code: 2 });
      expect(unknown.stderr).toContain(`Pending sets: ${digest} (${removed} entries of customers).`);
      for (const flags of [[], ['--json']]) {
        const unasked = await command('exclusions', 'approve', digest, ...flags);
        expect(unasked).toMatchObject({ code: 1 });
        expect(unasked.stderr).toContain(
          `Removal of entries: the sync removes ${removed} entries from blacklist "CRM exclusions" of exclusions.customers if the sources still call for exactly these removals`,
        );
        expect(unasked.stderr).toContain(`removals ${digest} were not approved: nothing was started or changed.`);
      }
      expect(await service.blacklists.list()).toMatchObject([{ entry_count: 1000 }]);
      const approved = await command('exclusions', 'approve', digest, '--yes');
      expect(approved.code).toBe(0);
      expect(approved.stdout).toContain(`customers (0 added, ${removed} removed)`);
      expect(approved.stderr).not.toContain('no longer apply');
      expect(await service.blacklists.list()).toMatchObject([{ entry_count: 1000 - removed }]);
      const again = await command('exclusions', 'approve', digest, '--yes');
      expect(again.stderr).toContain('No removals wait for approval.');
    },
  );

  itOfAll('make no removals whose source is repaired, or changed again, before they are approved', async () => {
    const { folder, command } = await createSeparateProject(example, 'changed');
    expect(await command('exclusions', 'sync', 'customers')).toMatchObject({ code: 0 });
    const csv = path.join(folder, 'exclusions.csv');
    const lines = (await readFile(csv, 'utf8')).trimEnd().split('\n');
    const keep = (count: number) => writeFile(csv, `${lines.slice(0, count + 1).join('\n')}\n`);
    const propose = async () => JSON.parse((await command('exclusions', 'sync', 'customers', '--json')).stdout);
    for (const [count, code] of [
      [lines.length - 1, 0],
      [100, 3],
    ] as const) {
      await keep(300);
      const [{ pending: proposed }] = (await propose()).exclusions;
      await keep(count);
      const late = await command('exclusions', 'approve', proposed.digest, '--yes', '--json');
      const [{ pending: other, removed: none }] = JSON.parse(late.stdout).exclusions;
      expect([late.code, none]).toEqual([code, 0]);
      const now = other === null ? 'no removals that need approval' : `removals ${other.digest} now`;
      expect(late.stderr).toContain(
        `Removals ${proposed.digest} no longer apply, and none of them was made: the sources have changed since, and call for ${now}`,
      );
    }
  });

  /** `preview` shows what a sync would add and how entries can match, writes a private file, and changes nothing. */
  async function previewNewBlacklist({ folder, command, service }: SeparateProject): Promise<void> {
    const { code, stdout } = await command('exclusions', 'preview', '--out', 'differences.csv', '--json');
    expect(code).toBe(0);
    const { exclusions, file } = JSON.parse(stdout);
    const counts = { present: 0, wanted: 1000, added: 1000, removed: 0 };
    expect(exclusions).toMatchObject([
      { name: 'customers', blacklist_id: null, ...counts, pending: null, is_proposed: false },
    ]);
    expect(exclusions[0].coverage.website_domain).toBeGreaterThan(0);
    expect(path.basename(file)).toBe('differences.csv');
    expect((await stat(path.join(folder, 'differences.csv'))).mode & 0o777).toBe(0o600);
    const lines = (await readFile(path.join(folder, 'differences.csv'), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(1_001);
    expect(lines[0]?.replaceAll('"', '')).toBe(
      '\uFEFFexclusion,change,entry_id,company_name,website_url,city,country,external_id,reason',
    );
    expect((await command('exclusions', 'preview', 'customers')).stdout).toMatch(
      /^a new blacklist; a sync would do this:\n {2}excluded {5}1000 {2}customers \(1000 added, 0 removed\)\n +can match: \d+ by external id, \d+ by domain, \d+ by name and city, \d+ by name only\n +csv: columns read: company_name, website_url, city, country, external_id, reason\n +some of the entries to add:\n(?: +\S.* \| .+\n){3}Nothing was changed\.\n$/,
    );
    expect(await command('exclusions', 'preview', 'rivals')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There are no exclusions named rivals. The configuration has: customers.'),
    });
    expect(await service.blacklists.list()).toEqual([]);
  }

  async function runWithLeaks(project: SeparateProject, removed: number): Promise<void> {
    const quantity = 60;
    await project.control.PUT('/drift', { body: { organization_id: project.organizationId, leaks: true } });
    const flags = await configure(project, (yaml) => (yaml.runs['demo-discovery'].briefing_quantity = quantity));
    const { leaks, findings, files, crm, exclusions } = await runDiscovery(project, flags);
    expect(exclusions).toMatchObject([{ removed: 0, pending: { entries: removed, because: 'max_percent' } }]);
    expect(leaks.leak).toBeGreaterThan(0);
    expect(findings).toMatchObject([
      { code: 'exclusion_leak', count: leaks.leak },
      { code: 'exclusion_removals_wait', count: removed },
    ]);
    expect(crm.companies).toMatchObject({ created: quantity - leaks.leak, skipped: leaks.leak });
    const evidence = files.find(({ kind }: { kind: string }) => kind === 'leaks');
    expect(evidence.path).toMatch(/\.exclusion-leaks\.csv$/);
    expect((await readFile(evidence.path, 'utf8')).trimEnd().split('\r\n')).toHaveLength(
      1 + leaks.leak + leaks.late + leaks.weak,
    );
  }
});

describe('exclusions sync during another sync of the exclusion', () => {
  itOfAll('waits for the other sync, then reads the sources again', async () => {
    const { folder, control, service, watchCommand } = await createSeparateProject(example, 'at-once');
    /** Starts a sync; `matched` resolves once its stderr matches. */
    const startSync = (pattern: RegExp) => {
      const matched = Promise.withResolvers<void>();
      let stderr = '';
      const onStderr = (text: string) => {
        stderr += text;
        if (pattern.test(stderr)) matched.resolve();
      };
      return { matched: matched.promise, ended: watchCommand(onStderr, 'exclusions', 'sync', 'customers', '--json') };
    };
    await control.POST('/faults', { body: { method: 'POST', path: '*/entries', status: 503, times: 1_000 } });
    const first = startSync(/: adding entries/);
    await first.matched;
    await appendFile(path.join(folder, 'exclusions.csv'), '\nAfter the scan,,,,,\n');
    const second = startSync(/^(?:joined|attached to|waiting for) exclusions\//m);
    await second.matched;
    await control.DELETE('/faults');
    const [before, after] = await Promise.all([first.ended, second.ended]);
    for (const ended of [before, after]) expect(ended).toMatchObject({ code: 0 });
    const reportOf = ({ stdout }: typeof before) => JSON.parse(stdout).exclusions[0];
    expect(reportOf(after)).toMatchObject({ wanted: reportOf(before).wanted + 1, added: 1 });
    expect(await service.blacklists.list()).toHaveLength(1);
  });
});

describe('blacklists of the service', () => {
  // Guarantee: Other people's blacklists are not touched
  itOfAll(
    'attach an existing blacklist unchanged, follow name and description, and assign to the prospect search beside those of others',
    async () => {
      const project = await createSeparateProject(example, 'attached');
      const { command } = project;
      const { blacklists, results } = project.service;
      const first = await runDiscovery(
        project,
        await configure(project, (yaml) => {
          orderFew(yaml);
          yaml.runs['demo-discovery'].exclusions = ['customers'];
        }),
      );
      const ours = first.exclusions[0].blacklist_id;
      const { prospect_searches: searches } = await listExclusions(project);
      const searchId = searches[0].prospect_search_id;
      const assigned = async () => (await blacklists.assigned(searchId)).map(({ id }) => id);
      const [company = { company_name: '', website_url: '' }] = await readCompanies(project, first.order_id);
      const { id: partners } = await blacklists.create({ name: 'Partner list', description: 'By sales' });
      await blacklists.addEntries(partners, [company]);
      const { id: byHand } = await blacklists.create({ name: 'By hand' });
      await blacklists.assign(searchId, [byHand]);
      const before = (await blacklists.list()).find(({ id }) => id === partners);

      const flags = await configure(project, (yaml) => {
        orderFew(yaml);
        const changes = { blacklist: 'Customers', description: 'From the CRM', attach: 'both' };
        Object.assign(yaml.exclusions.customers, changes);
        yaml.exclusions.partners = { existing: 'Partner list', attach: 'search' };
        yaml.runs['demo-discovery'].exclusions = ['customers', 'partners'];
      });
      const order = await runDiscovery(project, flags);
      expect(order.exclusions).toMatchObject([
        { name: 'customers', blacklist_id: ours },
        { name: 'partners', blacklist_id: partners, existing: true, wanted: 1, added: 0, removed: 0 },
      ]);
      expect(order.leaks).toMatchObject({ leak: 0 });
      // Only the assignment names this blacklist: the order does not.
      const later = await results.page(order.order_id, 0);
      expect(JSON.stringify(later.slots)).not.toContain(company.website_url);
      expect(new Set(await assigned())).toEqual(new Set([ours, partners, byHand]));
      const now = await blacklists.list();
      expect(now.find(({ id }) => id === partners)).toEqual(before);
      expect(now.find(({ id }) => id === ours)).toMatchObject({
        name: 'Customers',
        description: expect.stringMatching(
          /^From the CRM\nKept by prospect-sync; entries made by hand are removed\. Installation [0-9a-f]{12}\.$/,
        ) as string,
      });
      expect(now.filter(({ name }) => name === 'CRM exclusions')).toEqual([]);

      const { stdout } = await command('exclusions', 'list', ...flags);
      expect(stdout).toContain(
        `exclusions.partners: blacklist ${partners} "Partner list" (1 entries), existing, never changed`,
      );
      expect(stdout).toContain(`prospect search ${searchId} of demo-discovery`);
      expect(stdout).toContain(`assigned by prospect-sync: blacklist ${ours} "Customers"`);
      expect(stdout).toContain(`assigned by others: blacklist ${byHand} "By hand" (0 entries)`);
      expect((await command('exclusions', 'sync', 'partners', ...flags)).code).toBe(2);
      expect((await command('exclusions', 'preview', 'partners', ...flags)).stdout).toContain('is never changed');

      const detached = await configure(project, (yaml) => {
        orderFew(yaml);
        Object.assign(yaml.exclusions.customers, { blacklist: 'Customers', description: 'From the CRM' });
        yaml.exclusions.partners = { existing: partners };
        yaml.runs['demo-discovery'].exclusions = ['customers', 'partners'];
      });
      await runDiscovery(project, detached);
      expect(await assigned()).toEqual([byHand]);
    },
  );

  it('reject a description that has no room beside the mark, and an unknown existing blacklist, by name', async () => {
    const { command, service } = shared;
    await service.blacklists.create({ name: 'Suppliers' });
    const invalid = await configure(
      shared,
      (yaml) => {
        yaml.exclusions.customers.description = 'x'.repeat(1_950);
        yaml.exclusions.unclear = { existing: 'No such list', adopt: true };
      },
      'invalid.yaml',
    );
    const { code, stderr } = await command('validate', ...invalid);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'exclusions.customers.description: at most 1,916 characters, found a text of 1,950 characters',
    );
    expect(stderr).toContain('exclusions.unclear.adopt: cannot be used together with existing');
    const unclear = await configure(
      shared,
      (yaml) => (yaml.exclusions.unclear = { existing: 'Supplier' }),
      'unclear.yaml',
    );
    expect((await command('doctor', ...unclear)).stdout).toMatch(
      /^exclusions.unclear +problem +existing: the service has no blacklist with the name or id "Supplier"; a similar name is "Suppliers"$/m,
    );
  });

  itOfAll('judge leaks by the entries at the time of the match, which is a setting', async () => {
    const { command, service } = shared;
    const { id: partners } = await service.blacklists.create({ name: 'Partners' });
    const change = (yaml: Yaml) => {
      orderFew(yaml);
      yaml.exclusions.partners = { existing: partners };
      yaml.runs['demo-discovery'].exclusions = ['partners'];
    };
    const flags = await configure(shared, change, 'at-publication.yaml');
    const [removedEntry = { company_name: '' }, lateEntry = { company_name: '' }] = await deliverCompanies();
    const [removed] = await service.blacklists.addEntries(partners, [removedEntry]);
    const countOrders = async () => (await service.orders.list())?.length ?? 0;
    const before = await countOrders();
    // The service matches when it publishes, which waits for its clock.
    await shared.control.POST('/clock', { body: { mode: 'frozen' } });
    const running = runDiscovery(shared, flags);
    await until(async () => (await countOrders()) > before);
    await service.blacklists.removeEntries(partners, [removed?.id ?? '']);
    await shared.control.POST('/clock', { body: { mode: 'real' } });
    const order = await running;
    // Returned although it was listed at the time of the order.
    expect(await readCompanies(shared, order.order_id)).toContainEqual(removedEntry);
    expect(order.leaks).toEqual({ leak: 0, late: 0, weak: 0 });
    // Added after the publication: not a leak either.
    await service.blacklists.addEntries(partners, [lateEntry]);
    const ingest = async (config: Flags) => {
      const { stdout } = await command('ingest', order.order_id, '--run', 'demo-discovery', '--json', ...config);
      return JSON.parse(stdout).orders[0];
    };
    expect((await ingest(flags)).leaks).toMatchObject({ leak: 0, late: 1 });
    const atOrder = (yaml: Yaml) => {
      change(yaml);
      yaml.service.blacklists_matched = 'at_order';
    };
    const atOrderFlags = await configure(shared, atOrder, 'at-order.yaml');
    expect((await ingest(atOrderFlags)).leaks).toMatchObject({ leak: 1, late: 1 });
  });

  itOfAll(
    'leave matching rows out of an enrichment, by all four tiers and by earlier deliveries, and account for every row',
    async () => {
      const [delivered] = await deliverCompanies();
      const { folder, command, service } = shared;
      const { id: leads } = await service.blacklists.create({ name: 'Known leads' });
      await service.blacklists.addEntries(leads, [
        { company_name: 'By Id', external_id: 'crm-1' },
        { company_name: 'By Domain', website_url: 'https://by-domain.example' },
        { company_name: 'By City', city: 'Köln' },
        { company_name: 'By Name' },
      ]);
      const rows = [
        'Other Name,,,crm-1',
        'Another Name,www.by-domain.example,,',
        'BY CITY,,köln,',
        'By  Name,unrelated.example,Bonn,',
        `Delivered before,${delivered?.website_url},,`,
        'New GmbH,new.example,Berlin,new-1',
        'Other AG,other.example,Wien,new-2',
        'Invalid AG,ftp://invalid.example,,',
      ];
      const csv = path.join(folder, 'leads.csv');
      await writeFile(csv, `company_name,website_url,city,external_id\n${rows.join('\n')}\n`);
      const flags = await configure(
        shared,
        (yaml) => {
          yaml.exclusions.partners = { existing: leads };
          yaml.exclusions.delivered = { within: '365d' };
          yaml.runs.leads = { ...yaml.runs['demo-enrichment'], companies: { csv: 'leads.csv', bad_rows: 'reject' } };
          yaml.runs.leads.exclusions = ['delivered', 'partners'];
        },
        'leads.yaml',
      );
      const { code, stdout, stderr } = await command('run', 'leads', '--yes', '--json', ...flags);
      expect({ code, stderr: code === 1 ? stderr : '' }).toEqual({ code: expect.any(Number), stderr: '' });
      const [order] = JSON.parse(stdout).orders;
      expect(order).toMatchObject({ ordered: 2, slots: 2, leaks: null });
      const excludedRows = { delivered: 1, partners: 4 };
      expect(order.source).toMatchObject({ rows: 8, blank: 0, unusable: 0, ordered: 2, excluded: excludedRows });
      expect(order.source.rejected).toMatchObject({ rows: 1 });
      expect(order.findings.map(({ code: finding }: { code: string }) => finding)).not.toContain('source_rows_differ');
      const { slots } = await service.results.page(order.order_id, 0);
      expect(slots.map((slot) => JSON.parse(JSON.stringify(slot)).external_id)).toEqual(['new-1', 'new-2']);

      const readRows = async (...more: string[]): Promise<Record<string, string>[]> =>
        JSON.parse((await command('rows', order.order_id, '--json', ...more, ...flags)).stdout);
      const outcomes = new Map<unknown, Set<string>>();
      for (const { source_row: row, item, rule, outcome } of await readRows())
        if (item === 'company')
          outcomes.set(
            row,
            (outcomes.get(row) ?? new Set()).add(rule?.startsWith('excluded') ? rule : `written: ${outcome}`),
          );
      expect(new Set(outcomes.keys())).toEqual(new Set([2, 3, 4, 5, 6, 7, 8]));
      expect([...outcomes.values()].every(({ size }) => size === 1)).toBe(true);
      const excluded = await readRows('--reason', 'excluded');
      expect(excluded.map((row) => [row['source_row'], row['rule'], row['matched_by']])).toEqual([
        [2, 'excluded:partners', 'external_id'],
        [3, 'excluded:partners', 'website_domain'],
        [4, 'excluded:partners', 'name_and_city'],
        [5, 'excluded:partners', 'name'],
        [6, 'excluded:delivered', 'website_domain'],
      ]);
      expect((await readRows('--reason', 'excluded:delivered')).map((row) => row['source_row'])).toEqual([6]);
      expect(await readRows('--reason', 'excluded:suppressions')).toEqual([]);
      const misspelt = await command('rows', order.order_id, '--reason', 'excluded:partner', ...flags);
      expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean excluded:partners?') });
      const text = await command('rows', order.order_id, '--outcome', 'skipped', ...flags);
      expect(text.stdout).toMatch(
        /row 2 +company +skipped +excluded:partners +not ordered +external id crm-1 +by external_id of entry/,
      );
      expect((await command('reconcile', order.order_id, ...flags)).stdout).toContain('reconciled 2 of 2');

      await writeFile(csv, 'company_name\nBy Name\n');
      const none = await command('run', 'leads', '--yes', ...flags);
      expect(none.code).toBe(1);
      expect(none.stderr).toContain('run leads found 1 companies to enrich, and all of them match its exclusions');
    },
  );

  it('are deleted only on request and only if prospect-sync made them; an orphan is listed', async () => {
    const project = await createSeparateProject(example, 'orphans');
    const { folder, command, service } = project;
    await writeFile(path.join(folder, 'exclusions.csv'), 'company_name\nAcme\nBolt\n');
    const withCsv = (name: string) => (yaml: Yaml) => {
      const { csv } = yaml.exclusions.customers;
      yaml.exclusions = { [name.toLowerCase()]: { blacklist: name, csv }, partners: { existing: 'Partner list' } };
      yaml.runs['demo-discovery'].exclusions = [name.toLowerCase()];
    };
    const { id: partners } = await service.blacklists.create({ name: 'Partner list' });
    const { id: byHand } = await service.blacklists.create({ name: 'By hand' });
    const before = await configure(project, withCsv('Customers'));
    expect(await command('exclusions', 'sync', 'customers', ...before)).toMatchObject({ code: 0 });
    const { exclusions } = await listExclusions(project, before);
    const orphan = exclusions.find(({ name }: { name: string }) => name === 'customers').blacklist;
    const flags = await configure(project, withCsv('Clients'));
    const remove = (name: string, ...more: string[]) => command('exclusions', 'delete', name, ...more, ...flags);
    expect((await listExclusions(project, flags)).orphans).toEqual([{ ...orphan, made_by_this_installation: true }]);
    expect((await command('doctor', ...flags)).stdout).toMatch(
      new RegExp(`^exclusions +warning +not used by an exclusion: blacklist ${orphan.id} "Customers"`, 'm'),
    );
    const empty = `blacklist ${partners} (0 entries): the existing blacklist has no entries, and excludes nothing`;
    expect((await command('doctor', ...flags)).stdout).toContain(`  warning  ${empty}`);
    expect((await command('exclusions', 'preview', 'partners', ...flags)).stdout).toContain(empty.split(': ')[1]);
    const used = await configure(project, (yaml) => {
      orderFew(yaml);
      yaml.exclusions = { partners: { existing: 'Partner list' } };
      yaml.runs['demo-discovery'].exclusions = ['partners'];
    });
    const dry = await command('run', 'demo-discovery', '--dry-run', ...used);
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining(`exclusions.partners: ${empty}`) as string });
    const refused = await remove('Customers');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`This deletes blacklist ${orphan.id} "Customers" (${orphan.entries} entries)`);
    expect(refused.stderr).toContain('Nothing was deleted. To delete it without confirmation, add --yes.');
    for (const name of ['partners', 'Partner list', byHand])
      expect(await remove(name, '--yes')).toMatchObject({ code: 2 });
    const deleted = await remove('Customers', '--yes', '--json');
    expect(JSON.parse(deleted.stdout)).toEqual({ ok: true, deleted: orphan });
    expect((await service.blacklists.list()).map(({ id }) => id).toSorted()).toEqual([partners, byHand].toSorted());
    expect((await listExclusions(project, flags)).orphans).toEqual([]);
  });

  // Guarantee: Other people's blacklists are not touched
  it('of another installation are only named; they are deleted by their exact name, never by --yes alone', async () => {
    const project = await createSeparateProject(example, 'installations');
    const { command, service } = project;
    await runDiscovery(project, await configure(project, orderFew));
    const name = 'Customers of Oslo';
    const create = async (installation: string) => {
      const description = toMarkedDescription(null, installation.repeat(64));
      const { id } = await service.blacklists.create({ name, description });
      await service.blacklists.addEntries(id, [{ company_name: 'Acme' }]);
      return id;
    };
    const [oslo, rome] = [await create('a'), await create('b')];
    const { orphans } = await listExclusions(project);
    expect(orphans).toEqual([oslo, rome].map((id) => ({ id, name, entries: 1, made_by_this_installation: false })));
    for (const shown of ['doctor', 'exclusions list']) {
      const { stdout } = await command(...shown.split(' '));
      expect(stdout).toContain(`blacklist ${oslo} "${name}" (1 entries), not created by this installation`);
      expect(stdout).not.toMatch(/exclusions delete|--yes/);
    }
    for (const flags of [[], ['--yes'], ['--name', 'Customers'], ['--name', name.toLowerCase(), '--yes']]) {
      const { code, stderr } = await command('exclusions', 'delete', oslo, ...flags);
      expect({ code, flags }).toEqual({ code: flags.length === 0 ? 1 : 2, flags });
      expect(stderr).toMatch(/which was not created by this installation.* Nothing was deleted\./);
    }
    expect(await service.blacklists.list()).toHaveLength(2);
    expect(await command('exclusions', 'delete', oslo, '--name', name)).toMatchObject({ code: 0 });
    expect((await service.blacklists.list()).map(({ id }) => id)).toEqual([rome]);
  });

  // Guarantee: Other people's blacklists are not touched
  itOfAll(
    'of another installation are refused before anything is read or ordered, and taken over only by their exact name, as after a lost ledger',
    async () => {
      const project = await createSeparateProject(example, 'lost');
      const { command, service } = project;
      expect(await command('exclusions', 'sync', 'customers')).toMatchObject({ code: 0 });
      const [filled] = await service.blacklists.list();
      // Another data folder is another installation.
      const flags = ['--data-dir', 'other'];
      const owner = /Installation ([0-9a-f]{12})\./.exec(filled?.description ?? '')?.[1];
      const refusal = `this ledger is new: if there is an earlier one, correct --data-dir or the setting ledger first. Blacklist ${filled?.id} "CRM exclusions" belongs to another installation (${owner}). Set another name in`;
      for (const line of [
        'exclusions preview',
        'exclusions sync customers',
        'run demo-discovery --dry-run',
        'run demo-discovery --yes',
      ]) {
        const refused = await command(...line.split(' '), ...flags);
        expect({ line, code: refused.code }).toEqual({ line, code: 1 });
        expect(refused.stderr).toContain(`exclusions.customers: ${refusal}`);
        expect(refused.stderr).not.toContain('exclusions.customers: exclusions.customers');
        expect(refused.stderr).toContain('--take-over');
      }
      expect((await command('doctor', ...flags)).stdout).toContain(refusal);
      expect((await command('exclusions', 'list', ...flags)).stdout).toContain(refusal);
      const takeOver = (name: string) => command('exclusions', 'sync', 'customers', '--take-over', name, ...flags);
      const misspelt = await takeOver('crm exclusions');
      expect(misspelt.code).toBe(2);
      expect(misspelt.stderr).toContain(
        `--take-over is "crm exclusions", which is not the exact name of the blacklist of exclusions.customers: that is "CRM exclusions" (${filled?.id}). Nothing was changed.`,
      );
      expect([await service.blacklists.list(), await service.orders.list()]).toEqual([[filled], []]);

      expect(await takeOver('CRM exclusions')).toMatchObject({ code: 0 });
      const [taken] = await service.blacklists.list();
      expect(taken).toMatchObject({ id: filled?.id, entry_count: 1000 });
      expect(taken?.description).not.toContain(owner);
      // A repetition is a sync, also without the option. The other installation now fails.
      expect(await takeOver('CRM exclusions')).toMatchObject({ code: 0 });
      expect(await command('exclusions', 'sync', 'customers', ...flags)).toMatchObject({ code: 0 });
      const former = await command('exclusions', 'sync', 'customers');
      expect(former).toMatchObject({ code: 1, stderr: expect.stringContaining('belongs to another installation') });
    },
  );

  describeIf(hasPseudoTerminal(), needsPseudoTerminal)('of another installation, on a terminal', () => {
    it.each([
      ['y', 1, 1],
      ['Customers of Bern', 0, 0],
    ])('are deleted only if the user types the exact name: %s', async (typed, expected, left) => {
      const { folder, env, service } = example;
      const { blacklists } = createProspectingClient({ baseUrl: service.url, apiKey: () => service.apiKey });
      const description = toMarkedDescription(null, 'c'.repeat(64));
      const { id } = await blacklists.create({ name: 'Customers of Bern', description });
      const answer = { to: 'To delete it, type its name:', typed: `${typed}\r` };
      const { code } = await runOnTerminal(['exclusions', 'delete', id], { cwd: folder, env, answer });
      expect(code).toBe(expected);
      expect((await blacklists.list()).filter((listed) => listed.id === id)).toHaveLength(left);
    });
  });

  it('show the code and the text of a refusal for lack of credit before anything is started', async () => {
    const body = { code: 'CREDITS_USED_UP', message: 'All credits of this month are used up.' };
    const flags = await configure(shared, orderFew);
    // Only the first request: the check before the order.
    await shared.control.POST('/faults', {
      body: { method: 'POST', path: '/api/v1/orders', status: 402, body, times: 1 },
    });
    const { code, stderr } = await shared.command('run', 'demo-discovery', '--yes', ...flags);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'POST /api/v1/orders failed with status 402 (CREDITS_USED_UP): All credits of this month are used up',
    );
    expect(stderr).toContain('Check plan, credits and payments of the organization');
    expect(stderr).toContain('Nothing was started.');
  });
});
