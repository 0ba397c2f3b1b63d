import { toDeliveryPlan, toRunPlan } from '../../src/config/run-plan.ts';
import { defaultContactPolicy } from '../../src/delivery/mapping/contact-policy.ts';
import { toCrmPlan } from '../../src/delivery/mapping/crm-plan.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import { head, profile, read } from './config-harness.ts';
import { crmCompanies, fileCompanies } from '../helpers/companies-source.ts';

/** A configuration whose one run has these settings, and that run. */
function readRun(settings: string, mapping = '') {
  const config = read(`${head}
mapping: {${mapping}}
exclusions:
  customers: {blacklist: CRM exclusions, description: Buyers, csv: /customers.csv}
  rivals: {blacklist: Rivals, csv: /rivals.csv, adopt: true}
runs:
  weekly: {profile: ${profile}, title: Weekly, features: [CONTACTS], ${settings}}
`);
  const { weekly: run } = config.runs;
  if (run === undefined) throw new Error('no run');
  return { config, run };
}

const discover = (more = '', mapping = '') =>
  readRun(`kind: discovery, briefing_quantity: 300, exclusions: [rivals, customers]${more}`, mapping);
const enrich = (companies: string, more = '') => readRun(`kind: enrichment, companies: ${companies}${more}`);
const planOf = ({ config, run }: ReturnType<typeof readRun>) => toRunPlan(config, 'weekly', run);

describe('toRunPlan', () => {
  it('plans a discovery run with its exclusions in order', () => {
    const { config, run } = discover();
    expect(planOf({ config, run })).toEqual({
      runName: 'weekly',
      digest: run.digest,
      kind: 'discovery',
      title: 'Weekly',
      profile: { profile_name: 'P', ideal_customer_profile: 'I', target_countries: ['DE'], output_language: 'en' },
      orderTexts: null,
      features: ['CONTACTS'],
      webhookUrl: null,
      maxBriefings: 10_000,
      repeatAfterMilliseconds: 604_800_000,
      schedule: null,
      minDeliveredPercent: null,
      maxWithoutPeoplePercent: null,
      briefingQuantity: 300,
      companies: null,
      exclusions: ['rivals', 'customers'].map((name) => ({ name, ...config.exclusions[name] })),
      delivery: {
        crm: toCrmPlan(defaultMapping, defaultContactPolicy),
        lists: null,
        spreadsheets: { directory: '/work/crm/out', kinds: ['csv', 'xlsx'], rows: 'slot' },
        serviceOutputs: null,
        evidenceDirectory: '/work/crm/out',
        externalIdsAreRecordIds: false,
      },
    });
  });

  it.each([
    ['a column', '', ', spreadsheets: {columns: {Site: company.website_markdown}}', true],
    ['a property', 'companies: {about_us: company.website_markdown}', '', true],
    ['a template', 'contacts: {message: {value: "Site: {company.website_markdown}"}}', '', true],
    ['a note', 'company_notes: {POLICY_ELIGIBLE: "Site: {company.website_markdown}"}', '', true],
    ['a task', 'company_tasks: {POLICY_ELIGIBLE: "{company.website_markdown|truncate-255}"}', '', true],
    [
      'a property, but the run writes no records',
      'companies: {about_us: company.website_markdown}',
      ', crm: false',
      undefined,
    ],
    [
      'a column, but the run writes no file',
      '',
      ', spreadsheets: {csv: false, xlsx: false, columns: {Site: company.website_markdown}}',
      undefined,
    ],
    ['another field', 'companies: {about_us: company.website_url}', '', undefined],
  ])('fetches website texts where one is read by %s', (_, mapping, more, websites) => {
    expect(planOf(discover(more, mapping)).delivery.websites).toBe(websites);
  });

  it.each([
    ['{csv: /companies.csv}', fileCompanies('/companies.csv')],
    [
      '{xlsx: /companies.xlsx, sheet: Kunden, header_row: 3, columns: {company_name: Firma, ignore: [Notiz]}}',
      fileCompanies('/companies.xlsx', {
        from: 'xlsx',
        sheet: 'Kunden',
        headerRow: 3,
        columns: { company_name: 'Firma', ignore: ['Notiz'] },
      }),
    ],
    ['{hubspot: {lifecycle_stages: [lead]}}', crmCompanies({ lifecycleStages: ['lead'] })],
  ])('plans an enrichment run with its companies: %s', (companies, expected) => {
    const plan = planOf(enrich(companies, ', expect: {min_delivered: 80%}'));
    expect(plan).toMatchObject({
      kind: 'enrichment',
      briefingQuantity: null,
      exclusions: [],
      companies: expected,
      minDeliveredPercent: 80,
    });
  });

  it('returns plain data without secrets, because Temporal stores it', () => {
    const plan = planOf(discover());
    const text = JSON.stringify(plan);
    expect(JSON.parse(text)).toEqual(plan);
    expect(text).not.toMatch(/service-key|hubspot-token/);
  });
});

describe('toDeliveryPlan', () => {
  it.each([
    [true, '{hubspot: {lifecycle_stages: [lead]}}'],
    [true, '{csv: /c.csv, external_ids: record_id}'],
    [false, '{csv: /c.csv, external_ids: other}'],
  ])('returns %s for external ids from %s', (areRecordIds, companies) => {
    const { config, run } = enrich(companies);
    expect(toDeliveryPlan(config, run).externalIdsAreRecordIds).toBe(areRecordIds);
  });

  it('omits HubSpot when the run disables it', () => {
    const { config, run } = discover(', crm: false');
    expect(toDeliveryPlan(config, run).crm).toBeNull();
  });

  it.each([
    [true, false, ['csv']],
    [false, true, ['xlsx']],
    [false, false, undefined],
  ])('includes the configured files (csv %s, xlsx %s)', (csv, xlsx, kinds) => {
    const { config, run } = discover(`, spreadsheets: {csv: ${csv}, xlsx: ${xlsx}}`);
    expect(toDeliveryPlan(config, run).spreadsheets?.kinds).toEqual(kinds);
  });
});
