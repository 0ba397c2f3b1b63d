import { parseConfig } from '../../src/config/load-config.ts';
import { warnOfSchedules } from '../../src/config/doubtful-schedules.ts';
import { toCronText } from '../../src/config/calendar/cron-calendar.ts';

const env = {
  KEY: 'service-key-1',
  TOKEN: 'hubspot-token-1',
  CODEC_KEY: Buffer.alloc(32, 7).toString('base64'),
  LEDGER: 'postgres://localhost/ledger',
};
const text = (schedule: string, more = '') => `service: {base_url: https://api.example.com, api_key: {env: KEY}}
hubspot: {token: {env: TOKEN}}
exclusions: {a: {blacklist: A, csv: a.csv}}
runs:
  weekly:
    kind: discovery
    profile: {profile_name: P, ideal_customer_profile: I, target_countries: [DE]}
    briefing_quantity: 5
    exclusions: [a]
    schedule: ${schedule}
${more}`;

const read = (schedule: string, more = '', file = '/x/prospect-sync.yaml') => {
  const parsed = parseConfig(text(schedule, more), { env, file });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
};
const scheduleOf = (schedule: string) => read(schedule).runs['weekly']?.schedule;
const digestOf = (...args: Parameters<typeof read>) => read(...args).runs['weekly']?.digest;

function refuse(schedule: string): string[] {
  const parsed = parseConfig(text(schedule), { env, file: '/x/prospect-sync.yaml' });
  if (parsed.ok) throw new Error('no problem was found');
  return parsed.problems.map(
    ({ line, column, field, rule, found }) =>
      `${line}:${column} ${field}: ${rule}${found === null ? '' : `, ${found}`}`,
  );
}

const now = new Date('2026-11-21T12:00:00Z');

describe('warnings of schedules', () => {
  const changes = (starts: string, zone: string) =>
    `runs.weekly.schedule ${starts}, when the clock of ${zone} changes. To start once on each day, choose another time, or timezone: UTC`;
  it.each([
    [
      '{cron: "30 2 * * *", timezone: Europe/Berlin}',
      [changes('does not start at 2027-03-28 02:30, and starts once or twice at 2027-10-31 02:30', 'Europe/Berlin')],
    ],
    [
      '{cron: "30 1 * * SUN", timezone: America/New_York}',
      [changes('starts once or twice at 2027-11-07 01:30', 'America/New_York')],
    ],
    [
      '{cron: "0 2 * * *", timezone: Europe/Berlin, end_at: 2027-10-01T00:00:00Z}',
      [changes('does not start at 2027-03-28 02:00', 'Europe/Berlin')],
    ],
    [
      '{cron: "0 0 * * *", timezone: America/Santiago}',
      [changes('does not start at 2027-09-05 00:00', 'America/Santiago')],
    ],
    ['{cron: "30 2 * * MON", timezone: Europe/Berlin}', []],
    ['{cron: "0 3 * * *", timezone: Europe/Berlin}', []],
    ['{cron: "30 2 * * *"}', []],
    ['{cron: "30 * * * *", timezone: Europe/Berlin}', []],
  ])('name a time that the clock skips or repeats: %s', (schedule, expected) =>
    expect(warnOfSchedules(read(schedule), now)).toEqual(expected),
  );

  it.each([
    [
      '{every: 1d, start_at: 2062-12-01T06:00:00Z}',
      '.start_at is 2062-12-01T06:00:00.000Z, and nothing starts before it, for more than a year. Correct the year if that is not intended',
    ],
    ['{calendars: [{year: 2062}]}', ' has no start within a year. Correct the year if that is not intended'],
    [
      '{every: 1d, end_at: 2026-11-20T06:00:00Z}',
      '.end_at is 2026-11-20T06:00:00.000Z, which has passed, and it never starts again. Correct the year, or remove the schedule',
    ],
    [
      '{calendars: [{year: 2025}]}',
      ': its last time has passed, and it never starts again. Correct the year, or remove the schedule',
    ],
  ])('name a start that is more than a year ahead, and an end that has passed: %s', (schedule, expected) =>
    expect(warnOfSchedules(read(schedule), now)).toEqual([`runs.weekly.schedule${expected}`]),
  );

  it.each(['{every: 366d, start_at: 2026-12-01T06:00:00Z, end_at: 2062-12-01T06:00:00Z}', '{cron: "0 6 1 1 *"}'])(
    'do not name a start within a year: %s',
    (schedule) => expect(warnOfSchedules(read(schedule), now)).toEqual([]),
  );

  it.each([
    [
      '{cron: "0 6 1 * 1"}',
      [expect.stringMatching(/^runs\.weekly\.schedule names days of the month and days of the week/)],
    ],
    ['{cron: "0 6 1-7 * 1"}', []],
    ['{cron: ["0 6 1 * *", "0 6 * * 1"]}', []],
    ['{every: 7d}', []],
  ])('name days that must both match, unlike in crontab: %s', (schedule, expected) =>
    expect(warnOfSchedules(read(schedule), now)).toEqual(expected),
  );
});

describe('warnings of missed starts', () => {
  it.each([
    ['{cron: "0 * * * *", catch_up: 30d, overlap: allow_all}', '30d', '720', 'allow_all'],
    ['{every: 6h, catch_up: 30d, overlap: buffer_all}', '30d', '120', 'buffer_all'],
    ['{cron: "0 6 * * MON-FRI", catch_up: 28d, overlap: cancel_other}', '28d', '20', 'cancel_other'],
    ['{cron: "0 6 * * 1", every: 1d, catch_up: 14d, overlap: allow_all}', '14d', '16', 'allow_all'],
  ])('name how many are made up for at once: %s', (schedule, time, starts, overlap) =>
    expect(warnOfSchedules(read(schedule), now)).toContain(
      `runs.weekly.schedule.catch_up is ${time}: after an absence of Temporal of that length, about ${starts} starts are made up for at once, and with overlap ${overlap} each may place an order. Write a shorter catch_up, or overlap: skip`,
    ),
  );

  it.each([
    '{cron: "0 * * * *", catch_up: 30d}',
    '{cron: "0 * * * *", catch_up: 30d, overlap: buffer_one}',
    '{cron: "0 * * * *", overlap: allow_all}',
    '{cron: "0 6 * * 1", catch_up: 30d, overlap: allow_all}',
    '{cron: "0 6 * * *", catch_up: 7d, overlap: buffer_all}',
  ])('are absent where few starts place an order: %s', (schedule) =>
    expect(warnOfSchedules(read(schedule), now)).toEqual([]),
  );
});

describe('a schedule of an enrichment', () => {
  const enrichment = (companies: string, exclusions: string, schedule = 'schedule: {every: 7d}') =>
    read(
      '{every: 7d}',
      `  leads:
    kind: enrichment
    profile: {profile_name: L, ideal_customer_profile: I, target_countries: [DE]}
    companies: ${companies}
    exclusions: ${exclusions}
    ${schedule}
`,
    );
  const withDelivered = (companies: string, exclusions: string, crm = 'crm: true') => {
    const config = enrichment(companies, exclusions, `schedule: {every: 7d}\n    ${crm}`);
    const delivered = read('{every: 7d}').exclusions['a'];
    if (delivered === undefined) throw new Error('there is no exclusion');
    const source = { ...delivered.source, delivered: { withinMs: 1, reason: 'Delivered before' } };
    return { ...config, exclusions: { a: { ...delivered, source } } };
  };

  it.each(['csv', 'xlsx'])('is named when it orders the rows of a file again: %s', (kind) => {
    const expected = `runs.leads.schedule orders all rows of companies.${kind} again at each start. To leave out what was delivered before, add an exclusion with within (exclusions: {delivered: {within: 365d}}) and name it in runs.leads.exclusions`;
    const companies = `{${kind}: leads.${kind}}`;
    expect(warnOfSchedules(enrichment(companies, '[a]'), now)).toEqual([expected]);
    expect(warnOfSchedules(withDelivered(companies, '[]'), now)).toEqual([expected]);
    expect(warnOfSchedules(withDelivered(companies, '[a]'), now)).toEqual([]);
    expect(warnOfSchedules(enrichment(companies, '[a]', 'crm: true'), now)).toEqual([]);
  });

  it.each([
    ['lifecycle_stages: [lead]', 'lifecycle_stages', 'crm: true'],
    ['without: facebook_company_page', 'without', 'crm: true'],
    ['without: linkedin_company_page', 'without', 'crm: false'],
    [
      'filter_groups: [{filters: [{propertyName: phone, operator: NOT_HAS_PROPERTY}]}, {filters: [{propertyName: country, operator: EQ, value: Germany}]}, {filters: [{propertyName: tier, operator: EQ, value: a}]}]',
      'filter_groups',
      'crm: true',
    ],
  ])('is named when the run writes nothing that the selection of HubSpot reads: %s', (selection, setting, crm) => {
    const companies = `{hubspot: {${selection}}}`;
    expect(warnOfSchedules(withDelivered(companies, '[]', crm), now)).toEqual([
      expect.stringMatching(
        `^runs.leads.schedule orders all companies of companies.hubspot.${setting}, which reads no`,
      ),
    ]);
    expect(warnOfSchedules(withDelivered(companies, '[a]', crm), now)).toEqual([]);
  });

  it.each([
    '{hubspot: {without: linkedin_company_page}}',
    '{hubspot: {without: prospect_sync_order_id}}',
    '{hubspot: {lists: [7]}}',
    '{hubspot: {filter_groups: [{filters: [{propertyName: tier, operator: EQ, value: a}, {propertyName: phone, operator: NOT_HAS_PROPERTY}]}]}}',
    '{sql: {sqlite: a.db, query: select company_name from a}}',
  ])('is not named when its source may leave out what was delivered: %s', (companies) =>
    expect(warnOfSchedules(enrichment(companies, '[]'), now)).toEqual([]),
  );
});

describe('schedule in prospect-sync.yaml', () => {
  it('fills in defaults', () => {
    const { calendars, ...others } = scheduleOf('{cron: "0 6 * * 1"}') ?? { calendars: [] };
    expect(calendars.map(toCronText)).toEqual(['0 6 * * 1']);
    expect(others).toEqual({
      mixesForms: false,
      every: null,
      timezone: 'UTC',
      jitterMilliseconds: 0,
      overlap: 'skip',
      catchUpMilliseconds: 3_600_000,
      startAt: null,
      endAt: null,
    });
  });

  it('accepts every setting', () => {
    const { calendars, ...others } = scheduleOf(`
      cron: ["0 6 * * 1", "@daily"]
      calendars: [{hour: [8, 12-14], minute: "*/30", day_of_week: [MON, friday], month: jan-mar, year: 2027}]
      every: 7d
      offset: 6h
      timezone: europe/berlin
      jitter: 5m
      overlap: buffer_one
      catch_up: 2d
      start_at: 2026-12-01T06:00:00Z
      end_at: 2027-12-01T06:00:00+01:00`) ?? { calendars: [] };
    expect(calendars.map(toCronText)).toEqual(['0 6 * * 1', '0 0 * * *', '0 0,30 8,12-14 * 1-3 1,5 2027']);
    expect(others).toEqual({
      mixesForms: true,
      every: { milliseconds: 604_800_000, offsetMilliseconds: 21_600_000 },
      timezone: 'Europe/Berlin',
      jitterMilliseconds: 300_000,
      overlap: 'buffer_one',
      catchUpMilliseconds: 172_800_000,
      startAt: new Date('2026-12-01T06:00:00Z'),
      endAt: new Date('2027-12-01T05:00:00Z'),
    });
  });

  it.each([
    ['{cron: "61 * * * *"}', ['10:22 runs.weekly.schedule.cron: is not a cron expression, "61 * * * *"']],
    ['{cron: "every monday"}', ['10:22 runs.weekly.schedule.cron: is not a cron expression, "every monday"']],
    [
      '{cron: ["@daily", "0 0 30 2 *"]}',
      ['10:33 runs.weekly.schedule.cron[1]: never fires: no day matches, "0 0 30 2 *"'],
    ],
    ['{cron: 6}', ['10:22 runs.weekly.schedule.cron: must be a cron expression or a list of them, 6']],
    ['{timezone: Europe/Berlin}', ['10:5 runs.weekly.schedule: has no times']],
    [
      '{every: 6h, timezone: Europe/Berln}',
      [
        '10:37 runs.weekly.schedule.timezone: must be a timezone such as Europe/Berlin or UTC; did you mean Europe/Berlin?, "Europe/Berln"',
      ],
    ],
    [
      '{every: 6h, timezone: asia/kolkatta}',
      [
        '10:37 runs.weekly.schedule.timezone: must be a timezone such as Europe/Berlin or UTC; did you mean Asia/Kolkata?, "asia/kolkatta"',
      ],
    ],
    [
      '{every: 6h, timezone: CEST}',
      ['10:37 runs.weekly.schedule.timezone: must be a timezone such as Europe/Berlin or UTC, "CEST"'],
    ],
    [
      '{every: 6h, timezone: UTC+1}',
      ['10:37 runs.weekly.schedule.timezone: must be a timezone such as Europe/Berlin or UTC, "UTC+1"'],
    ],
    [
      '{every: 6h, timezone: "+01:00"}',
      ['10:37 runs.weekly.schedule.timezone: must be a timezone such as Europe/Berlin or UTC, "+01:00"'],
    ],
    ['{every: 500ms}', ['10:23 runs.weekly.schedule.every: must lie between 1s and 366d, "500ms"']],
    ['{every: 1.5s}', ['10:23 runs.weekly.schedule.every: must be whole seconds, "1.5s"']],
    ['{every: 1h, offset: 1h}', ['10:35 runs.weekly.schedule.offset: must be shorter than every']],
    ['{cron: "@daily", offset: 1h}', ['10:32 runs.weekly.schedule.offset: goes with every only']],
    ['{every: 1h, catch_up: 9s}', ['10:37 runs.weekly.schedule.catch_up: must lie between 10s and 366d, "9s"']],
    [
      '{every: 1h, overlap: wait}',
      [expect.stringContaining('10:36 runs.weekly.schedule.overlap: must be one of skip')],
    ],
    [
      '{every: 1h, start_at: 2026-02-30T06:00:00Z}',
      [expect.stringMatching(/start_at: must be a time .*; the day 2026-02-30 does not exist/)],
    ],
    [
      '{every: 1h, start_at: tomorrow}',
      [expect.stringContaining('10:37 runs.weekly.schedule.start_at: must be a time')],
    ],
    [
      '{every: 1h, start_at: 2027-01-02T00:00:00Z, end_at: 2027-01-01T00:00:00Z}',
      ['10:67 runs.weekly.schedule.end_at: must be later than start_at'],
    ],
    [
      '{calendars: [{hour: 25}]}',
      ['10:35 runs.weekly.schedule.calendars[0].hour: must be hours 0 to 23: a number, 1-5, */15, or several of them'],
    ],
    [
      '{calendars: [{month: 2, day_of_month: 31}]}',
      ['10:28 runs.weekly.schedule.calendars[0]: never fires: no day matches'],
    ],
    ['{cron: "@daily", paused: true}', ['10:32 runs.weekly.schedule.paused: there is no such setting']],
  ])('rejects %s with line and column', (schedule, problems) => expect(refuse(schedule)).toEqual(problems));

  it.each([
    ['asia/kolkata', 'Asia/Kolkata'],
    ['ASIA/CALCUTTA', 'Asia/Calcutta'],
    ['america/port-au-prince', 'America/Port-au-Prince'],
    ['antarctica/dumontdurville', 'Antarctica/DumontDUrville'],
    ['us/pacific', 'US/Pacific'],
    ['etc/gmt+1', 'Etc/GMT+1'],
    ['utc', 'UTC'],
  ])('spells timezone %s as %s, like Temporal', (written, spelled) =>
    expect(scheduleOf(`{every: 6h, timezone: ${written}}`)?.timezone).toBe(spelled),
  );
});

describe('the digest of a run', () => {
  const daily = '{cron: "@daily"}';

  it('does not depend on the path of the file, the schedule or other settings', () => {
    const digest = digestOf(daily);
    expect(digest).toMatch(/^[0-9a-f]{12}$/);
    expect(digestOf(daily, '', '/elsewhere/p.yaml')).toBe(digest);
    expect(digestOf('{cron: "@hourly"}')).toBe(digest);
    const others = 'temporal: {encryption: {key: {id: a, env: CODEC_KEY}}}\nledger: {database_url: {env: LEDGER}}\n';
    expect(digestOf(daily, others)).toBe(digest);
  });

  it('contains the variable names of secrets, and the effective addresses', () => {
    const digestWith = (from: string, to: string, more: Record<string, string> = {}) => {
      const parsed = parseConfig(text(daily).replace(from, to), { env: { ...env, ...more }, file: '/x/p.yaml' });
      return parsed.ok ? parsed.config.runs['weekly']?.digest : parsed.problems;
    };
    const digest = digestOf(daily);
    const byVariable = ['https://api.example.com', '{env: SERVICE_URL}'] as const;
    expect(digestWith('', '', { KEY: 'service-key-2', TOKEN: 'hubspot-token-2' })).toBe(digest);
    expect(
      digestWith(
        '{base_url: https://api.example.com, api_key: {env: KEY}}',
        '{api_key: {env: KEY}, base_url: https://api.example.com}',
      ),
    ).toBe(digest);
    expect(digestWith(...byVariable, { SERVICE_URL: 'https://api.example.com/' })).toBe(digest);
    // The address states whether http is used.
    expect(digestWith('hubspot: {', 'hubspot: {allow_http: true, ')).toBe(digest);
    expect(digestWith('api_key: {', 'allow_http: true, api_key: {')).toBe(digest);
    const changed = [
      digestWith(...byVariable, { SERVICE_URL: 'https://staging.example.com' }),
      digestWith('https://api.example.com', 'https://other.example.com'),
      digestWith('env: KEY', 'env: OTHER_KEY', { OTHER_KEY: 'service-key-1' }),
      digestWith('hubspot: {', 'hubspot: {portal_id: 7, '),
      digestWith('hubspot: {', 'hubspot: {base_url: https://eu.example.com, '),
    ];
    expect(new Set([digest, ...changed]).size).toBe(6);
    for (const each of changed) expect(each).toMatch(/^[0-9a-f]{12}$/);
  });

  it.each([
    'mapping: {companies: {description: never}}',
    'contacts: {without_email: create}',
    'polling: {order_first: 1s}',
  ])('changes with %s', (more) => expect(digestOf(daily, `${more}\n`)).not.toBe(digestOf(daily)));

  it('changes with the run and its exclusions', () => {
    const change = (from: string, to: string) => {
      const parsed = parseConfig(text(daily).replace(from, to), { env, file: '/x/prospect-sync.yaml' });
      return parsed.ok ? parsed.config.runs['weekly']?.digest : null;
    };
    const digests = [
      change('', ''),
      change('briefing_quantity: 5', 'briefing_quantity: 6'),
      change('blacklist: A', 'blacklist: B'),
      change('csv: a.csv', 'csv: b.csv'),
    ];
    expect(new Set(digests).size).toBe(4);
    expect(digests).not.toContain(null);
  });
});
