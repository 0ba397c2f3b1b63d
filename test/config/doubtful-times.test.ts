import { findConfigurationWarnings } from '../../src/config/configuration-warnings.ts';
import { head, profile, read } from './config-harness.ts';

const warnOf = (text: string, start = head) => findConfigurationWarnings(read(`${start}${text}`));
const run = (more = '') =>
  `runs: {a: {kind: discovery, briefing_quantity: 1, exclusions: [e], ${more}profile: ${profile.replace('DE', 'Italy')}}}\n`;
const enrichment = `runs: {a: {kind: enrichment, exclusions: [e], companies: {csv: a.csv}, profile: ${profile.replace('DE', 'Italy')}}}\n`;
const within = (time: string) => `exclusions: {e: {within: ${time}}}\n`;
const csv = (more: string) => `exclusions: {e: {blacklist: B, csv: e.csv, ${more}}}\n${run()}`;
const service = (timeout: string) => head.replace('{base_url:', `{timeout: ${timeout}, base_url:`);
const hubspot = (timeout: string) => head.replace('{token:', `{timeout: ${timeout}, token:`);

describe('a time', () => {
  it.each([
    [
      within('90m') + run(),
      'exclusions.e.within is 90 minutes, which is below 1 day: the exclusion leaves out only what was delivered in that time. Write days, such as 365d',
    ],
    [
      `limits: {repeat_after: 90m}`,
      'limits.repeat_after is 90 minutes, which is below 1 day: run hardly ever asks before it repeats an order. Write days, such as 7d',
    ],
    [
      'polling: {output_give_up: 10s, output_first: 1s, output_max: 1s}',
      'polling.output_give_up is 10 seconds, which is below 1 minute: runs end without the outputs that the service has not made by then. Write 2h',
    ],
    [
      'polling: {output_give_up: 2m, output_first: 5m, output_max: 5m}',
      'polling.output_give_up is 2 minutes, which is below 5 minutes: runs end without the outputs that the service has not made by then. Write 2h',
    ],
    [
      within('365d') + run('schedule: {every: 7d, catch_up: 10s}, '),
      'runs.a.schedule.catch_up is 10 seconds, which is below 1 minute: a start during a restart of Temporal is lost. Write 1h',
    ],
    [
      csv('full_scan_every: 24h, delta_overlap: 10s'),
      'exclusions.e.delta_overlap is 10 seconds, which is below 1 minute: a sync can miss changes that the search of HubSpot shows late. Write 10m',
    ],
    [
      '',
      'service.timeout is 30 milliseconds, which is below 1 second: calls that are answered end before their answer. Write 30s',
      service('30ms'),
    ],
    [
      '',
      'hubspot.timeout is 1 millisecond, which is below 1 second: calls that are answered end before their answer. Write 30s',
      hubspot('1ms'),
    ],
  ])('that is too short is named, with what was read: %s', (text, expected, start = head) => {
    expect(warnOf(text, start)).toEqual([expected]);
  });

  it.each([
    [within('1d') + run()],
    [within('365d') + run()],
    [within('365d') + run('schedule: {every: 7d, catch_up: 1m}, ')],
    ['limits: {repeat_after: 0s}'],
    ['limits: {repeat_after: 24h}'],
    ['polling: {output_give_up: 1m}'],
    [csv('delta_overlap: 10s')],
    [csv('full_scan_every: 24h, delta_overlap: 1m')],
    ['', service('1s')],
    ['', hubspot('1000ms')],
  ])('is not named: %s %s', (text, start = head) => {
    expect(warnOf(text, start)).toEqual([]);
  });
});

describe('a retention', () => {
  it('is named when an exclusion needs the companies of an order for longer', () => {
    expect(warnOf(`retention: {days: 30}\n${within('365d')}${run()}`)).toEqual([
      'exclusions.e.within is 365 days, and retention.days is 30: the companies of an order are erased 30 days after it, and then no longer excluded. Raise retention.days, or shorten within',
    ]);
    expect(warnOf(`retention: {days: 365}\n${within('365d')}${run()}`)).toEqual([]);
  });

  it('is named when the rows of an enrichment are compared for longer', () => {
    const rows = (days: number, runs: string) =>
      warnOf(`retention: {days: ${days}}\nlimits: {repeat_after: 90d}\n${within('30d')}${runs}`);
    expect(rows(60, enrichment)).toEqual([
      'limits.repeat_after is 90 days, and retention.days is 60: the rows of an order are erased 60 days after it, and run then no longer finds them in the source of another run. Raise retention.days, or shorten repeat_after',
    ]);
    expect(rows(90, enrichment)).toEqual([]);
    expect(rows(60, run())).toEqual([]);
  });
});
