import { applySchedules } from '../../../src/temporal/schedules/apply-schedules.ts';
import { scheduleIdOf } from '../../../src/temporal/schedules/desired-schedule.ts';
import { planSchedules } from '../../../src/temporal/schedules/plan-schedules.ts';
import { listTimes } from '../../../src/temporal/schedules/schedule-times.ts';
import { startTemporal, type TemporalTestServer } from '../../helpers/temporal-server.ts';
import { configuration } from './scheduled-configuration.ts';

let temporal: TemporalTestServer;
beforeAll(async () => {
  temporal = await startTemporal();
  const config = configuration({
    berlin: '{cron: "30 2 * * *", timezone: Europe/Berlin}',
    hourly: '{cron: "30 * * * *", timezone: Europe/Berlin}',
    york: '{cron: "30 1 * * *", timezone: America/New_York}',
    even: '{every: 1h, offset: 30m}',
  });
  await applySchedules(
    temporal.client,
    await planSchedules(temporal.client, config, { queue: 'times-test', installation: 'ours' }),
  );
});
afterAll(() => temporal?.stop());

const now = new Date('2030-01-01T00:00:00Z');
async function list(runName: string, from: string, to: string): Promise<string> {
  const period = { from: new Date(`2027-${from}:00Z`), to: new Date(`2027-${to}:00Z`) };
  const times = await listTimes(temporal.client, { scheduleId: scheduleIdOf(runName), jitterMs: 0 }, period, now);
  return times.map(({ time }) => time.toISOString().slice(11, 16)).join(' ');
}

describe('listTimes', () => {
  it('includes both ends of the period', async () => {
    expect(await list('even', '10-01T01:30', '10-01T03:30')).toBe('01:30 02:30 03:30');
    expect(await list('even', '10-01T01:30', '10-01T01:30')).toBe('01:30');
  });

  it('leaves out a time that the day skips', async () => {
    expect(await list('berlin', '03-28T00:00', '03-28T12:00')).toBe('');
    expect(await list('york', '03-14T00:00', '03-14T12:00')).toBe('06:30');
  });

  it('returns a time that a day repeats once or twice, like Temporal in that zone', async () => {
    expect(await list('berlin', '10-31T00:00', '10-31T12:00')).toBe('01:30');
    expect(await list('york', '11-07T00:00', '11-07T12:00')).toBe('05:30 06:30');
    expect(await list('hourly', '10-31T00:00', '10-31T04:00')).toBe('00:30 02:30 03:30');
    expect(await list('even', '10-31T00:00', '10-31T04:00')).toBe('00:30 01:30 02:30 03:30');
  });
});
