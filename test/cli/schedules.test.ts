import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backfill, toBackfillText } from '../../src/cli/schedule-backfill.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { hasPseudoTerminal, runOnTerminal } from '../helpers/pseudo-terminal.ts';
import { runCommand } from '../helpers/run-command.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { until } from '../helpers/until.ts';
import { describeIf, needsPseudoTerminal } from '../helpers/describe-if.ts';
import { itOfAll, sampleOf } from '../helpers/sample.ts';

let temporal: TemporalTestServer;
let folder: string;
beforeAll(async () => {
  temporal = await startTemporal();
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-schedules-'));
  await write('prospect-sync.yaml', '{cron: "0 6 * * 1", timezone: Europe/Berlin}');
  const text = await readFile(path.join(folder, 'prospect-sync.yaml'), 'utf8');
  await mkdir(path.join(folder, 'other'));
  await writeFile(path.join(folder, 'other/weekly.yaml'), text);
  for (const file of ['none.yaml', 'other/none.yaml'])
    await writeFile(path.join(folder, file), text.replace(/ {4}schedule: .*/, ''));
});
afterAll(async () => {
  await temporal?.stop();
  await rm(folder, { recursive: true, force: true });
});

const deleteInTemporal = () => temporal.client.schedule.getHandle('prospect-sync/weekly').delete();

/** Each test is about new installations: the ledger would know the schedule of the last one. */
beforeEach(async () => {
  await deleteInTemporal().catch(() => {});
  for (const place of ['', 'other']) await rm(path.join(folder, place, '.prospect-sync', 'ledger.db'), { force: true });
});

/** The start of the broken schedule stands in line 8, column 15. */
const write = (file: string, schedule: string, more = '') =>
  writeFile(
    path.join(folder, file),
    `service: {base_url: https://api.example.com, api_key: {env: KEY}}
hubspot: {token: {env: TOKEN}}
runs:
  weekly:
    kind: discovery
    briefing_quantity: 10
    profile: {profile_name: A, ideal_customer_profile: B, target_countries: [Germany]}
    schedule: ${schedule}
${more}`,
  );

const keys = { KEY_A: Buffer.alloc(32, 'a').toString('base64'), KEY_B: Buffer.alloc(32, 'b').toString('base64') };
const command = (...args: string[]) =>
  runCommand(args, { cwd: folder, env: { KEY: 's3cret', TOKEN: 't', TEMPORAL_ADDRESS: temporal.address, ...keys } });
/** Temporal adds the second of its start to the id of a scheduled workflow: two starts in one second would share the id. */
const untilNextSecond = () => sleep(1_010 - (Date.now() % 1_000));
const json = async (...args: string[]) => JSON.parse((await command(...args, '--json')).stdout);

describe('status', () => {
  it('says that Temporal has no runs while the ledger has orders, as in a copied project folder', async () => {
    const copied = path.join(folder, 'copied');
    await mkdir(copied);
    const text = await readFile(path.join(folder, 'prospect-sync.yaml'), 'utf8');
    await writeFile(path.join(copied, 'prospect-sync.yaml'), text.replace('weekly:', 'copied:'));
    const ledger = await openLedger({ dataDir: path.join(copied, '.prospect-sync') });
    const facts = { kind: 'discovery', status: 'COMPLETED', profileId: null, externalIdsAreRecordIds: false } as const;
    await ledger.orders.save({ ...facts, orderId: crypto.randomUUID(), runName: 'copied', requestedCount: 10 });
    await ledger.close();
    const env = { KEY: 's3cret', TOKEN: 't', TEMPORAL_ADDRESS: temporal.address };
    expect(await runCommand(['status', 'copied'], { cwd: copied, env })).toMatchObject({
      code: 0,
      stdout: 'Temporal has no runs\n',
      stderr: expect.stringContaining(
        'Temporal has no history of runs here, but the ledger has 1 order of run copied. To see the newest, run: prospect-sync report copied',
      ),
    });
  });
});

describe('plan and apply', () => {
  itOfAll('say that the local Temporal stops with the command, and with it the schedules', async () => {
    const { code, stderr } = await runCommand(['apply'], { cwd: folder, env: { KEY: 's3cret', TOKEN: 't' } });
    expect(code).toBe(0);
    expect(stderr).toContain(
      'No worker is running, and the local Temporal stops with the last command or worker that uses it: no schedule executes a run until one runs. Start it with: prospect-sync worker',
    );
  });

  it('exit with 3 when there are differences, and change nothing before apply', async () => {
    const planned = await command('plan', '--exit-code');
    expect(planned).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^weekly: create\n {4}calendars +0 6 \* \* 1\n/),
    });
    expect(planned.stdout).toContain('Nothing was changed. Apply the changes with: prospect-sync apply');

    expect(await command('apply')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('applied changes to 1 of 1 schedules'),
      stderr: expect.stringContaining(
        'No worker is running: no schedule executes a run until one runs. Start it with: prospect-sync worker',
      ),
    });
    expect(await command('apply')).toMatchObject({ code: 0, stdout: expect.stringContaining('no changes') });
    const again = await command('plan', '--exit-code', '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual({
      ok: true,
      schedules: [
        {
          run: 'weekly',
          schedule_id: 'prospect-sync/weekly',
          status: 'unchanged',
          differences: [],
          paused: null,
          never_fires_again: false,
        },
      ],
    });
  });

  it('leave a schedule of another folder, and delete one of their own only when it is confirmed', async () => {
    await command('apply');
    await until(async () => (await json('plan', '--config', 'none.yaml')).schedules.length > 0);
    expect(await command('apply', '--config', 'other/none.yaml', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('weekly: other: another installation applied it'),
    });
    const refused = await command('apply', '--config', 'none.yaml');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Schedule of weekly: apply deletes it, because the configuration has none'),
    });
    expect(refused.stderr).toContain('the changes of schedules were not confirmed: nothing was started or changed.');
    expect((await json('plan')).schedules).toMatchObject([{ run: 'weekly', status: 'unchanged' }]);
    expect(await command('apply', '--config', 'none.yaml', '--yes')).toMatchObject({ code: 0 });
    expect((await json('plan')).schedules).toMatchObject([{ run: 'weekly', status: 'create' }]);
  });

  it('reject an impossible schedule with line and column, before they connect to Temporal', async () => {
    await write('broken.yaml', '{cron: "61 6 * * 1", timezone: Mars/Olympus}');
    const { code, stderr, stdout } = await command('apply', '--config', 'broken.yaml');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining(
        'broken.yaml:8:22 runs.weekly.schedule.cron: is not a cron expression, found "61 6 * * 1". Five fields',
      ),
      expect.stringContaining(
        'broken.yaml:8:46 runs.weekly.schedule.timezone: must be a timezone such as Europe/Berlin or UTC, found "Mars/Olympus"',
      ),
    ]);
  });
});

describe('schedule', () => {
  beforeEach(() => command('apply'));
  const pause = () => command('schedule', 'pause', 'weekly', '--note', 'holidays');

  it('pauses a schedule with a note that the list and status show', async () => {
    expect(await pause()).toMatchObject({ code: 0 });
    const [listed] = await json('schedule', 'list');
    expect(listed).toMatchObject({ run: 'weekly', status: 'unchanged', paused: true, note: 'holidays', last: null });
    // What would be next, were it not paused, passes by and stays there in Temporal.
    expect(listed).toMatchObject({ next: [], never_fires_again: false, timezone: 'Europe/Berlin' });
    expect((await command('schedule', 'list')).stdout).toBe('weekly  paused: holidays\n');
    const shown =
      'Paused schedule: weekly is paused (holidays), and starts no run by itself. Resume it with: prospect-sync schedule resume weekly';
    await until(async () => (await command('status')).stderr.includes(shown));
    expect((await command('status', 'weekly')).stderr).toContain(shown);
    expect((await pause()).stdout).toContain('weekly was paused already; its note is now: holidays');
    expect((await command('schedule', 'resume', 'weekly')).stdout).toBe('weekly is resumed\n');
    expect((await command('schedule', 'resume', 'weekly')).stdout).toBe(
      'weekly was active already: it was not paused\n',
    );
    expect((await command('status')).stderr).not.toContain('Paused schedule');
  });

  /** Nobody works on the run that was triggered. */
  const endLast = async () => {
    const { info } = await temporal.client.schedule.getHandle('prospect-sync/weekly').describe();
    const started = info.recentActions.at(-1)?.action.workflow.workflowId ?? '';
    await temporal.client.workflow.getHandle(started).terminate();
  };
  const warning = 'Paused schedule: weekly is paused (holidays), and a trigger starts its run despite the pause.';

  describeIf(hasPseudoTerminal(), needsPseudoTerminal)('on a terminal', () => {
    itOfAll('triggers a paused schedule only when the user confirms', async () => {
      await pause();
      await untilNextSecond();
      const options = { cwd: folder, env: { KEY: 's3cret', TOKEN: 't', TEMPORAL_ADDRESS: temporal.address } };
      const trigger = ['schedule', 'trigger', 'weekly'];
      const answer = { to: '[y/N]', typed: '\u0003' };
      const { code, screen } = await runOnTerminal(trigger, { ...options, answer });
      expect({ code, screen }).toEqual({ code: 1, screen: expect.stringContaining(warning) });
      expect(screen).toContain('the schedule of weekly was not triggered: nothing was started');
      expect((await json('schedule', 'list'))[0].last).toBeNull();

      const accepted = await runOnTerminal(trigger, { ...options, answer: { to: '[y/N]', typed: 'y\r' } });
      expect(accepted).toMatchObject({ code: 0, screen: expect.stringContaining('started run/weekly/scheduled-') });
      await endLast();
      const agreed = await runOnTerminal([...trigger, '--yes'], options);
      expect(agreed).toMatchObject({ code: 0, screen: expect.stringMatching(/started run\/weekly\/scheduled-/) });
      expect(agreed.screen).not.toContain('[y/N]');
      await endLast();
    });

    it('deletes a schedule only when the user confirms, and says when it starts next', async () => {
      const options = { cwd: folder, env: { KEY: 's3cret', TOKEN: 't', TEMPORAL_ADDRESS: temporal.address } };
      const remove = (typed: string) =>
        runOnTerminal(['schedule', 'delete', 'weekly'], { ...options, answer: { to: 'Delete it? [y/N]', typed } });
      const declined = await remove('\r');
      expect(declined).toMatchObject({
        code: 1,
        screen: expect.stringMatching(/This deletes the schedule of weekly \(active, next start \S+:00:00\.000Z\)\./),
      });
      expect((await json('plan')).schedules).toMatchObject([{ status: 'unchanged' }]);
      expect(await remove('y\r')).toMatchObject({ code: 0 });
      expect((await json('plan')).schedules).toMatchObject([{ status: 'create' }]);
    });

    itOfAll('backfills only when the user confirms', async () => {
      const options = { cwd: folder, env: { KEY: 's3cret', TOKEN: 't', TEMPORAL_ADDRESS: temporal.address } };
      const declined = await runOnTerminal(backfillWeekly, { ...options, answer: { to: '[y/N]', typed: '\r' } });
      expect(declined).toMatchObject({ code: 1, screen: expect.stringContaining('Start weekly 2 times?') });
      expect(await countStarts()).toBe(0);
      const accepted = await runOnTerminal(backfillWeekly, { ...options, answer: { to: '[y/N]', typed: 'y\r' } });
      expect(accepted).toMatchObject({
        code: 0,
        screen: expect.stringContaining('2 starts of weekly, one after another:'),
      });
      await endBackfill();
    });
  });

  it('triggers a paused schedule without a terminal only with --yes, and resumes it', async () => {
    await pause();
    const refused = await command('schedule', 'trigger', 'weekly');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was not triggered: nothing was started'),
    });
    await untilNextSecond();
    const { code, stderr } = await command('schedule', 'trigger', 'weekly', '--yes');
    expect((await command('status')).stderr).toContain(
      'No worker is running: runs in progress wait until one runs. Start it with: prospect-sync worker',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(warning) });
    await endLast();
    expect(await json('schedule', 'resume', 'weekly')).toMatchObject({ run: 'weekly', paused: false });
    expect((await json('schedule', 'list'))[0].next).toHaveLength(5);
  });

  it('reports why Temporal rejects a request', async () => {
    const { code, stderr } = await command('schedule', 'pause', 'weekly', '--note', 'x'.repeat(100_000));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/Temporal rejected the request: .*limit/),
    });
    expect(stderr).not.toContain('unexpected');
  });

  it('asks before it triggers an enrichment whose source cannot be read, or whose rows were ordered before', async () => {
    const companies = (file: string) => `
    kind: enrichment
    companies: {csv: ${file}}
    profile: {profile_name: A, ideal_customer_profile: B, target_countries: [Germany]}
    schedule: {every: 1d}`;
    const settings =
      'service: {base_url: https://api.example.com, api_key: {env: KEY}}\nhubspot: {token: {env: TOKEN}}';
    await writeFile(path.join(folder, 'leads.csv'), 'company_name,city\nAcme GmbH,Ulm\n');
    await writeFile(path.join(folder, 'leads.yaml'), `${settings}\nruns:\n  weekly:${companies('leads.csv')}\n`);
    await writeFile(path.join(folder, 'gone.yaml'), `${settings}\nruns:\n  weekly:${companies('gone.csv')}\n`);
    await command('apply', '--config', 'leads.yaml');
    const ledger = await openLedger({ dataDir: path.join(folder, '.prospect-sync') });
    const sent = { idempotencyKey: 'k', runName: 'other', runKey: 'k', profileId: 'p', title: '', bodyJson: null };
    const row = { position: 0, company: { company_name: 'ACME', city: 'Ulm' }, sourceRow: 2, ownJson: null };
    const counts = { rows: 1, blank: 0, unusable: 0, ordered: 1, columns: null };
    await ledger.drafts.save('k', [row], { report: { kind: 'csv', ...counts }, headers: [] });
    await ledger.orderRequests.open({ ...sent, kind: 'enrichment', quantity: 1, at: new Date().toISOString() });
    await ledger.close();
    const asked = await command('schedule', 'trigger', 'weekly', '--config', 'leads.yaml');
    expect(asked).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Rows ordered before: 1 of 1 rows, 1 by run other/),
    });
    const unreadable = await command('schedule', 'trigger', 'weekly', '--config', 'gone.yaml');
    expect(unreadable).toMatchObject({ code: 1, stderr: expect.stringMatching(/gone\.csv/) });
    expect((await temporal.client.schedule.getHandle('prospect-sync/weekly').describe()).info.numActionsTaken).toBe(0);
  });

  it('triggers a schedule, and lists its last start', async () => {
    await untilNextSecond();
    const triggered = await command('schedule', 'trigger', 'weekly', '--json');
    expect(triggered.stderr).toContain('No worker is running: runs of weekly wait until one runs.');
    const { result, workflow_id } = JSON.parse(triggered.stdout);
    expect([result, workflow_id]).toEqual(['started', expect.stringMatching(/^run\/weekly\/scheduled-/)]);
    const { stdout } = await command('schedule', 'list');
    expect(stdout).toMatch(/^weekly {2}active\n {2}next {3}\S+Z {2}\(\d{4}-\d\d-\d\d 06:00 Europe\/Berlin\)\n/);
    expect(stdout).toContain(`running  ${workflow_id}`);
    // Of several starts the newest is the last.
    await temporal.client.workflow.getHandle(workflow_id).terminate();
    await untilNextSecond();
    const again = await command('schedule', 'trigger', 'weekly');
    const [, newest] = /^started (\S+)\. Follow it with: prospect-sync status weekly/.exec(again.stdout) ?? [];
    expect(newest).not.toBe(workflow_id);
    expect(again.stdout).not.toContain('prospect-sync run');
    expect((await json('schedule', 'list'))[0].last).toMatchObject({ workflow_id: newest, outcome: 'running' });
  });

  itOfAll('neither triggers nor backfills a schedule that was changed in Temporal', async () => {
    const handle = temporal.client.schedule.getHandle('prospect-sync/weekly');
    await handle.update(({ action, ...previous }) => ({ ...previous, action: { ...action, workflowType: 'another' } }));
    const drift = 'the schedule of weekly was changed in Temporal since the last apply';
    const named = `${drift}: workflow is another instead of runProspecting. Nothing was started. Restore it with: prospect-sync apply`;
    for (const [words, error] of [
      [['schedule', 'trigger', 'weekly', '--yes'], named],
      [[...backfillWeekly, '--yes'], named],
      [['schedule', 'trigger', 'weekly', '--yes', '--config', 'none.yaml'], `${drift}. Nothing was started.`],
    ] as const)
      expect(await command(...words)).toMatchObject({ code: 1, stderr: expect.stringContaining(error) });
    expect(await countStarts()).toBe(0);
  });

  /** Two Mondays of a winter, of their own for each test, since a backfill leaves out what an earlier test has started. */
  const toMondays = (number: number) =>
    [0, 7].map((days) => new Date(Date.UTC(2024, 10, 4 + 14 * number + days, 5)).toISOString());
  let tests = 0;
  let times = toMondays(tests);
  let backfillWeekly: readonly string[] = [];
  let purchase = '';
  beforeEach(() => {
    times = toMondays((tests += 1));
    const [from = '', to = ''] = times;
    backfillWeekly = ['schedule', 'backfill', 'weekly', '--from', from, '--to', to];
    purchase = `Backfill: 2 starts of weekly from ${from} to ${to}, one after another. Each start buys 10 companies, 20 in total.`;
  });
  const countStarts = async () => {
    const { info } = await temporal.client.schedule.getHandle('prospect-sync/weekly').describe();
    return info.numActionsTaken + info.runningActions.length;
  };
  const endBackfill = () =>
    until(async () => {
      const { info, raw } = await temporal.client.schedule.getHandle('prospect-sync/weekly').describe();
      for (const { workflow } of info.runningActions)
        await temporal.client.workflow
          .getHandle(workflow.workflowId)
          .terminate()
          .catch(() => {});
      return info.numActionsTaken === 2 && info.runningActions.length === 0 && Number(raw.info?.bufferSize ?? 0) === 0;
    });

  it('shows what a backfill would start and buy, and starts nothing without confirmation', async () => {
    const shown = await command(...backfillWeekly, '--dry-run');
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing was started') });
    expect(shown.stdout).toContain('Each start buys 10 companies, 20 in total.');
    expect(await json(...backfillWeekly, '--dry-run')).toEqual({
      run: 'weekly',
      dry_run: true,
      times,
      left_out: [],
      companies_per_start: 10,
    });
    for (const flags of [[], ['--json']]) {
      const { code, stderr } = await command(...backfillWeekly, ...flags);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(purchase) });
      expect(stderr).toContain('the backfill of weekly was not confirmed: nothing was started');
    }
    expect(await countStarts()).toBe(0);
  });

  it('backfills a period once, and says that no worker runs', async () => {
    const { code, stdout, stderr } = await command(...backfillWeekly, '--yes', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(purchase) });
    expect(JSON.parse(stdout)).toMatchObject({ dry_run: false, times });
    expect(stderr).toContain(
      'No worker is running: runs of weekly wait until one runs. Start it with: prospect-sync worker',
    );
    await until(async () => (await countStarts()) > 0);
    expect(await command(...backfillWeekly, '--yes')).toMatchObject({ code: 1 });
    await endBackfill();
    // What has started already is named, and asks nothing.
    const left = await command(...backfillWeekly);
    expect(left).toMatchObject({ code: 0, stdout: expect.stringMatching(/^no start of weekly\n2 left out/) });
  });

  it('backfills a paused schedule only with --paused', async () => {
    await pause();
    const refused = await command(...backfillWeekly, '--yes');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'the schedule of weekly is paused (holidays), and a backfill starts its runs despite the pause. Nothing was started. Resume it with: prospect-sync schedule resume weekly, or add --paused',
      ),
    });
    const asked = await command(...backfillWeekly, '--paused');
    expect(asked.stderr).toContain('The schedule is paused, and they start despite the pause.');
    expect(asked.code).toBe(1);
    expect(await countStarts()).toBe(0);
    expect(await command(...backfillWeekly, '--paused', '--yes')).toMatchObject({ code: 0 });
    await endBackfill();
  });

  itOfAll('says when it deletes a paused schedule that apply creates it active', async () => {
    await pause();
    expect((await command('apply')).stdout).toBe(
      'no changes: Temporal matches the configuration\npaused: weekly (holidays)\n',
    );
    expect(await command('schedule', 'delete', 'weekly')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'This deletes the schedule of weekly (paused: holidays). Nothing was deleted. To delete it without confirmation, add --yes.',
      ),
    });
    expect(await command('schedule', 'delete', 'weekly', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'It was paused (holidays), and the pause ends with it: prospect-sync apply creates it again, active, unless',
      ),
    });
    expect(await command('apply')).toMatchObject({ code: 0 });
    expect((await json('schedule', 'list'))[0]).toMatchObject({ paused: false });
    expect(await json('schedule', 'delete', 'weekly', '--yes')).toEqual({ run: 'weekly', deleted: true, paused: null });
  });

  it('deletes a schedule, and then says how it is created, or that the run has none', async () => {
    expect(await command('schedule', 'delete', 'weekly', '--yes')).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await command('schedule', 'trigger', 'weekly');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      'The schedule of run weekly is in the configuration, but not in Temporal: it was not applied, or was deleted. To create it, run: prospect-sync apply',
    );
    const without = await command('schedule', 'trigger', 'weekly', '--config', 'none.yaml');
    expect(without.stderr).toContain('Temporal has no schedule of run weekly.');
    expect(without.stderr).toContain('give the run a schedule in the configuration, then run: prospect-sync apply');
  });
});

describe('a schedule that another installation applied', () => {
  const other = ['--config', 'other/weekly.yaml'];
  const stateOf = async () => (await temporal.client.schedule.getHandle('prospect-sync/weekly').describe()).state;
  const operations = [
    ['pauses it', 'schedule', 'pause', 'weekly'],
    ['resumes it, and it starts runs by itself', 'schedule', 'resume', 'weekly'],
    ['starts its run', 'schedule', 'trigger', 'weekly'],
    [
      'starts its runs',
      'schedule',
      'backfill',
      'weekly',
      '--from',
      '2026-11-02T05:00:00Z',
      '--to',
      '2026-11-09T05:00:00Z',
    ],
  ] as const;
  beforeEach(() => command('apply'));

  it.each([
    ['without a ledger', 'not known yet', async () => {}],
    ['with another ledger', '[0-9a-f]{12}', () => command('apply', '--config', 'other/none.yaml')],
  ])('is paused, resumed, triggered and backfilled only with --yes: %s', async (_, own, prepare) => {
    await prepare();
    for (const [effect, ...words] of operations) {
      const { code, stderr } = await command(...words, ...other);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          new RegExp(
            `Schedule of weekly: another installation applied it \\([0-9a-f]{12}\\); this one is ${own}\\. The command ${effect}\n`,
          ),
        ),
      });
      expect(stderr).toContain('nothing was started or changed. To do it without confirmation, add --yes');
    }
    const { info } = await temporal.client.schedule.getHandle('prospect-sync/weekly').describe();
    expect([info.numActionsTaken, (await stateOf()).paused]).toEqual([0, false]);
    expect(await command('schedule', 'pause', 'weekly', '--yes', ...other)).toMatchObject({ code: 0 });
    expect((await stateOf()).paused).toBe(true);
  });

  it('is what every schedule is while the configuration has problems; --yes still pauses it', async () => {
    await write('unfinished.yaml', '{cron: "61 6 * * 1"}');
    const stop = ['schedule', 'pause', 'weekly', '--config', 'unfinished.yaml'];
    expect(await command(...stop)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('this one is not known yet. The command pauses it'),
    });
    expect(await command(...stop, '--yes')).toMatchObject({ code: 0 });
    expect((await stateOf()).paused).toBe(true);
  });

  it('is neither deleted nor replaced with --yes alone', async () => {
    await command('apply', '--config', 'other/none.yaml');
    for (const flags of [[], ['--yes'], ['--name', 'Weekly', '--yes']]) {
      const { code, stderr } = await command('schedule', 'delete', 'weekly', ...flags, ...other);
      expect({ code, flags }).toEqual({ code: flags.length === 0 ? 1 : 2, flags });
      expect(stderr).toMatch(
        /the schedule of weekly \(active, next start .*\), which another installation applied \([0-9a-f]{12}\) and may be using\. Nothing was deleted\./,
      );
    }
    for (const flags of [[], ['--yes'], ['--yes', '--json']]) {
      const { code, stderr } = await command('apply', ...flags, ...other);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /only if you confirm that at a terminal, without --yes\. .*\n*.*Nothing was changed/,
        ),
      });
      expect(stderr).toContain('prospect-sync schedule delete weekly --name weekly');
    }
    expect((await json('plan')).schedules).toMatchObject([{ status: 'unchanged' }]);
    const named = ['schedule', 'delete', 'weekly', '--name', 'weekly'];
    expect(await command(...named, ...other)).toMatchObject({ code: 0 });
    expect(await command('apply', ...other)).toMatchObject({ code: 0 });
  });

  describeIf(hasPseudoTerminal(), needsPseudoTerminal)('on a terminal', () => {
    const onTerminal = (words: readonly string[], to: string, typed: string) =>
      runOnTerminal([...words, ...other], {
        cwd: folder,
        env: { KEY: 's3cret', TOKEN: 't', TEMPORAL_ADDRESS: temporal.address },
        answer: { to, typed: `${typed}\r` },
      });

    itOfAll('is replaced, with its pause, when the user confirms', async () => {
      await command('schedule', 'pause', 'weekly', '--note', 'holidays');
      expect(await onTerminal(['apply'], 'Apply the changes? [y/N]', 'y')).toMatchObject({ code: 0 });
      expect(await json('plan', ...other)).toMatchObject({
        schedules: [{ status: 'unchanged', paused: 'holidays' }],
      });
    });

    const answers: [string, number][] = [
      ['y', 1],
      ['weekly', 0],
    ];
    it.each(sampleOf(answers, 1))('is deleted only when the user types its name: %s', async (typed, code) => {
      expect(await onTerminal(['schedule', 'delete', 'weekly'], 'To delete it, type its name:', typed)).toMatchObject({
        code,
      });
    });
  });
});

describe('a schedule that was deleted in Temporal since the last apply', () => {
  const note = ['--note', 'holidays'];
  beforeEach(() => command('apply'));

  it('is created again, active, only when that is confirmed, where no pause of it is known', async () => {
    await command('schedule', 'pause', 'weekly', ...note);
    await command('schedule', 'resume', 'weekly');
    await deleteInTemporal();
    expect((await command('plan')).stdout).toContain(
      'weekly: gone: deleted in Temporal since the last apply; apply creates it again\n',
    );
    expect((await command('schedule', 'list')).stdout).toBe(
      'weekly  deleted in Temporal since the last apply. Create it again with: prospect-sync apply\n',
    );
    const warned =
      'Schedule of weekly: it was deleted in Temporal since the last apply, and apply creates it again, active, even if it was paused in Temporal';
    expect(await command('apply')).toMatchObject({ code: 1, stderr: expect.stringContaining(warned) });
    expect((await json('plan')).schedules).toMatchObject([{ status: 'gone', paused: null }]);
    expect(await command('apply', '--yes')).toMatchObject({ code: 0, stderr: expect.stringContaining(warned) });
    expect((await json('plan')).schedules).toMatchObject([{ status: 'unchanged', paused: null }]);
  });

  it.each([
    ['trigger', '--yes'],
    ['resume', '--yes'],
    ['pause', '--note', 'holidays'],
  ])('is not to be configured, but applied again, for schedule %s', async (operation, ...flags) => {
    await deleteInTemporal();
    expect(await command('schedule', operation, 'weekly', ...flags)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'The schedule of run weekly was deleted in Temporal since the last apply. To create it again, run: prospect-sync apply',
      ),
    });
  });

  it.each([
    ['was set by schedule pause', () => command('schedule', 'pause', 'weekly', ...note)],
    [
      'was set in Temporal before an apply',
      async () => {
        await temporal.client.schedule.getHandle('prospect-sync/weekly').pause('holidays');
        await command('apply');
      },
    ],
  ])('is created again with its pause if that %s', async (_, pauseIt) => {
    await pauseIt();
    await deleteInTemporal();
    expect((await command('plan')).stdout).toContain('(paused: holidays. To let it start runs: prospect-sync schedule');
    expect(await command('apply')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('and apply creates it again, paused as it was (holidays)'),
    });
    expect(await command('apply', '--yes')).toMatchObject({ code: 0 });
    expect((await json('schedule', 'list'))[0]).toMatchObject({ status: 'unchanged', paused: true, note: 'holidays' });
  });
});

describe('a schedule that was paused when this installation last saw it, and is active in Temporal', () => {
  const handle = () => temporal.client.schedule.getHandle('prospect-sync/weekly');
  /** As an update of Temporal's own command line: it replaces the whole schedule, with its pause and its memo. */
  const replaceInTemporal = () =>
    handle().update(({ action, spec }) => ({
      action: { ...action, memo: {} },
      spec: { ...spec, intervals: [{ every: '1d' }] },
      state: { paused: false },
    }));
  const stateOf = async () => (await handle().describe()).state;
  beforeEach(async () => {
    await command('apply');
    await command('schedule', 'pause', 'weekly', '--note', 'holidays');
  });

  it('is paused again with its note by the apply that restores its settings, when that is confirmed', async () => {
    await replaceInTemporal();
    const { stdout } = await command('plan');
    expect(stdout).toContain('weekly: drift: changed in Temporal since the last apply; apply restores it\n');
    expect(stdout).toMatch(/^ {4}pause +active -> paused: holidays$/m);
    expect(await command('apply')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'is active there, but was last known as paused: holidays; apply pauses it again. To keep it active, first run: prospect-sync schedule resume weekly',
      ),
    });
    expect(await stateOf()).toMatchObject({ paused: false });
    expect(await command('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await stateOf()).toMatchObject({ paused: true, note: 'holidays' });
    expect((await json('plan')).schedules).toMatchObject([{ status: 'unchanged', paused: 'holidays' }]);
    // The pause is still known.
    await deleteInTemporal();
    expect((await json('plan')).schedules).toMatchObject([{ status: 'gone', paused: 'holidays' }]);
  });

  itOfAll(
    'stays active after schedule resume, and where it was only resumed in Temporal, which plan and the next apply say',
    async () => {
      await replaceInTemporal();
      await command('schedule', 'resume', 'weekly');
      expect((await command('plan')).stdout).not.toContain('holidays');
      expect(await command('apply')).toMatchObject({ code: 0 });
      expect(await stateOf()).toMatchObject({ paused: false });

      await command('schedule', 'pause', 'weekly', '--note', 'holidays');
      await handle().unpause();
      const resumed =
        'weekly: paused: holidays -> active, resumed in Temporal since it was last seen; apply leaves it active';
      expect(await command('plan', '--exit-code')).toMatchObject({ code: 0, stdout: expect.stringContaining(resumed) });
      expect(await command('apply')).toMatchObject({ code: 0, stdout: expect.stringContaining(resumed) });
      expect(await stateOf()).toMatchObject({ paused: false });
      expect((await command('plan')).stdout).not.toContain('holidays');
    },
  );
});

describe('a schedule whose key is lost', () => {
  itOfAll('is listed with its last start, planned again, and deleted', async () => {
    const encryption = (letter: string) => `temporal: {encryption: {key: {id: ${letter}, env: KEY_${letter}}}}\n`;
    await write('before.yaml', '{cron: "@daily"}', encryption('A'));
    await write('after.yaml', '{calendars: [{year: 2025}]}', encryption('B'));
    expect(await command('apply', '--config', 'before.yaml')).toMatchObject({ code: 0 });
    await untilNextSecond();
    const { workflow_id } = await json('schedule', 'trigger', 'weekly', '--config', 'before.yaml');
    const lost = ['--config', 'after.yaml'];
    const [listed] = await json('schedule', 'list', ...lost);
    expect(listed).toMatchObject({ status: 'drift', last: { workflow_id, outcome: 'running' } });
    const { stdout } = await command('plan', ...lost);
    expect(stdout).toContain('weekly: drift: unreadable with the configured keys; apply replaces it (never fires');
    expect(stdout).toMatch(/encryption +key A -> key B\n/);
    expect(await command('schedule', 'delete', 'weekly', '--name', 'weekly', ...lost)).toMatchObject({ code: 0 });
    // `status` of the other tests has no key with which it could read this run.
    const { connection, namespace, client } = temporal;
    await connection.workflowService.deleteWorkflowExecution({
      namespace,
      workflowExecution: { workflowId: workflow_id },
    });
    await until(async () => (await client.workflow.count(`WorkflowId = "${workflow_id}"`)).count === 0);
  });
});

describe('a schedule that has ended', () => {
  itOfAll('is listed as ended, paused or not, and can still be triggered', async () => {
    await write('over.yaml', '{calendars: [{year: 2025}]}');
    const over = ['--config', 'over.yaml'];
    expect((await command('apply', ...over)).stdout).toContain('never fires again');
    expect((await command('schedule', 'list', ...over)).stdout).toMatch(/^weekly {2}ended: no start times left.*\n$/);
    await untilNextSecond();
    expect(await json('schedule', 'trigger', 'weekly', ...over)).toMatchObject({ result: 'started' });
    await command('schedule', 'pause', 'weekly', '--note', 'quiet', ...over);
    expect((await command('schedule', 'list', ...over)).stdout).toMatch(
      /^weekly {2}paused: quiet \(ended: no start times left/,
    );
  });
});

describe('toBackfillText', () => {
  it('counts and names the times that start and those that are left out', () => {
    const [one, two] = ['2026-11-02T05:00:00.000Z', '2026-11-09T05:00:00.000Z'] as const;
    const base = { run: 'weekly', dry_run: false, companies_per_start: 10 };
    expect(toBackfillText({ ...base, times: [two], left_out: [one] }).split('\n')).toEqual([
      '1 start of weekly:',
      `  ${two}`,
      '1 left out because they have already started (to order once more: prospect-sync schedule trigger weekly):',
      `  ${one}`,
    ]);
    expect(toBackfillText({ ...base, times: [one, two], left_out: [] })).toMatch(
      /^2 starts of weekly, one after another:\n/,
    );
    expect(toBackfillText({ ...base, times: [], left_out: [one] })).toMatch(/^no start of weekly\n1 left/);
    const dry = { ...base, dry_run: true, times: [one], left_out: [] };
    expect(toBackfillText(dry).split('\n')).toEqual([
      'dry run of the backfill of weekly: nothing was started; a backfill would do this',
      '1 start of weekly:',
      `  ${one}`,
      'Each start buys 10 companies.',
    ]);
    expect(toBackfillText({ ...dry, companies_per_start: null })).toContain('Each start buys the rows of its source.');
  });
});

describe('backfill', () => {
  const options = { config: 'x', dataDir: 'x', json: false };
  it.each([
    ['2026-02-30T00:00:00Z', '2026-11-01T00:00:00Z', 'the day 2026-02-30 does not exist'],
    ['yesterday', '2026-11-01T00:00:00Z', '--from must be a time with its offset'],
    ['2026-11-01T00:00:00Z', '2026-11-02', '--to must be a time with its offset'],
    ['2026-11-01T00:00:00Z', '2999-01-01T00:00:00Z', '--to is in the future'],
    ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00+01:00', '--from is later than --to'],
  ])('rejects %s to %s', async (from, to, message) => {
    const flags = { from, to, again: false, paused: false, dryRun: false, yes: true };
    await expect(backfill(createTerminal(), options, 'weekly', flags)).rejects.toThrow(message);
  });
});
