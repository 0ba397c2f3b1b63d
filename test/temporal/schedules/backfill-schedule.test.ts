import { planBackfill, type BackfillRequest } from '../../../src/temporal/schedules/backfill-schedule.ts';
import { applySchedules } from '../../../src/temporal/schedules/apply-schedules.ts';
import { scheduleIdOf } from '../../../src/temporal/schedules/desired-schedule.ts';
import { planSchedules } from '../../../src/temporal/schedules/plan-schedules.ts';
import { findStartedWorkflow } from '../../../src/temporal/schedules/describe-schedule.ts';
import { startTemporal, type TemporalTestServer } from '../../helpers/temporal-server.ts';
import { until } from '../../helpers/until.ts';
import { configuration } from './scheduled-configuration.ts';
import { itOfAll } from '../../helpers/sample.ts';

/** Nobody works on it: what is started stays. */
const queue = 'backfill-test';
let temporal: TemporalTestServer;
beforeAll(async () => {
  temporal = await startTemporal();
});
afterAll(() => temporal?.stop());

const apply = async (runs: Readonly<Record<string, string>>) =>
  applySchedules(
    temporal.client,
    await planSchedules(temporal.client, configuration(runs), { queue, installation: 'ours' }),
  );
const at = (text: string) => new Date(`2026-03-${text}:00Z`);
type Changes = Partial<Pick<BackfillRequest, 'now' | 'evenPaused'>>;
const planOf = (runName: string, from: string, to: string, changes: Changes = {}) =>
  planBackfill(
    temporal.client,
    { runName, queue },
    { from: at(from), to: at(to), evenPaused: false, now: new Date(), ...changes },
  );
async function backfill(...period: Parameters<typeof planOf>) {
  const { started, leftOut, start } = await planOf(...period);
  await start();
  return { started, leftOut };
}
const describeOf = (runName: string) => temporal.client.schedule.getHandle(scheduleIdOf(runName)).describe();
const untilRunning = (runName: string) => until(async () => (await describeOf(runName)).info.runningActions.length > 0);

/** Terminates runs in progress until `count` were started and none waits, and returns the ids of all of them. */
async function drain(runName: string, count: number): Promise<string[]> {
  const started = new Set<string>();
  await until(async () => {
    const { info, raw } = await describeOf(runName);
    for (const { workflow } of info.runningActions) {
      started.add(workflow.workflowId);
      await temporal.client.workflow
        .getHandle(workflow.workflowId)
        .terminate()
        .catch(() => {});
    }
    // The newer scheduler does not say how many wait.
    return started.size >= count && info.runningActions.length === 0 && Number(raw.info?.bufferSize ?? 0) === 0;
  });
  return [...started];
}

describe('planBackfill', () => {
  it('starts the times of the period, its ends included, each once', async () => {
    await apply({ hourly: '{every: 1h}' });
    const first = await backfill('hourly', '01T01:00', '01T03:00');
    expect(first).toEqual({ started: [at('01T01:00'), at('01T02:00'), at('01T03:00')], leftOut: [] });
    const id = (hour: number) => `run/hourly/scheduled-2026-03-01T0${hour}:00:00Z`;
    await untilRunning('hourly');
    // The first is in progress and two wait for it: they have no workflow yet. The newer scheduler does not say so.
    await expect(backfill('hourly', '01T01:00', '01T03:00')).rejects.toThrow(
      /(2 starts of hourly are waiting in Temporal for the run in progress|T01:00:00Z is in progress from an earlier backfill).*Try again when they have ended/,
    );
    expect(await drain('hourly', 3)).toEqual([id(1), id(2), id(3)]);

    expect(await backfill('hourly', '01T01:00', '01T03:00')).toEqual({ started: [], leftOut: first.started });
    expect((await describeOf('hourly')).info.numActionsTaken).toBe(3);
    expect(await backfill('hourly', '01T00:00', '01T04:00')).toEqual({
      started: [at('01T00:00'), at('01T04:00')],
      leftOut: first.started,
    });
    // The newer scheduler starts the periods of a backfill in any order.
    expect((await drain('hourly', 2)).toSorted()).toEqual([id(0), id(4)]);
    expect((await describeOf('hourly')).info.numActionsTaken).toBe(5);
  });

  it('names the times before jitter, and starts each once', async () => {
    await apply({ jittery: '{every: 1h, jitter: 50m}', daily: '{cron: "0 6 * * *", jitter: 24h}' });
    const hours = [1, 2, 3].map((hour) => at(`01T0${hour}:00`));
    const period = ['jittery', '01T01:00', '01T03:00'] as const;
    expect(await backfill(...period)).toEqual({ started: hours, leftOut: [] });
    const ids = hours.map((time) => `run/jittery/scheduled-${time.toISOString().replace('.000', '')}`);
    expect(await drain('jittery', 3)).toEqual(ids);
    expect(await backfill(...period)).toEqual({ started: [], leftOut: hours });

    const days = await backfill('daily', '01T06:00', '03T06:00');
    expect(days.started).toEqual([at('01T06:00'), at('02T06:00'), at('03T06:00')]);
    expect(await drain('daily', 3)).toHaveLength(3);
    expect((await backfill('daily', '01T06:00', '04T06:00')).leftOut).toEqual(days.started);
  });

  it('starts nothing while the schedule is paused, unless asked to', async () => {
    await apply({ idle: '{every: 2h}' });
    const early = await planOf('idle', '01T02:00', '01T02:00');
    const handle = temporal.client.schedule.getHandle(scheduleIdOf('idle'));
    await handle.pause('holidays');
    const refusal =
      /idle is paused \(holidays\), and a backfill starts its runs despite the pause\. Nothing was started/;
    await expect(planOf('idle', '01T02:00', '01T02:00')).rejects.toThrow(refusal);
    await expect(early.start()).rejects.toThrow(refusal);
    expect((await describeOf('idle')).info.numActionsTaken).toBe(0);
    const { isPaused, start } = await planOf('idle', '01T02:00', '01T02:00', { evenPaused: true });
    expect(isPaused).toBe(true);
    await start();
    expect(await drain('idle', 1)).toHaveLength(1);
  });

  it('starts nothing when the schedule or its runs have changed since the plan', async () => {
    await apply({ edited: '{every: 1h}' });
    const changed = 'changed before the backfill was confirmed. Nothing was started.';
    const [first, second] = [
      await planOf('edited', '01T01:00', '01T02:00'),
      await planOf('edited', '01T02:00', '01T03:00'),
    ];
    await first.start();
    expect(await drain('edited', 2)).toHaveLength(2);
    await expect(second.start()).rejects.toThrow(changed);
    const third = await planOf('edited', '02T01:00', '02T02:00');
    await apply({ edited: '{every: 30m}' });
    await expect(third.start()).rejects.toThrow(changed);
    expect((await describeOf('edited')).info.numActionsTaken).toBe(2);
  });

  it('leaves future times to the schedule', async () => {
    await apply({ future: '{every: 1h, jitter: 50m}' });
    await expect(backfill('future', '05T01:00', '05T01:00', { now: at('05T01:00') })).rejects.toThrow('has no time');
  });

  it('continues when the schedule is paused, and ends when it is deleted', async () => {
    await apply({ stopped: '{every: 1h}' });
    await backfill('stopped', '01T01:00', '01T03:00');
    const workflow = (hour: number) =>
      temporal.client.workflow.getHandle(`run/stopped/scheduled-2026-03-01T0${hour}:00:00Z`);
    const isStarted = async (hour: number) =>
      (await findStartedWorkflow(temporal.client, workflow(hour).workflowId)) !== null;
    await until(() => isStarted(1));
    // Not before: where a pause follows in the same moment, Temporal was seen to lose the backfill.
    await temporal.client.schedule.getHandle(scheduleIdOf('stopped')).pause('stop');
    await workflow(1).terminate();
    await until(() => isStarted(2));
    await temporal.client.schedule.getHandle(scheduleIdOf('stopped')).delete();
    await workflow(2).terminate();
    // By then the third would have started too.
    await apply({ later: '{every: 1h}' });
    await backfill('later', '01T01:00', '01T03:00');
    expect(await drain('later', 3)).toHaveLength(3);
    expect(await isStarted(3)).toBe(false);
  });

  itOfAll('accepts a thousand times at once, and rejects more before it starts any', async () => {
    await apply({ minutely: '{every: 1m, overlap: buffer_all}' });
    await temporal.client.schedule.getHandle(scheduleIdOf('minutely')).pause('quiet');
    const quiet = { evenPaused: true };
    await expect(backfill('minutely', '01T00:00', '01T16:40', quiet)).rejects.toThrow(
      /has 1,001 times from .* at most 1,000\. Nothing was started\. Choose a shorter period/,
    );
    await expect(backfill('minutely', '01T00:00', '08T00:00', quiet)).rejects.toThrow(/has 10,081 times/);
    await expect(backfill('minutely', '01T00:00', '28T00:00', quiet)).rejects.toThrow(/has more than 20,000 times/);
    expect((await describeOf('minutely')).info.numActionsTaken).toBe(0);
    const { started } = await backfill('minutely', '01T00:00', '01T16:39', quiet);
    expect([started.length, started.at(-1)]).toEqual([1_000, at('01T16:39')]);
    // Temporal takes them into its queue little by little; one waits as long as one is left.
    expect(Number((await describeOf('minutely')).raw.info?.bufferSize)).toBeGreaterThan(0);
  });
});
