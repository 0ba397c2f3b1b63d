import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createProspectingClient } from '../../src/prospecting/prospecting-client.ts';
import { createControlClient } from '../../sandbox/control/client.ts';
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
  it('shows what would be and how it can match, writes the differences for their owner, and changes nothing', async () => {
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

  it('says no company’s name, and knows which exclusions there are', async () => {
    const { stdout } = await command('exclusions', 'preview', 'customers');
    expect(stdout).toMatch(
      /^a new blacklist; would be:\n {2}excluded {5}1000 {2}customers \(1000 added, 0 removed\)\n/,
    );
    expect(stdout).toMatch(/can match: \d+ by external id, \d+ by domain, \d+ by name and city, \d+ by name only\n/);
    expect(stdout).toMatch(/\nnothing was changed\n$/);
    const unknown = await command('exclusions', 'preview', 'rivals');
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('there are no exclusions named rivals; the configuration has customers');
  }, 60_000);
});

describe('exclusions sync, exclusions approve', () => {
  it('hold back removals until exactly that set is approved', async () => {
    const first = await command('exclusions', 'sync', 'customers', '--json');
    expect(JSON.parse(first.stdout)).toMatchObject({ ok: true, exclusions: [{ added: 1000, removed: 0 }] });

    const gone = await keepRows(100);
    expect(gone).toBeGreaterThan(100);
    // What only a preview has seen cannot be approved, and it says so.
    const early = await command('exclusions', 'preview', 'customers');
    const [, digest = ''] =
      /under ([0-9a-f]{16}), once proposed: prospect-sync exclusions sync customers/.exec(early.stdout) ?? [];
    expect(early.stdout).not.toContain('exclusions approve');
    expect((await command('exclusions', 'approve', digest)).stderr).toContain('nothing waits for approval');
    const held = await command('exclusions', 'sync', 'customers', '--json');
    expect(held.code).toBe(3);
    const [{ pending, ...synced }] = JSON.parse(held.stdout).exclusions;
    expect({ pending, removed: synced.removed }).toMatchObject({ pending: { entries: gone }, removed: 0 });
    expect(await blacklists()).toMatchObject([{ entry_count: 1000 }]);

    expect(pending.digest).toBe(digest);
    const later = await command('exclusions', 'preview', 'customers');
    expect(later.stdout).toContain(`to let them go: prospect-sync exclusions approve ${digest}`);

    const unknown = await command('exclusions', 'approve', '0123456789abcdef');
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain(`what waits is ${pending.digest} (${gone} entries of customers)`);

    const approved = await command('exclusions', 'approve', pending.digest);
    expect(approved.code).toBe(0);
    expect(approved.stdout).toContain(`customers (0 added, ${gone} removed)`);
    expect(await blacklists()).toMatchObject([{ entry_count: 1000 - gone }]);
    const again = await command('exclusions', 'approve', pending.digest);
    expect(again.stderr).toContain('nothing waits for approval');
  }, 120_000);
});

describe('run, when removals wait and the service returns companies that were listed', () => {
  it('goes on, finishes with both findings, keeps evidence, and leaves those companies out of the CRM', async () => {
    const gone = await keepRows(20);
    const control = createControlClient({ baseUrl: project.control.url });
    await control.PUT('/drift', { body: { leaks: true } });
    const { code, stdout } = await command('run', 'demo-discovery', '--json');
    expect(code).toBe(3);
    const { ok, orders } = JSON.parse(stdout);
    expect(ok).toBe(false);
    const [{ leaks, findings, files, crm, exclusions }] = orders;
    expect(exclusions).toMatchObject([{ removed: 0, pending: { entries: gone, because: 'max_percent' } }]);
    expect(leaks.leak).toBeGreaterThan(0);
    expect(findings).toMatchObject([
      { code: 'exclusion_leak', count: leaks.leak },
      { code: 'exclusion_removals_wait', count: gone },
    ]);
    expect(crm.companies).toMatchObject({ created: 300 - leaks.leak, skipped: leaks.leak });
    const evidence = files.find(({ kind }: { kind: string }) => kind === 'leaks');
    expect(evidence.path).toMatch(/\.exclusion-leaks\.csv$/);
    expect((await readFile(evidence.path, 'utf8')).trimEnd().split('\r\n')).toHaveLength(
      1 + leaks.leak + leaks.late + leaks.weak,
    );
  }, 120_000);
});

describe('exclusions sync, while another sync of the exclusion is in progress', () => {
  /** Starts a sync; `said` resolves once its stderr matches. */
  function startSync(pattern: RegExp) {
    const said = Promise.withResolvers<void>();
    let stderr = '';
    const onStderr = (text: string) => {
      stderr += text;
      if (pattern.test(stderr)) said.resolve();
    };
    const ended = project.watchCommand(onStderr, 'exclusions', 'sync', 'customers', '--json');
    return { said: said.promise, ended };
  }

  it('waits for it, then reads the sources again', async () => {
    const control = createControlClient({ baseUrl: project.control.url });
    await control.POST('/faults', { body: { method: 'POST', path: '*/entries', status: 503, times: 1_000 } });
    await appendFile(exclusionsFile(), 'Before the scan,,,\n');
    const first = startSync(/: adding entries/);
    await first.said;
    await appendFile(exclusionsFile(), 'After the scan,,,\n');
    const second = startSync(/^(?:joined|attached to|waiting for) exclusions\//m);
    await second.said;
    await control.DELETE('/faults');
    const [before, after] = await Promise.all([first.ended, second.ended]);
    const reportOf = ({ stdout }: typeof before) => JSON.parse(stdout).exclusions[0];
    expect(reportOf(after)).toMatchObject({ wanted: reportOf(before).wanted + 1, added: 1 });
    expect(await blacklists()).toHaveLength(1);
  }, 120_000);
});
