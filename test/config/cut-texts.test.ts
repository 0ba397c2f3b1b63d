import { findConfigurationWarnings } from '../../src/config/configuration-warnings.ts';
import { head, read } from './config-harness.ts';

const runs = (name: string, more: string, profile = '') => `runs:
  ${name}:
    kind: discovery
    briefing_quantity: 10
    ${more}
    profile: &shared
      profile_name: P
      ideal_customer_profile: I
      target_countries: [Germany]
      ${profile}
`;
const of = (field: string, text: string) =>
  `${field} is ${JSON.stringify(text)}: YAML takes what follows as a comment, from # on. Put quotes around the whole text if that belongs to it; write two spaces before the # of a comment`;
const warnings = (text: string) => findConfigurationWarnings(read(`${head}${text}`));

describe('a text that a comment ends after one space', () => {
  const tier = runs('a', '').replace('profile: I\n', 'profile: Tier # 1 suppliers of cars, no foundries\n');

  it.each([
    [tier, of('runs.a.profile.ideal_customer_profile', 'Tier')],
    [runs('a', 'title: Wave # two'), of('runs.a.title', 'Wave')],
    [runs('a', '', 'seller_offering: C # and F #'), of('runs.a.profile.seller_offering', 'C')],
    [runs('a', '', 'contact_roles:\n        - Head of # 1 team'), of('runs.a.profile.contact_roles', 'Head of')],
    [runs('a', 'hubspot_lists:\n      companies: Wave # two'), of('runs.a.hubspot_lists.companies', 'Wave')],
    [
      `exclusions:\n  c:\n    blacklist: B\n    csv: c.csv\n    reason: Ticket # 17\n${runs('a', 'exclusions: [c]')}`,
      of('exclusions.c.reason', 'Ticket'),
    ],
    ['mapping:\n  companies:\n    x:\n      value: Ticket # 17\n', of('mapping.companies.x.value', 'Ticket')],
    [
      'mapping:\n  company_notes:\n    WEBSITE_MOVED: Batch # {order.id}\n',
      of('mapping.company_notes.WEBSITE_MOVED', 'Batch'),
    ],
  ])('is announced: %s', (text, expected) => {
    expect(warnings(text).filter((warning) => warning.includes('as a comment'))).toEqual([expected]);
  });

  it.each([
    runs('a', 'title: Wave  # two'),
    runs('a', 'title: "Wave # two"'),
    runs('a', 'title: "Wave" # two'),
    runs('a', 'title: >- # two\n      Wave'),
    runs('a', 'crm: false # two').replace('10\n', '10 # at most\n').replace('discovery\n', 'discovery # new\n'),
    runs('a', 'features: [CONTACTS] # people').replace('[Germany]', '\n        - Germany # first'),
    runs('a', 'schedule:\n      cron: 0 6 * * 1 # Mondays\n      timezone: Europe/Berlin # office'),
  ])('is not announced: %s', (text) => {
    expect(warnings(text).filter((warning) => warning.includes('as a comment'))).toEqual([]);
  });

  it('is announced for the run that has it, and for one that may repeat it by an alias', () => {
    const other = '  b:\n    kind: enrichment\n    profile: *shared\n    companies: {csv: b.csv}\n';
    const config = read(`${head}${tier.replace('briefing', 'title: Wave # two\n    briefing')}${other}`);
    const found = [of('runs.a.title', 'Wave'), of('runs.a.profile.ideal_customer_profile', 'Tier')];
    expect(findConfigurationWarnings(config)).toEqual(found);
    expect(findConfigurationWarnings(config, 'a')).toEqual(found);
    expect(findConfigurationWarnings(config, 'b')).toEqual(found.slice(1));
  });
});
