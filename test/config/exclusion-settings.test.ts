import { head, parse, read as readConfig, rulesOf } from './config-harness.ts';

const textOf = (exclusion: string) => `${head}exclusions:\n  customers: {blacklist: CRM, ${exclusion}}\n`;
const read = (exclusion: string) => readConfig(textOf(exclusion)).exclusions['customers'];

function refuse(exclusion: string): string[] {
  const parsed = parse(textOf(exclusion));
  return parsed.ok ? [] : rulesOf(parsed.problems);
}

describe('exclusions in prospect-sync.yaml', () => {
  it('accepts every source', () => {
    const hubspot =
      '{lifecycle_stages: [customer], open_deals: true, closed_won_within_days: 90, lists: [12, "34"], do_not_contact: no_mail}';
    expect(read(`hubspot: ${hubspot}, csv: a.csv, xlsx: /b.xlsx`)?.source).toEqual({
      lifecycleStages: ['customer'],
      openDeals: true,
      closedWonWithinDays: 90,
      lists: ['12', '34'],
      doNotContact: 'no_mail',
      csv: '/work/crm/a.csv',
      xlsx: '/b.xlsx',
    });
  });

  it('prefers the reason of a source to the common one', () => {
    const reasons = read('csv: a.csv, reason: Known, reasons: {open_deals: Deal}')?.reasons;
    expect(reasons).toMatchObject({ open_deals: 'Deal', csv: 'Known', lists: 'Known' });
  });

  it('accepts safety limits and times', () => {
    expect(read('csv: a.csv, removals: {max_percent: 2.5}, full_scan_every: 24h, delta_overlap: 30m')).toMatchObject({
      removals: { maxPercent: 2.5, maxEntries: 500 },
      fullScanEveryMs: 86_400_000,
      deltaOverlapMs: 1_800_000,
    });
  });

  it.each([
    ['description: Nobody', 'exclusions.customers: needs a source'],
    ['hubspot: {}', 'exclusions.customers.hubspot: selects no companies'],
    ['hubspot: {open_deals: false}', 'exclusions.customers.hubspot: selects no companies'],
    [
      'hubspot: {lists: [a]}',
      'exclusions.customers.hubspot.lists[0]: must be the id of a HubSpot list, a whole number',
    ],
    [
      'hubspot: {do_not_contact: Do not contact}',
      'exclusions.customers.hubspot.do_not_contact: must be the internal name of a company property: a-z, 0-9 and _',
    ],
  ])('rejects %s', (exclusion, problem) => {
    expect(refuse(exclusion)).toEqual([problem]);
  });

  it.each([
    'hubspot: {closed_won_within_days: 0}',
    'csv: a.csv, removals: {max_percent: 101}',
    'csv: a.csv, reason: ""',
  ])('rejects %s', (exclusion) => {
    expect(refuse(exclusion)).toHaveLength(1);
  });
});
