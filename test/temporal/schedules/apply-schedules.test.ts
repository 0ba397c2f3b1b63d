import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, ScheduleNotFoundError } from '@temporalio/client';
import { createGrpcRetries } from '../../../src/temporal/grpc-retries.ts';
import { createDataConverter, keyIdOf } from '../../../src/temporal/codec/encryption-codec.ts';
import { timezones } from '../../../src/config/calendar/timezones.ts';
import { applySchedules } from '../../../src/temporal/schedules/apply-schedules.ts';
import { payloadsOf } from '../../../src/temporal/schedules/describe-schedule.ts';
import { scheduleIdOf, scheduleKind } from '../../../src/temporal/schedules/desired-schedule.ts';
import { getManaged, triggerSchedule } from '../../../src/temporal/schedules/managed-schedules.ts';
import { isDifferent, planSchedules, warnOfLostSchedules } from '../../../src/temporal/schedules/plan-schedules.ts';
import { kindAttribute, runAttribute } from '../../../src/temporal/search-attributes.ts';
import { until } from '../../helpers/until.ts';
import { startTemporal, type TemporalTestServer } from '../../helpers/temporal-server.ts';
import { configuration } from './scheduled-configuration.ts';
import { itOfAll } from '../../helpers/sample.ts';

/** Each test is an installation of its own. */
let queue = '';
let tests = 0;
let temporal: TemporalTestServer;
beforeAll(async () => {
  temporal = await startTemporal();
});
afterAll(() => temporal?.stop());
beforeEach(async () => {
  queue = `apply-test-${(tests += 1)}`;
  const names = ['raced', 'one', 'two', 'three', 'twice', 'shared', 'real', 'secret'];
  await Promise.all(
    names.map((name) =>
      schedule(name)
        .delete()
        .catch(() => {}),
    ),
  );
});

type Configured = ReturnType<typeof configuration>;
/** A client with the keys of the configuration, and no others. */
const clientOf = ({ temporal: { encryption } }: Configured) =>
  new Client({
    connection: temporal.connection,
    namespace: temporal.namespace,
    dataConverter: createDataConverter(encryption),
  });
const plan = (config: Configured, of = queue, installation = 'ours') =>
  planSchedules(clientOf(config), config, { queue: of, installation });
const apply = async (config: Configured, ...of: [of?: string, installation?: string]) =>
  applySchedules(clientOf(config), await plan(config, ...of));
const schedule = (runName: string) => temporal.client.schedule.getHandle(scheduleIdOf(runName));
const rawOf = (runName: string) =>
  temporal.client.workflowService.describeSchedule({
    namespace: temporal.namespace,
    scheduleId: scheduleIdOf(runName),
  });
const keysOf = async (runName: string) => payloadsOf({ raw: await rawOf(runName) } as never).map(keyIdOf);
const encrypted = (keys: string) => `temporal: {encryption: {${keys}}}`;

describe('applySchedules', () => {
  it('keeps a manual pause that was set after the plan was made', async () => {
    await apply(configuration({ raced: '{every: 1d}' }));
    const changed = configuration({ raced: '{every: 2d}' });
    const planned = await plan(changed);
    await schedule('raced').pause('stop it');
    await applySchedules(clientOf(changed), planned);
    expect(await plan(changed)).toMatchObject([{ status: 'unchanged' }]);
    expect((await schedule('raced').describe()).state).toEqual({ paused: true, note: 'stop it' });
  });

  it('keeps a manual pause that is set while it replaces the schedule, however often', async () => {
    await apply(configuration({ raced: '{every: 1d}' }));
    const changed = configuration({ raced: '{every: 3d}' });
    const client = clientOf(changed);
    const planned = await plan(changed);
    let pauses = 0;
    const { workflowService } = client;
    Object.defineProperty(client, 'workflowService', {
      value: Object.create(workflowService, {
        updateSchedule: {
          value: async (request: Parameters<typeof workflowService.updateSchedule>[0]) => {
            if (pauses < 3) await schedule('raced').pause(`note ${(pauses += 1)}`);
            return workflowService.updateSchedule(request);
          },
        },
      }) as unknown,
    });
    await applySchedules(client, planned);
    expect(await plan(changed)).toMatchObject([{ status: 'unchanged' }]);
    expect((await schedule('raced').describe()).state).toEqual({ paused: true, note: 'note 3' });
  });

  it('starts a renamed run paused when the schedule of its former name is paused', async () => {
    await apply(configuration({ one: '{every: 1d}' }));
    await until(async () => (await plan(configuration({}))).length === 1);
    await schedule('one').pause('budget is used up');
    const renamed = configuration({ two: '{every: 1d}', three: '{every: 2d}' });
    const pauseNote = 'the schedule of run one with the same times was paused: budget is used up';
    expect(await plan(renamed)).toMatchObject([
      { runName: 'two', status: 'create', pauseNote },
      { runName: 'three', status: 'create', pauseNote: null },
      { runName: 'one', status: 'delete' },
    ]);
    await apply(renamed);
    expect((await schedule('two').describe()).state).toEqual({ paused: true, note: pauseNote });
    expect((await schedule('three').describe()).state.paused).toBe(false);
    expect((await plan(renamed)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
  });

  it('reports what was done and what is left when Temporal rejects one schedule, and completes the next time', async () => {
    const config = configuration({ one: '{every: 1d}', two: '{every: 1d}', three: '{every: 1d}' });
    const planned = await plan(config);
    const broken = planned.map((each) =>
      each.runName === 'two' && each.status === 'create'
        ? {
            ...each,
            desired: {
              ...each.desired,
              options: { ...each.desired.options, spec: { ...each.desired.options.spec, timezone: 'Mars/Olympus' } },
            },
          }
        : each,
    );
    await expect(applySchedules(clientOf(config), broken)).rejects.toThrow(
      /schedule of run two: .*Mars\/Olympus.*Applied: one; not tried: three\. .*`prospect-sync apply` again/,
    );
    expect((await plan(config)).map(({ status }) => status)).toEqual(['unchanged', 'create', 'create']);
    await apply(config);
    expect((await plan(config)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  it('reports what may have been done and what is left when Temporal does not answer', async () => {
    const config = configuration({ one: '{every: 1d}', two: '{every: 1d}' });
    const planned = await plan(config);
    const retries = createGrpcRetries({ answerWithinMs: 100 });
    // Nobody listens there.
    const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: retries.interceptors });
    await expect(applySchedules(new Client({ connection }), planned)).rejects.toThrow(
      /^Temporal is unavailable: .+\. Applied: none; possibly applied: one; not tried: two\. .*again/,
    );
    await retries.end();
    await connection.close();
  });
});

describe('triggerSchedule', () => {
  itOfAll('gives each run its own workflow id when the run before has ended within the same second', async () => {
    await apply(configuration({ twice: '{every: 366d}' }));
    const ids: (string | null)[] = [];
    for (let start = 0; start < 3; start += 1) {
      const started = await triggerSchedule(temporal.client, { runName: 'twice', queue }, () => sleep(50));
      ids.push(started.workflow_id);
      await temporal.client.workflow.getHandle(started.workflow_id ?? '').terminate();
    }
    expect(new Set(ids).size).toBe(3);
  });
});

describe('a schedule of another installation', () => {
  it('is rejected by every command before anything changes, and never listed for deletion', async () => {
    await apply(configuration({ shared: '{every: 1d}' }), 'theirs');
    const before = await rawOf('shared');
    const ours = configuration({ fresh: '{every: 1d}', shared: '{every: 2d}' });
    const error = new RegExp(
      `prospect-sync/shared belongs to another installation: it starts runs on task queue theirs, not ${queue}.*Rename the run`,
    );
    await expect(apply(ours)).rejects.toThrow(error);
    await expect(schedule('fresh').describe()).rejects.toThrow(ScheduleNotFoundError);
    // Pause, resume, delete and backfill ask in the same way.
    await expect(getManaged(temporal.client, { runName: 'shared', queue })).rejects.toThrow(error);
    await expect(triggerSchedule(temporal.client, { runName: 'shared', queue }, async () => {})).rejects.toThrow(error);
    expect(await plan(configuration({}))).toEqual([]);
    await apply(configuration({}));
    expect((await rawOf('shared')).schedule).toEqual(before.schedule);
    await expect(getManaged(temporal.client, { runName: 'other', queue })).rejects.toThrow('Managed schedules: none');
  });

  it('is recognised by its search attribute, not by its id', async () => {
    const copy = temporal.client.schedule.create({
      scheduleId: 'copy-of-ours',
      spec: { intervals: [{ every: '1d' }] },
      action: { type: 'startWorkflow', workflowType: 'anything', taskQueue: queue, args: [] },
      typedSearchAttributes: [
        { key: kindAttribute, value: scheduleKind },
        { key: runAttribute, value: 'copied' },
      ],
    });
    const handle = await copy;
    await apply(configuration({ real: '{every: 1d}' }));
    const query = `${kindAttribute.name} = "${scheduleKind}"`;
    for (let listed = 0; listed < 2;) {
      listed = 0;
      for await (const each of temporal.client.schedule.list({ query })) listed += each.scheduleId === '' ? 0 : 1;
    }
    expect(await plan(configuration({}))).toMatchObject([{ runName: 'real', status: 'delete' }]);
    await handle.delete();
  });
});

describe('a schedule that another installation applied on the same task queue', () => {
  const theirs = configuration({ shared: '{every: 1d}' });

  it('is named, and neither deleted nor replaced silently', async () => {
    await apply(theirs, queue, 'theirs');
    await until(async () => (await plan(configuration({}))).length > 0);
    const left = await plan(configuration({}));
    expect(left).toMatchObject([{ runName: 'shared', status: 'other' }]);
    expect([isDifferent(left[0] as never), warnOfLostSchedules(left, { queue, installation: 'ours' })]).toEqual([
      false,
      [],
    ]);
    await apply(configuration({}));
    const planned = await plan(theirs);
    expect(planned).toMatchObject([
      { status: 'change', differences: [{ field: 'installation', from: 'theirs', to: 'ours' }] },
    ]);
    expect(warnOfLostSchedules(planned, { queue, installation: 'ours' })).toEqual([
      'Schedule of shared: another installation applied it (theirs), and apply replaces it. If both are in use, give each its own namespace or TEMPORAL_TASK_QUEUE',
    ]);
    await apply(theirs);
    const deleted = await plan(configuration({}));
    expect(warnOfLostSchedules(deleted, { queue, installation: 'ours' })).toEqual([
      'Schedule of shared: apply deletes it, because the configuration has none',
    ]);
  });

  it('counts as ours after an edit in Temporal has removed its mark', async () => {
    await apply(theirs);
    await schedule('shared').update(({ action, ...previous }) => ({ ...previous, action: { ...action, memo: {} } }));
    const planned = await plan(theirs);
    expect(planned).toMatchObject([{ status: 'drift' }]);
    expect(warnOfLostSchedules(planned, { queue, installation: 'ours' })).toEqual([]);
    await until(async () => (await plan(configuration({}))).at(0)?.status === 'delete');
  });
});

describe('the encryption of a schedule', () => {
  const runs = { secret: '{every: 1d}' };
  const plain = configuration(runs);
  const first = configuration(runs, encrypted('key: {id: a, env: KEY_A}'));
  const second = configuration(runs, encrypted('key: {id: b, env: KEY_B}, older_keys: [{id: a, env: KEY_A}]'));
  const lost = configuration(runs, encrypted('key: {id: b, env: KEY_B}'));

  it('is a difference when it is switched on, and apply leaves no payload plain', async () => {
    await apply(plain);
    expect(await keysOf('secret')).toEqual([null, null, null, null, null]);
    expect(await plan(first)).toMatchObject([
      { status: 'change', differences: [{ field: 'encryption', from: 'none', to: 'key a' }] },
    ]);
    await apply(first);
    expect(await keysOf('secret')).toEqual(['a', 'a', 'a', 'a', 'a']);
    expect(await plan(first)).toMatchObject([{ status: 'unchanged' }]);
  });

  it('is a difference when the key changes', async () => {
    await apply(first);
    expect(await plan(second)).toMatchObject([
      { status: 'change', differences: [{ field: 'encryption', from: 'key a', to: 'key b' }] },
    ]);
    await apply(second);
    expect(await keysOf('secret')).toEqual(['b', 'b', 'b', 'b', 'b']);
  });

  it.each([
    ['another key', lost],
    ['no key', plain],
    ['another key of the same id', configuration(runs, encrypted('key: {id: a, env: KEY_B}'))],
  ])('with %s is drift that apply repairs, and does not prevent listing, pausing or deleting', async (_, now) => {
    await apply(first);
    await schedule('secret').pause('holidays');
    const client = clientOf(now);
    const [planned] = await plan(now);
    expect(planned).toMatchObject({ status: 'drift' });
    expect(planned?.differences).toEqual(
      expect.arrayContaining([expect.objectContaining({ field: 'configuration', from: 'unreadable' })]),
    );
    const owned = await getManaged(client, { runName: 'secret', queue });
    expect(owned.state).toMatchObject({ paused: true, note: 'holidays' });
    await client.schedule.getHandle(owned.scheduleId).unpause('on');
    await client.schedule.getHandle(owned.scheduleId).pause('again');
    await applySchedules(client, await plan(now));
    expect(await plan(now)).toMatchObject([{ status: 'unchanged' }]);
    expect((await getManaged(client, { runName: 'secret', queue })).state).toMatchObject({
      paused: true,
      note: 'again',
    });
    expect(new Set(await keysOf('secret'))).toEqual(new Set([now.temporal.encryption?.key.id ?? null]));
  });

  it('leaves a schedule that the configuration no longer contains when its key is lost', async () => {
    await apply(first);
    const none = configuration({}, encrypted('key: {id: b, env: KEY_B}'));
    const planned = await until(async () => (await plan(none)).at(0));
    expect(planned).toMatchObject({ runName: 'secret', status: 'other' });
    await apply(none);
    expect((await rawOf('secret')).schedule?.state?.paused).toBe(false);
  });
});

describe('time zones', () => {
  itOfAll('are known to Temporal in their spelling', async () => {
    // All of them take seconds; each fifth is of every kind.
    const some = timezones.filter((_, index) => index % 5 === 0);
    const create = (timezone: string) =>
      temporal.client.schedule.create({
        scheduleId: `zone/${timezone}`,
        spec: { calendars: [{ hour: 6 }], timezone },
        action: { type: 'startWorkflow', workflowType: 'none', taskQueue: 'none', args: [] },
        state: { paused: true },
      });
    for (const timezone of some) await create(timezone);
    await expect(create('asia/kolkata')).rejects.toThrow('unknown time zone');
    expect([some.length > 110, timezones.includes('Asia/Kolkata'), timezones.includes('UTC')]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
