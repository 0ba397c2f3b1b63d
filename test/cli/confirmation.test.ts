import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { openLedger } from '../../src/ledger/ledger.ts';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { orderAttribute, runAttribute } from '../../src/temporal/search-attributes.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';
import { addRun } from '../helpers/project-runs.ts';
import { hasPseudoTerminal, runOnTerminal } from '../helpers/pseudo-terminal.ts';
import { placeOrder } from '../helpers/place-order.ts';
import { createProspectingClient } from '../../src/service/client/prospecting-client.ts';
import { until } from '../helpers/until.ts';
import { startWorkerProcess } from '../helpers/worker-process.ts';
import { describeIf, needsPseudoTerminal } from '../helpers/describe-if.ts';
import { itOfAll } from '../helpers/sample.ts';

/** Runs that have ordered a tenth before. */
const orderIds = { asked: '', warned: '', attached: '' };
const orderingRuns = ['asked', 'warned', 'attached'] as const;

/** Orders of the service: it would not have others with this key. */
async function placeOrders(): Promise<void> {
  const service = createProspectingClient({ baseUrl: project.service.url, apiKey: () => project.service.apiKey });
  const profile = { profile_name: 'Earlier', ideal_customer_profile: 'Companies', target_countries: ['Germany'] };
  const { profile_creation_id: creationId } = await service.profiles.create(profile, 'earlier');
  await until(async () => (await service.profiles.creation(creationId)).profile_id !== null);
  const { profile_id: profileId } = await service.profiles.creation(creationId);
  for (const title of orderingRuns) {
    const order = { order_type: 'DISCOVERY', profile_id: profileId ?? '', title, briefing_quantity: 6 } as const;
    orderIds[title] = (await placeOrder(service.orders, order, title)).order_id;
  }
}

let project: ExampleProject;
beforeAll(async () => {
  project = await startExampleProject();
  await placeOrders();
  const file = path.join(project.folder, 'prospect-sync.yaml');
  const yaml = parse(await readFile(file, 'utf8'));
  const ledger = await openLedger({ dataDir: path.join(project.folder, '.prospect-sync') });
  for (const [runName, orderId] of Object.entries(orderIds)) {
    yaml.runs[runName] = { ...yaml.runs['demo-discovery'], briefing_quantity: 60, schedule: { every: '7d' } };
    const order = { orderId, runName, kind: 'discovery', status: 'COMPLETED', profileId: null };
    await ledger.orders.save({ ...order, requestedCount: 6, externalIdsAreRecordIds: false });
  }
  await ledger.close();
  await writeFile(file, stringify(yaml));
});
afterAll(() => project?.stop());

/** Ids of the runs `asked`, which another test may have started. */
async function listRuns(): Promise<string[]> {
  const query = `WorkflowType = "runProspecting" AND ${runAttribute.name} = "asked"`;
  const runs = await Array.fromAsync(project.client.workflow.list({ query }));
  return runs.map(({ runId }) => runId).toSorted();
}

const toWarning = (name: 'asked' | 'warned') =>
  `Unusually large order: run ${name} orders 60 companies, and its last order had 6 (order ${orderIds[name]})`;

const onTerminal = describeIf(hasPseudoTerminal(), needsPseudoTerminal);

onTerminal('run on a terminal', () => {
  it('asks before an unusually large and repeated order, and starts nothing when the user declines', async () => {
    const before = await listRuns();
    // A y that was typed before the question is none to it.
    const typed = { early: 'y\ry', answer: { to: '[y/N]', typed: 'n\r' } };
    const { code, screen } = await runOnTerminal(['run', 'asked'], { cwd: project.folder, env: project.env, ...typed });
    expect(code).toBe(1);
    expect(screen).toContain(toWarning('asked'));
    expect(screen).toContain(`Repeated order: run asked placed order ${orderIds.asked} `);
    expect(screen).toContain('the times of its schedule are 7 days apart');
    expect(screen).toContain('Place an order with run asked? [y/N]');
    expect(screen).toContain(
      'run asked was not confirmed: nothing was started or changed. To do it without confirmation, add --yes',
    );
    // Whoever is asked does not work meanwhile.
    expect(screen).not.toContain('Worker:');
    expect(await listRuns()).toEqual(before);
  });

  it('shows some rows of each order, and asks before it', async () => {
    const answer = { to: '[y/N]', typed: '\r' };
    const { code, screen } = await runOnTerminal(['run', 'demo-enrichment'], {
      cwd: project.folder,
      env: project.env,
      answer,
    });
    expect(code).toBe(1);
    expect(screen).toMatch(/demo-enrichment: rows at the beginning:\s+demo-enrichment: {3}row 2: /);
    expect(screen).toContain('Place an order with run demo-enrichment? [y/N]');
  });
});

describe('run without a terminal', () => {
  itOfAll('places no unusually large order without --yes, and warns about it with --yes', async () => {
    const refused = await project.command('run', 'warned', '--json');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(toWarning('warned')) });
    expect(refused.stderr).toContain('nothing was started or changed. To do it without confirmation, add --yes');
    expect(JSON.parse(refused.stdout).error).toContain(`Reasons:\n${toWarning('warned')}`);
    const { code, stderr, stdout } = await project.command('run', 'warned', '--json', '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(toWarning('warned')) });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, orders: [{ slots: 60 }] });
  });

  it('orders no rows again without --yes, whatever the age of their order, and names the rows that would be bought twice', async () => {
    const file = path.join(project.folder, 'prospect-sync.yaml');
    const yaml = parse(await readFile(file, 'utf8'));
    yaml.runs.rows = { ...yaml.runs['demo-enrichment'], companies: { csv: 'rows.csv' } };
    await writeFile(file, stringify(yaml));
    const rows = (...names: string[]) =>
      writeFile(path.join(project.folder, 'rows.csv'), `company_name\n${names.join('\n')}\n`);
    await rows('Acme', 'Beta');
    const { orders } = JSON.parse((await project.command('run', 'rows', '--json')).stdout);
    const orderId = orders[0].order_id;
    const countOrders = async () => {
      const { url, apiKey } = project.service;
      const response = await fetch(`${url}/api/v1/orders`, { headers: { authorization: `Bearer ${apiKey}` } });
      return JSON.stringify(await response.json()).split('"order_id"').length;
    };
    const before = await countOrders();
    const again = await project.command('run', 'rows');
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(
      new RegExp(
        `Repeated order: run rows placed order ${orderId} .*limits\\.repeat_after is 7 days\\. A new run buys 2 rows again that this order had; to continue .*ingest ${orderId} --run rows`,
      ),
    );
    await rows('Acme', 'Gamma');
    expect((await project.command('run', 'rows')).stderr).toContain('A new run buys 1 rows again that this order had');

    await writeFile(file, stringify({ ...yaml, limits: { repeat_after: '1ms' } }));
    expect((await project.command('run', 'rows', '--dry-run')).code).toBe(0);
    await rows('Acme', 'Beta');
    expect((await project.command('run', 'rows')).stderr).toContain('A new run buys 2 rows again');
    expect(await countOrders()).toBe(before);
    await rows('Acme', 'Gamma');
    expect((await project.command('run', 'rows')).code).toBe(0);
  });
});

describe('doctor', () => {
  itOfAll('says whether Temporal has the schedules as configured, also while a worker runs', async () => {
    const file = path.join(project.folder, 'prospect-sync.yaml');
    const text = await readFile(file, 'utf8');
    const ofSchedules = async () => {
      const { checks } = JSON.parse((await project.command('doctor', '--json')).stdout);
      const { state, message } = checks.find(({ check }: { check: string }) => check === 'schedules');
      return `${state}: ${message}`;
    };
    const see = ' To see the changes that prospect-sync apply makes, run: prospect-sync plan';
    const handle = project.client.schedule.getHandle('prospect-sync/asked');
    await handle.delete().catch(() => {});
    expect(await project.command('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await ofSchedules()).toBe('ok: Temporal matches the configuration');
    await handle.update(({ policies, ...previous }) => ({
      ...previous,
      policies: { ...policies, pauseOnFailure: true },
    }));
    expect(await ofSchedules()).toMatch(/^warning: asked: changed in Temporal since the last apply/);
    await handle.delete();
    expect(await ofSchedules()).toBe(`warning: asked: deleted in Temporal since the last apply.${see}`);
    expect(await project.command('apply', '--yes')).toMatchObject({ code: 0 });
    await writeFile(file, text.replace('briefing_quantity: 60', 'briefing_quantity: 2'));
    expect(await ofSchedules()).toBe(`warning: asked: the configuration has changed since the last apply.${see}`);
    await writeFile(file, text);
  });
});

describe('a schedule beside a worker that has read another version of the runs', () => {
  // Guarantee: An order that may be a mistake is confirmed first
  itOfAll(
    'is neither triggered nor backfilled, since the worker would order other quantities; doctor names the worker',
    async () => {
      const file = path.join(project.folder, 'prospect-sync.yaml');
      const text = await readFile(file, 'utf8');
      expect(await project.command('apply', '--yes')).toMatchObject({ code: 0 });
      const before = await listRuns();
      const worker = await startWorkerProcess(project.folder, project.env);
      const ofWorker = async () => {
        const { checks } = JSON.parse((await project.command('doctor', '--json')).stdout);
        return checks.find(({ check }: { check: string }) => check === 'worker');
      };
      await until(async () => (await ofWorker()).state === 'ok');
      // The same file with another ledger is another installation, such as one for tests.
      for (const command of [['run', 'asked', '--yes'], ['exclusions', 'sync', 'customers'], ['worker']])
        expect(await project.command(...command, '--data-dir', 'other')).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(
            new RegExp(`Worker ${worker.pid}@\\S+ on the task queue prospect-sync belongs to another installation`),
          ),
        });
      await writeFile(file, text.replace('briefing_quantity: 60', 'briefing_quantity: 2'));
      const refused = {
        code: 1,
        stderr: expect.stringMatching(
          /Worker \d+@\S+ has read another version of the runs than.* give each its own namespace or `TEMPORAL_TASK_QUEUE`/,
        ),
      };
      expect(await project.command('schedule', 'trigger', 'asked', '--yes')).toMatchObject(refused);
      const period = ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-20T00:00:00Z'];
      expect(await project.command('schedule', 'backfill', 'asked', ...period, '--yes')).toMatchObject(refused);
      expect(await listRuns()).toEqual(before);
      // Without a schedule, the worker itself refuses; it may be that of another installation.
      expect(await project.command('run', 'asked', '--yes')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(new RegExp(`worker ${worker.pid}@\\S+ has configuration .*TEMPORAL_TASK_QUEUE`)),
      });
      expect(await ofWorker()).toMatchObject({
        state: 'warning',
        message: expect.stringContaining('another version of'),
      });
      await writeFile(file, text);
      await worker.stop();
    },
  );
});

onTerminal('run when a run of that name is in progress', () => {
  itOfAll('attaches to a run without a question, warns when its settings differ, and delivers its order', async () => {
    const file = path.join(project.folder, 'prospect-sync.yaml');
    const control = createControlClient({ baseUrl: project.control.url });
    await control.PUT('/progression', { body: { orders: { after_seconds: 3 } } });
    const started = await addRun(project, 'attached', { briefing_quantity: 20 });
    const worker = await startWorkerProcess(project.folder, project.env);
    const { handle } = await startRun(project.client, started, { label: 'before', isConfirmed: true });
    await until(async () => (await handle.describe()).typedSearchAttributes.get(orderAttribute) !== undefined);
    await worker.stop();
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('briefing_quantity: 20', 'briefing_quantity: 21'));

    const { code, screen } = await runOnTerminal(['run', 'attached'], { cwd: project.folder, env: project.env });
    expect({ code, screen }).toEqual({ code: 0, screen: expect.stringContaining(`attached to ${handle.workflowId}`) });
    expect(screen).toContain(
      `Other settings: ${handle.workflowId} is in progress with the settings of configuration ${started.digest}, but the file has configuration `,
    );
    expect(screen).not.toMatch(/\[y\/N\]|Repeated order/);
    expect((await handle.result()).order).toMatchObject({ slots: 20, reconciled: 20, findings: [] });
  });
});
