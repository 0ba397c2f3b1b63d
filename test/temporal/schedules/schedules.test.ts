import { setTimeout as sleep } from 'node:timers/promises';
import { ScheduleNotFoundError } from '@temporalio/client';
import type { Config } from '../../../src/config/config.ts';
import { applySchedules } from '../../../src/temporal/schedules/apply-schedules.ts';
import { planBackfill } from '../../../src/temporal/schedules/backfill-schedule.ts';
import { scheduleIdOf } from '../../../src/temporal/schedules/desired-schedule.ts';
import { getManaged, listManaged, triggerSchedule } from '../../../src/temporal/schedules/managed-schedules.ts';
import { planSchedules } from '../../../src/temporal/schedules/plan-schedules.ts';
import { toInstallationName } from '../../../src/config/blacklist-settings.ts';
import { taskQueue } from '../../../src/temporal/workflow-ids.ts';
import { outcomeAttribute, runAttribute } from '../../../src/temporal/search-attributes.ts';
import { readStartedDigest } from '../../../src/temporal/started-digest.ts';
import { startRun } from '../../../src/worker/start-workflows.ts';
import type { runProspecting } from '../../../workflows/run-prospecting.ts';
import { discoveryPlan, startPipeline, type Pipeline } from '../../helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from '../../helpers/temporal-server.ts';
import { configuration, quantity } from './scheduled-configuration.ts';
import { until } from '../../helpers/until.ts';
import { itOfAll } from '../../helpers/sample.ts';

let temporal: TemporalTestServer;
let pipeline: Pipeline;
/** What the worker's configuration says; tests change it as a person would the file. */
let configured: Config;

/** Requests of orders of this title wait for it to be let go. */
const heldBack = Promise.withResolvers<void>();
const isHolding = Promise.withResolvers<void>();

beforeAll(async () => {
  temporal = await startTemporal();
  pipeline = await startPipeline(temporal, {
    throughService: (fetch) => async (request) => {
      const isHeld = request.method === 'POST' && (await request.clone().text()).includes('"title":"held"');
      if (isHeld) {
        isHolding.resolve();
        await heldBack.promise;
      }
      return fetch(request);
    },
  });
  pipeline.clients.configuration.findRun = (runName) => {
    const digest = configured.runs[runName]?.digest;
    return digest === undefined ? null : { digest, plan: plan(runName) };
  };
});
afterAll(async () => {
  heldBack.resolve();
  await pipeline?.stop();
  await temporal?.stop();
});

/** Of runs whose title is not their name. */
const titles = new Map([['stays', 'stay:RECEIVED']]);

function plan(runName: string) {
  const { delivery, digest } = discoveryPlan(pipeline.folder);
  return discoveryPlan(pipeline.folder, {
    runName,
    digest: configured.runs[runName]?.digest ?? digest,
    title: titles.get(runName) ?? runName,
    briefingQuantity: quantity,
    delivery: { ...delivery, crm: null, spreadsheets: null },
  });
}

const owner = {
  queue: taskQueue,
  get installation() {
    return toInstallationName(pipeline.ledger.installation);
  },
};
const look = async (config = configured) =>
  (await planSchedules(pipeline.client, config, owner)).map(({ runName, status }) => `${runName}: ${status}`);
const applyAll = async (config: Config) => {
  configured = config;
  await applySchedules(pipeline.client, await planSchedules(pipeline.client, config, owner));
  const scheduled = Object.values(config.runs).filter(({ schedule: wanted }) => wanted !== null).length;
  // A cluster lists a schedule some time after it was created, and for some time after it was deleted.
  await until(async () => (await Array.fromAsync(listManaged(pipeline.client, taskQueue))).length === scheduled);
};
const ours = (runName: string) => ({ runName, queue: taskQueue });
const schedule = (runName: string) => pipeline.client.schedule.getHandle(scheduleIdOf(runName));

/** Runs of that name that ended well, oldest first. */
async function finished(runName: string) {
  const runs = [];
  const query = `WorkflowType = "runProspecting" AND ExecutionStatus = "Completed" AND ${runAttribute.name} = "${runName}"`;
  for await (const { workflowId } of pipeline.client.workflow.list({ query })) runs.push(workflowId);
  return runs.toSorted();
}

const resultOf = (workflowId: string) => pipeline.client.workflow.getHandle<typeof runProspecting>(workflowId).result();
/** A repetition under the same key finds the order that is there. */
const ordersPlaced = () => {
  const placed = pipeline
    .requests()
    .filter(({ method, path, status }) => method === 'POST' && path === '/api/v1/orders' && status < 300);
  return new Set(placed.map(({ idempotency_key: key }) => key)).size;
};

describe('applySchedules', () => {
  const first = configuration({
    weekly:
      '{cron: ["0 6 * * MON", "30 7 1 1 *"], timezone: Europe/Berlin, jitter: 5m, overlap: buffer_one, catch_up: 2d}',
    often: '{every: 6h, offset: 15m, start_at: 2026-01-01T00:00:00Z, end_at: 2126-01-01T00:00:00Z}',
    calendars: '{calendars: [{hour: 8-18/2, day_of_week: MON-FRI, month: [2, dec], year: 2027-2030, second: 30}]}',
    manual: '',
  });
  const changed = configuration({ weekly: '{cron: "0 7 * * MON", timezone: Europe/Vienna}', often: '{every: 6h}' });

  it('creates schedules once, and changes nothing the second time', async () => {
    await applyAll(configuration({}));
    configured = first;
    expect(await look()).toEqual(['weekly: create', 'often: create', 'calendars: create']);
    await applyAll(configured);
    expect(await look()).toEqual(['weekly: unchanged', 'often: unchanged', 'calendars: unchanged']);
    const { info } = await schedule('weekly').describe();
    await applyAll(configured);
    expect((await schedule('weekly').describe()).info.lastUpdatedAt).toEqual(info.lastUpdatedAt);
    expect(info.nextActionTimes.length).toBeGreaterThanOrEqual(5);
  });

  it('stores a reference, and neither profile nor secret', async () => {
    await applyAll(first);
    const { action } = await schedule('weekly').describe();
    const reference = {
      runName: 'weekly',
      digest: configured.runs['weekly']?.digest,
      start: 'scheduled',
      installation: owner.installation,
      announced: null,
    };
    expect(action.args).toEqual([reference]);
    const { digest } = configured.runs['weekly'] ?? {};
    expect(action.staticDetails?.split('\n')).toEqual([
      '**Run weekly, started by its schedule**',
      '',
      '- **kind**: discovery',
      `- **configuration**: ${digest}`,
      expect.stringContaining('- **order**: as configured on the worker'),
    ]);
    expect(JSON.stringify(action)).not.toMatch(
      /profile_name|Profile of weekly|Customers like|\/x\/|api\.example|s3cret/,
    );
  });

  it('applies changes of the file, and keeps a manual pause and its note', async () => {
    await applyAll(first);
    await schedule('weekly').pause('holidays');
    expect(await planSchedules(pipeline.client, changed, owner)).toMatchObject([
      {
        runName: 'weekly',
        status: 'change',
        differences: [
          { field: 'calendars', from: '0 6 * * 1 | 30 7 1 1 *', to: '0 7 * * 1' },
          { field: 'timezone', from: 'Europe/Berlin', to: 'Europe/Vienna' },
          { field: 'jitter', from: '5m', to: '0s' },
          { field: 'overlap', from: 'buffer_one', to: 'skip' },
          { field: 'catch up', from: '2d', to: '1h' },
        ],
      },
      { runName: 'often', status: 'change' },
      { runName: 'calendars', status: 'delete' },
    ]);
    await applyAll(changed);
    expect(await look()).toEqual(['weekly: unchanged', 'often: unchanged']);
    const { state, spec } = await schedule('weekly').describe();
    expect(state).toMatchObject({ paused: true, note: 'holidays' });
    expect(spec.calendars).toHaveLength(1);
    await expect(schedule('calendars').describe()).rejects.toThrow(ScheduleNotFoundError);
  });

  it('shows manual edits in Temporal as drift, and reverts them', async () => {
    await applyAll(changed);
    await schedule('weekly').update(({ spec, ...previous }) => ({
      ...previous,
      spec: { ...spec, calendars: [], cronExpressions: ['0 7 * * MON', '0 9 * * TUE'], jitter: '1m' },
      state: { ...previous.state, paused: true, note: 'also on Tuesdays', remainingActions: 3 },
    }));
    expect(await planSchedules(pipeline.client, configured, owner)).toMatchObject([
      {
        status: 'drift',
        differences: [
          { field: 'calendars', from: '0 7 * * 1 | 0 9 * * 2', to: '0 7 * * 1' },
          { field: 'jitter', from: '1m', to: '0s' },
          { field: 'remaining starts', from: '3', to: 'unlimited' },
        ],
      },
      { status: 'unchanged' },
    ]);
    await applyAll(configured);
    expect(await look()).toEqual(['weekly: unchanged', 'often: unchanged']);
    expect((await schedule('weekly').describe()).state).toMatchObject({ paused: true, note: 'also on Tuesdays' });
  });

  it('never changes foreign schedules, and reports one with an id of prospect-sync', async () => {
    const action = { type: 'startWorkflow', workflowType: 'anything', taskQueue: 'others', args: [] } as const;
    for (const scheduleId of ['billing', scheduleIdOf('taken')])
      await pipeline.client.schedule.create({ scheduleId, spec: { intervals: [{ every: '1d' }] }, action });
    const before = await Promise.all(
      ['billing', scheduleIdOf('taken')].map((id) => pipeline.client.schedule.getHandle(id).describe()),
    );
    const withTaken = configuration({ fresh: '{every: 1d}', taken: '{every: 1d}' });
    await expect(planSchedules(pipeline.client, withTaken, owner)).rejects.toThrow(
      'schedule prospect-sync/taken already exists and was not created by prospect-sync',
    );
    await expect(schedule('fresh').describe()).rejects.toThrow(ScheduleNotFoundError);
    await expect(getManaged(pipeline.client, ours('taken'))).rejects.toThrow('not created by prospect-sync');
    // Another task queue is another installation: its plan leaves ours alone.
    expect(await planSchedules(pipeline.client, configuration({}), { ...owner, queue: 'another' })).toEqual([]);
    await applyAll(configuration({}));
    const after = await Promise.all(
      ['billing', scheduleIdOf('taken')].map((id) => pipeline.client.schedule.getHandle(id).describe()),
    );
    expect(after.map(({ raw }) => raw.schedule)).toEqual(before.map(({ raw }) => raw.schedule));
    expect(await look()).toEqual([]);
    await expect(getManaged(pipeline.client, ours('weekly'))).rejects.toThrow(
      /no schedule of run weekly\. Managed schedules: none/,
    );
  });
});

describe('a schedule', () => {
  // A paused schedule would pause the next one with the same times.
  afterEach(() => applyAll(configuration({})));

  it('fires by itself, each time with its own order that is collected once', async () => {
    await applyAll(configuration({ ticks: '{every: 1s, catch_up: 10s}' }));
    const runs = await until(async () => {
      const ended = await finished('ticks');
      return ended.length >= 2 && ended;
    });
    await schedule('ticks').pause('enough');
    for (const workflowId of runs)
      expect(workflowId).toMatch(/^run\/ticks\/scheduled-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const reports = await Promise.all(runs.map(resultOf));
    const orders = reports.map(({ order }) => order.orderId);
    expect(new Set(orders).size).toBe(orders.length);
    for (const { order, configurationChanged } of reports) {
      expect(order).toMatchObject({ slots: quantity, reconciled: quantity, findings: [] });
      expect(await pipeline.ledger.slots.count(order.orderId)).toBe(quantity);
      expect(configurationChanged).toBeNull();
    }
  });

  itOfAll('starts nothing while it is paused, and continues when it is resumed', async () => {
    await applyAll(configuration({ pausing: '{every: 1s}', going: '{every: 1s}' }));
    await until(async () => (await schedule('pausing').describe()).info.numActionsTaken > 0);
    await schedule('pausing').pause('enough');
    await until(async () => (await schedule('pausing').describe()).info.runningActions.length === 0);
    const { numActionsTaken } = (await schedule('pausing').describe()).info;
    // Another schedule of the same interval shows that the next start would have come.
    const before = (await schedule('going').describe()).info.numActionsTaken;
    await until(async () => (await schedule('going').describe()).info.numActionsTaken >= before + 2);
    await schedule('going').pause('enough');
    expect((await schedule('pausing').describe()).info.numActionsTaken).toBe(numActionsTaken);
    await schedule('pausing').unpause('on again');
    await until(async () => (await schedule('pausing').describe()).info.numActionsTaken > numActionsTaken);
    await schedule('pausing').pause('enough');
  });

  itOfAll('finds its order again when a run is reset', async () => {
    await applyAll(configuration({ reset: '{every: 366d}' }));
    const { workflow_id } = await triggerSchedule(pipeline.client, ours('reset'), () => sleep(50));
    const workflowId = workflow_id ?? '';
    const { order } = await resultOf(workflowId);
    const placed = ordersPlaced();
    const { runId } = await pipeline.client.workflow.getHandle(workflowId).describe();
    await pipeline.client.workflowService.resetWorkflowExecution({
      namespace: temporal.namespace,
      workflowExecution: { workflowId, runId },
      workflowTaskFinishEventId: 4 as never,
      requestId: 'reset',
    });
    const again = await resultOf(workflowId);
    expect(again.order.orderId).toBe(order.orderId);
    expect(await pipeline.ledger.slots.count(order.orderId)).toBe(quantity);
    expect(
      new Set(
        pipeline
          .requests()
          .filter(({ method, path }) => method === 'POST' && path === '/api/v1/orders')
          .map((entry) => entry.idempotency_key),
      ).size,
    ).toBe(placed);
  });

  itOfAll('backfills each time of a past period, one after another', async () => {
    await applyAll(configuration({ hourly: '{every: 1h}' }));
    const request = {
      from: new Date('2026-03-01T00:30:00Z'),
      to: new Date('2026-03-01T02:30:00Z'),
      evenPaused: false,
      now: new Date(),
    };
    const { started, leftOut, start } = await planBackfill(pipeline.client, ours('hourly'), request);
    await start();
    expect(started.map((time) => time.toISOString().slice(11, 16))).toEqual(['01:00', '02:00']);
    expect(leftOut).toEqual([]);
    const runs = await until(async () => {
      const ended = await finished('hourly');
      return ended.length === 2 && ended;
    });
    expect(runs).toEqual([1, 2].map((hour) => `run/hourly/scheduled-2026-03-01T0${hour}:00:00Z`));
    const orders = await Promise.all(runs.map(async (run) => (await resultOf(run)).order.orderId));
    expect(new Set(orders).size).toBe(2);
    const lives = await Promise.all(runs.map((run) => pipeline.client.workflow.getHandle(run).describe()));
    const spans = lives.toSorted((one, other) => Number(one.startTime) - Number(other.startTime));
    for (const [index, { startTime }] of spans.entries())
      expect(Number(startTime)).toBeGreaterThanOrEqual(Number(spans[index - 1]?.closeTime ?? 0));

    // Done again, as after a lost answer, it orders nothing anew.
    await until(async () => (await schedule('hourly').describe()).info.runningActions.length === 0);
    const placed = ordersPlaced();
    const wider = { ...request, to: new Date('2026-03-01T03:30:00Z') };
    const again = await planBackfill(pipeline.client, ours('hourly'), wider);
    await again.start();
    expect(again).toMatchObject({ started: [new Date('2026-03-01T03:00:00Z')], leftOut: started });
    await until(async () => (await finished('hourly')).length === 3);
    expect(ordersPlaced()).toBe(placed + 1);
  });

  itOfAll('skips overlapping starts, triggers included; a command attaches to the run in progress', async () => {
    await applyAll(configuration({ stays: '{every: 1s}' }));
    const pause = () => sleep(50);
    const { info } = await until(async () => {
      const described = await schedule('stays').describe();
      return described.info.numActionsSkippedOverlap > 0 && described;
    });
    expect(info.numActionsTaken).toBe(1);
    await schedule('stays').pause('enough');
    const [running] = info.recentActions;
    expect(await triggerSchedule(pipeline.client, ours('stays'), pause)).toMatchObject({
      result: 'skipped',
      workflow_id: null,
    });
    const going = `WorkflowType = "runProspecting" AND ExecutionStatus = "Running" AND ${runAttribute.name} = "stays"`;
    await until(async () => (await pipeline.client.workflow.count(going)).count > 0);
    const joined = await until(async () => {
      const started = await startRun(pipeline.client, plan('stays'), { label: 'today' });
      return started.joined && started.handle;
    });
    expect(joined.workflowId).toBe(running?.action.workflow.workflowId);
    await joined.terminate();
  });

  itOfAll(
    'runs with the current configuration, and reports it, when that has changed since it was applied',
    async () => {
      await applyAll(configuration({ changing: '{every: 366d}' }));
      const applied = configured.runs['changing']?.digest;
      configured = configuration({ changing: '{every: 366d}' }, 'contacts: {without_email: create}');
      const now = configured.runs['changing']?.digest;
      expect(await planSchedules(pipeline.client, configured, owner)).toMatchObject([
        { status: 'change', differences: [{ field: 'configuration', from: applied, to: now }] },
      ]);
      const { workflow_id } = await triggerSchedule(pipeline.client, ours('changing'), () => sleep(50));
      expect((await resultOf(workflow_id ?? '')).configurationChanged).toEqual({ applied, now });
      // What it works with, not what was applied.
      expect(await readStartedDigest(pipeline.client, workflow_id ?? '')).toBe(now);
      const details = await pipeline.client.workflow.getHandle(workflow_id ?? '').query('progress');
      expect(JSON.stringify(details)).toContain(
        `(from ${applied} to ${now}). The run uses the current configuration: changing:`,
      );
    },
  );

  it('fails with a remedy when the worker does not know the run', async () => {
    await applyAll(configuration({ removed: '{every: 366d}' }));
    configured = configuration({});
    const { workflow_id } = await triggerSchedule(pipeline.client, ours('removed'), () => sleep(50));
    const error = await resultOf(workflow_id ?? '').catch((caught: unknown) => caught);
    const { cause } = (error as Error).cause as Error;
    expect(cause).toMatchObject({ type: 'RunNotConfigured', nonRetryable: true });
    expect((cause as Error).message).toMatch(/no run named removed.*prospect-sync apply/);
    const { typedSearchAttributes } = await pipeline.client.workflow.getHandle(workflow_id ?? '').describe();
    expect(typedSearchAttributes.get(outcomeAttribute)).toBe('failed');
    expect(await readStartedDigest(pipeline.client, workflow_id ?? '')).toBeNull();
  });
});

describe('two runs of the same name', () => {
  // Guarantee: Runs of one name place their orders one after another
  it('order one after the other, and the second continues the order of a terminated one', async () => {
    configured = configuration({ twice: '' });
    titles.set('twice', 'held');
    const start = (id: string) =>
      pipeline.client.workflow.start<typeof runProspecting>('runProspecting', {
        workflowId: `run/twice/${id}`,
        taskQueue,
        args: [
          { runName: 'twice', digest: plan('twice').digest, start: 'scheduled', installation: null, announced: null },
        ],
      });
    const first = await start('a');
    const ordering = pipeline.client.workflow.getHandle(`ordering/${taskQueue}/twice`);
    const isPlacing = async (parent: string) => {
      const described = await ordering.describe().catch(() => null);
      const isOfParent = described?.parentExecution?.workflowId === parent;
      return (
        isOfParent && described.raw.pendingActivities?.some(({ activityType }) => activityType?.name === 'placeOrder')
      );
    };
    await until(() => isPlacing('run/twice/a'));
    await isHolding.promise;
    titles.delete('twice');
    const placed = ordersPlaced();
    const second = await start('b');
    const waiting = await until(async () => {
      const { raw } = await second.describe();
      return raw.pendingActivities?.find(({ lastFailure }) => lastFailure !== null && lastFailure !== undefined);
    });
    expect(waiting.activityType?.name).toBe('awaitTurn');
    expect(waiting.lastFailure?.message).toBe(
      'run/twice/a is placing its order; runs of one name order one after another',
    );
    expect(ordersPlaced()).toBe(placed);
    await first.terminate();
    // Nobody knows what became of its request: the second one repeats it under its key, instead of ordering anew.
    await until(() => isPlacing('run/twice/b'));
    heldBack.resolve();
    expect((await second.result()).order).toMatchObject({ slots: quantity, findings: [] });
    expect(ordersPlaced()).toBe(placed + 1);
  });
});
