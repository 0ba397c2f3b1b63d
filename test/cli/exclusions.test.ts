import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createProspectingClient } from '../../src/prospecting/prospecting-client.ts';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';

let project: ExampleProject;
beforeAll(async () => {
  project = await startExampleProject();
}, 60_000);
afterAll(() => project?.stop());

const command = (...args: string[]) => project.command(...args);
const blacklists = () => {
  const { url, apiKey } = project.service;
  return createProspectingClient({ baseUrl: url, apiKey: () => apiKey }).blacklists.list();
};
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
  }, 60_000);

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
  }, 60_000);
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
  }, 120_000);
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
  }, 120_000);
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
  }, 120_000);
});
