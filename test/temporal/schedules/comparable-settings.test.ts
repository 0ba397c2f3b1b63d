import type { ScheduleDescription } from '@temporalio/client';
import {
  compileScheduleOptions,
  decodeScheduleAction,
  decodeScheduleSpec,
  encodeScheduleAction,
  encodeScheduleSpec,
} from '@temporalio/client/lib/schedule-helpers.js';
import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { parseConfig } from '../../../src/config/load-config.ts';
import { toDesiredSchedules, type DesiredSchedule } from '../../../src/temporal/schedules/desired-schedule.ts';
import { diffSettings, settingNames, readSettings } from '../../../src/temporal/schedules/comparable-settings.ts';
import { runsOf } from '../../helpers/sample.ts';

const converter = {
  payloadConverter: defaultPayloadConverter,
  failureConverter: defaultFailureConverter,
  payloadCodecs: [],
};

function desired(schedule: unknown, run: object = {}): DesiredSchedule {
  const profile = { profile_name: 'P', ideal_customer_profile: 'I', target_countries: ['DE'] };
  const text = stringify({
    service: { base_url: 'https://api.example.com', api_key: { env: 'KEY' } },
    hubspot: { token: { env: 'TOKEN' } },
    runs: { weekly: { kind: 'discovery', briefing_quantity: 3, profile, schedule, ...run } },
  });
  const parsed = parseConfig(text, { env: { KEY: 'k', TOKEN: 't' }, file: '/x/prospect-sync.yaml' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const [only] = toDesiredSchedules(parsed.config, { queue: 'prospect-sync', installation: 'ours' });
  if (only === undefined) throw new Error('there is no schedule');
  return only;
}

/** What comes back from a server that keeps what it is sent. */
async function described({ options }: DesiredSchedule) {
  const { spec, action, policies } = compileScheduleOptions(options);
  const raw = await encodeScheduleAction(converter, 'default', action, {});
  return {
    raw: { schedule: { action: raw } },
    spec: decodeScheduleSpec(encodeScheduleSpec(spec)),
    action: await decodeScheduleAction(converter, 'default', raw),
    policies: { overlap: policies?.overlap, catchupWindow: policies?.catchupWindow, pauseOnFailure: false },
    state: { paused: false },
  } as unknown as ScheduleDescription;
}

const some = (least: number, most: number) => fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1 });
const calendar = fc.record(
  {
    second: some(0, 59),
    minute: some(0, 59),
    hour: some(0, 23),
    day_of_month: some(1, 28),
    month: some(1, 12),
    year: some(2026, 2060),
  },
  { requiredKeys: [] },
);
const moment = (year: string) =>
  fc.integer({ min: 1, max: 28 }).map((day) => `${year}-02-${String(day).padStart(2, '0')}T06:00:00Z`);
const schedules = fc.record(
  {
    calendars: fc.array(calendar, { minLength: 1, maxLength: 3 }),
    cron: fc.constantFrom('0 6 * * MON', ['@daily', '*/15 8-18 1,15 jan-mar 1-5']),
    every: fc.integer({ min: 3_600, max: 5_000_000 }).map((seconds) => `${seconds}s`),
    timezone: fc.constantFrom('Europe/Berlin', 'UTC', 'Asia/Kolkata'),
    jitter: fc.integer({ min: 0, max: 86_400 }).map((seconds) => `${seconds}s`),
    catch_up: fc.integer({ min: 10, max: 1_000_000 }).map((seconds) => `${seconds}s`),
    overlap: fc.constantFrom('skip', 'buffer_one', 'buffer_all', 'cancel_other', 'terminate_other', 'allow_all'),
    start_at: moment('2026'),
    end_at: moment('2031'),
  },
  { requiredKeys: ['calendars'] },
);

describe('diffSettings', () => {
  it('finds no differences in what Temporal returns for any schedule', async () => {
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const wanted = desired(schedule);
        expect(diffSettings(readSettings(await described(wanted)), wanted.settings)).toEqual([]);
      }),
      { numRuns: runsOf(60) },
    );
  });

  it('finds exactly the differences between any two schedules, and the opposite ones in reverse', () => {
    fc.assert(
      fc.property(schedules, schedules, (one, other) => {
        const [from, to] = [desired(one).settings, desired(other).settings];
        const differences = diffSettings(from, to);
        expect(diffSettings(to, from)).toEqual(
          differences.map((each) => ({ field: each.field, from: each.to, to: each.from })),
        );
        const made = { ...from, ...Object.fromEntries(differences.map(({ field, to: value }) => [field, value])) };
        expect(made).toEqual(to);
      }),
      { numRuns: runsOf(60) },
    );
  });

  it.each([
    [{ cron: '0 6 * * 1' }, { cron: '0 06 * * mon' }],
    [{ cron: '0 6 * * 1' }, { calendars: [{ hour: 6, day_of_week: 'monday' }] }],
    [{ cron: ['@daily', '@hourly'] }, { cron: ['0 * * * *', '0 0 * * *', '@daily'] }],
    [{ every: '90m' }, { every: '5400s', timezone: 'utc' }],
  ])('treats %j and %j as equal', (one, other) =>
    expect(diffSettings(desired(one).settings, desired(other).settings)).toEqual([]),
  );

  it('names settings that only a foreign schedule has', async () => {
    const wanted = desired({ every: '1d' });
    const there = await described(wanted);
    const { spec, action, policies, state } = there;
    const header = { fields: { token: {} } };
    const withHeader = {
      schedule: { action: { startWorkflow: { ...there.raw.schedule?.action?.startWorkflow, header } } },
    };
    const found = readSettings({
      ...there,
      raw: withHeader,
      spec: { ...spec, skip: desiredSkip, intervals: [{ every: 3_600_000, offset: 60_000 }] },
      action: {
        ...action,
        args: ['x'],
        workflowType: 'w',
        taskQueue: 'q',
        retry: { maximumAttempts: 3 },
        workflowRunTimeout: 60_000,
        workflowTaskTimeout: 30_000,
        staticSummary: 's',
        staticDetails: `Companies\n  that ${'x'.repeat(300)}`,
        memo: { owner: 'somebody' },
        typedSearchAttributes: [],
      },
      policies: { ...policies, pauseOnFailure: true },
      state: { ...state, remainingActions: 5 },
    });
    const differences = diffSettings(found, wanted.settings);
    expect(differences.map(({ field, from }) => `${field}: ${from}`)).toEqual([
      'intervals: 1h + 1m',
      'skipped calendars: 0 0 25 12 *',
      'pause on failure: yes',
      'remaining starts: 5',
      'run: another input',
      'configuration: another input',
      'workflow: w',
      'task queue: q',
      'installation: none',
      'summary: s',
      expect.stringMatching(/^details: Companies that x{225}… \([\da-f]{12}\)$/),
      'memo: owner',
      'header: token',
      'search attributes: none',
      'time limits: attempts 3 | run 1m | task 30s',
    ]);
    expect(settingNames).toEqual(expect.arrayContaining(differences.map(({ field }) => field)));
  });
});

const each = (value: number) => [{ start: value, end: value, step: 1 }];
const desiredSkip: NonNullable<ScheduleDescription['spec']['skip']> = [
  {
    second: each(0),
    minute: each(0),
    hour: each(0),
    dayOfMonth: each(25),
    month: [{ start: 'DECEMBER', end: 'DECEMBER', step: 1 }],
    dayOfWeek: [{ start: 'SUNDAY', end: 'SATURDAY', step: 1 }],
    year: [],
  },
];

describe('toDesiredSchedules', () => {
  it('gives a schedule the same settings digest from 1.0 on', () => {
    const schedule = {
      cron: ['0 6 * * 1'],
      every: '7d',
      offset: '6h',
      timezone: 'Europe/Berlin',
      overlap: 'buffer_one',
    };
    expect(desired(schedule).options.action.memo).toEqual({
      prospectSyncInstallation: 'ours',
      prospectSyncSettings: '76187da35a6e',
    });
  });
});
