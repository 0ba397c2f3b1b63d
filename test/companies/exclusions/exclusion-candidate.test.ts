import {
  joinReasons,
  toCandidateFromRow,
  toCandidatesFromCrm,
  toReason,
} from '../../../src/companies/exclusions/exclusion-candidate.ts';
import { exclusionPlan, exclusionSource } from '../../helpers/exclusion-plan.ts';

const now = new Date('2026-11-20T12:00:00Z');
const fromRow = (row: Record<string, string>) => toCandidateFromRow(row, { reason: 'Listed', now });
const fromCrm = (properties: Record<string, string | null>) =>
  toCandidatesFromCrm({ id: '501', properties }, 'Customer');

describe('toCandidateFromRow', () => {
  it('completes an address without the prefix that the service requires', () => {
    expect(fromRow({ company_name: 'Acme', website_url: 'acme.example' })).toEqual({
      entry: { company_name: 'Acme', website_url: 'https://acme.example', reason: 'Listed' },
      urlCompleted: true,
      sharedDomain: false,
      expired: false,
      problems: [],
    });
    expect(fromRow({ company_name: 'Acme', website_url: 'https://acme.example' }).urlCompleted).toBe(false);
    expect(fromRow({ company_name: 'Acme', website_url: '' }).urlCompleted).toBe(false);
  });

  it.each(['gmail.com', 'https://www.linkedin.com/company/acme', 'www.facebook.com/acme'])(
    'leaves out %s, which many companies share',
    (website_url) => {
      const { entry, urlCompleted, sharedDomain } = fromRow({ company_name: 'Acme', website_url, city: 'Graz' });
      expect({ entry, urlCompleted, sharedDomain }).toEqual({
        entry: { company_name: 'Acme', city: 'Graz', reason: 'Listed' },
        urlCompleted: false,
        sharedDomain: true,
      });
    },
  );

  it.each([
    ['2026-11-19', true],
    ['2026-11-20', false],
    [' 2026-11-21 ', false],
    ['', false],
    ['2026-11-20T12:00:00Z', true],
    ['2026-11-20T12:00:01Z', false],
    ['2026-11-20T13:30:00+02:00', true],
    ['2026-11-20T12:30+00:00', false],
  ])('reads %j as expired: %s; a date ends at midnight UTC', (expires_at, expired) => {
    expect(fromRow({ company_name: 'Acme', expires_at })).toMatchObject({ expired, problems: [] });
  });

  it.each(['31.12.2026', '2026-11-20T12:00', 'soon', '46000'])('rejects %s as a date', (expires_at) => {
    expect(fromRow({ company_name: 'Acme', expires_at }).problems).toEqual([
      'expires_at: must be a date such as 2027-03-31, or a time with its zone',
    ]);
  });

  it.each(['2027-02-31', '2027-02-31T12:00:00Z'])('says that the day of %s does not exist', (expires_at) => {
    expect(fromRow({ company_name: 'Acme', expires_at }).problems).toEqual([
      'expires_at: must be a date such as 2027-03-31, or a time with its zone; the day 2027-02-31 does not exist',
    ]);
  });
});

describe('toCandidatesFromCrm', () => {
  it('counts a completed website, but not the bare domain that HubSpot stores', () => {
    expect(fromCrm({ name: 'Acme', domain: 'acme.example' })).toMatchObject([
      { urlCompleted: false, sharedDomain: false },
    ]);
    expect(fromCrm({ name: 'Acme', domain: null, website: 'acme.example' })).toMatchObject([{ urlCompleted: true }]);
  });

  it('counts a shared domain only if the company has no other address', () => {
    expect(fromCrm({ name: 'Acme', domain: 'gmail.com', website: 'acme.example' })).toMatchObject([
      { sharedDomain: false, entry: { website_url: 'https://acme.example' } },
    ]);
    expect(fromCrm({ name: 'Acme', domain: 'gmail.com' })).toMatchObject([{ sharedDomain: true }]);
  });

  it('makes an entry of each additional domain, without shared and repeated ones', () => {
    const hs_additional_domains = 'acme.de; Acme.example;gmail.com;acme.de';
    const entry = { company_name: 'Acme', external_id: '501', reason: 'Customer' };
    expect(fromCrm({ name: 'Acme', domain: 'acme.example', hs_additional_domains }).map((each) => each.entry)).toEqual([
      { ...entry, website_url: 'https://acme.example' },
      { ...entry, website_url: 'https://acme.de' },
    ]);
    expect(fromCrm({ name: 'Acme', domain: 'gmail.com', hs_additional_domains }).map((each) => each.entry)).toEqual([
      { ...entry, website_url: 'https://acme.de' },
      { ...entry, website_url: 'https://acme.example' },
    ]);
  });

  it('is empty for a company without name and domain', () => {
    expect(fromCrm({ name: null, domain: 'gmail.com' })).toEqual([]);
  });
});

describe('toReason', () => {
  it('joins the reasons in the order of the settings', () => {
    const plan = exclusionPlan({
      source: exclusionSource({ lists: ['9', '10'], lifecycleStages: ['lead', 'customer'], closedWonWithinDays: 90 }),
      reasons: { ...exclusionPlan().reasons, lifecycle_stages: 'Stage {stage}' },
    });
    const tags = ['do_not_contact', 'lists:10', 'lists:9', 'closed_won', 'open_deals', 'lifecycle_stages:lead'];
    expect(toReason(tags, plan)).toBe('Stage lead; Open deal; Won within 90 days; List 9; List 10; Do not contact');
  });

  it('contains a reason of several sources once', () => {
    const reasons = { ...exclusionPlan().reasons, open_deals: 'Known', lists: 'Known' };
    const plan = exclusionPlan({ source: exclusionSource({ lists: ['9'], openDeals: true }), reasons });
    expect(toReason(['open_deals', 'lists:9'], plan)).toBe('Known');
  });
});

describe('joinReasons', () => {
  it('shortens the text to the limit of the service', () => {
    expect(joinReasons(['a'.repeat(1_500), null, 'b'.repeat(1_500)])).toHaveLength(2_000);
    expect(joinReasons([undefined, ''])).toBe('');
  });
});
