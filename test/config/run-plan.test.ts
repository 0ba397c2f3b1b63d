import { createSecret } from '../../src/config/environment.ts';
import type { ExclusionsConfig } from '../../src/config/exclusion-settings.ts';
import type { Config } from '../../src/config/config.ts';
import type { DiscoveryRunConfig, EnrichmentRunConfig } from '../../src/config/run-settings.ts';
import { defaultRequestSettings } from '../../src/contract/request-settings.ts';
import { defaultRateLimits } from '../../src/hubspot/rate-limiter.ts';
import { defaultVersions } from '../../src/hubspot/hubspot-api-versions.ts';
import { toCrmPlan } from '../../src/mapping/crm-plan.ts';
import { defaultContactPolicy } from '../../src/mapping/contact-policy.ts';
import { defaultMapping } from '../../src/mapping/default-mapping.ts';
import { defaultReplyPolicy } from '../../src/mapping/reply-policy.ts';
import { noFieldSettings } from '../../src/response-shape/shape.ts';
import { toDeliveryPlan, toActivityTimeouts, toRunPlan, type ExclusionPlan } from '../../src/config/run-plan.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';

function withoutName({ name: _name, ...exclusion }: ExclusionPlan): ExclusionsConfig {
  return exclusion;
}

const config: Config = {
  service: {
    baseUrl: 'https://service.example',
    apiKey: createSecret('sk_secret'),
    resultsItems: 'items',
    blacklistsMatched: 'at_publication',
    timeoutMilliseconds: 1_000,
    fields: noFieldSettings,
    requests: defaultRequestSettings,
  },
  hubspot: {
    baseUrl: 'https://hubspot.example',
    token: createSecret('pat_secret'),
    portal: { id: null, type: null },
    timeoutMilliseconds: 1_000,
    versions: defaultVersions,
    budget: defaultRateLimits,
    createProperties: true,
  },
  ledger: { databaseUrl: null },
  certificates: { key: null, directory: null, otherDirectory: '/out' },
  retention: { days: null },
  temporal: { encryption: null, heartbeatTimeoutMilliseconds: 30_000 },
  polling: {
    profileMilliseconds: 2_000,
    orderFirstMilliseconds: 30_000,
    orderMaxMilliseconds: 600_000,
    outputFirstMilliseconds: 5_000,
    outputMaxMilliseconds: 60_000,
    outputGiveUpMilliseconds: 7_200_000,
  },
  limits: { maxBriefingsPerRun: 10_000 },
  mapping: defaultMapping,
  contacts: defaultContactPolicy,
  exclusions: {
    customers: withoutName(exclusionPlan({ description: 'Buyers' })),
    rivals: withoutName(
      exclusionPlan({ blacklist: 'Rivals', source: exclusionSource({ csv: '/rivals.csv' }), adopt: true }),
    ),
  },
  replies: { secrets: [], key: null, policy: defaultReplyPolicy },
  orderStatus: { secrets: [], key: null },
  runs: {},
};

const common = {
  title: 'Weekly',
  profile: { profile_name: 'Makers', ideal_customer_profile: 'They make', target_countries: ['Germany'] },
  orderTexts: null,
  features: ['CONTACTS'] as const,
  webhookUrl: null,
  spreadsheets: { directory: '/out', csv: true, xlsx: true, rows: 'slot' as const, columns: {} },
  serviceOutputs: [],
  hubspotLists: null,
  crm: true,
  minDeliveredPercent: null,
  maxWithoutPeoplePercent: null,
  schedule: null,
  digest: '0123456789ab',
};

const discovery: DiscoveryRunConfig = {
  ...common,
  kind: 'discovery',
  briefingQuantity: 300,
  exclusions: ['rivals', 'customers'],
};
const enrichment: EnrichmentRunConfig = {
  ...common,
  kind: 'enrichment',
  exclusions: [],
  companies: {
    from: 'csv',
    path: '/companies.csv',
    externalIds: 'record_id',
    badRows: 'refuse',
    sheet: null,
    headerRow: null,
    columns: null,
  },
};

describe('toRunPlan', () => {
  it('plans a discovery run with its exclusions in order', () => {
    expect(toRunPlan(config, 'weekly', discovery)).toEqual({
      runName: 'weekly',
      digest: '0123456789ab',
      kind: 'discovery',
      title: 'Weekly',
      profile: common.profile,
      features: ['CONTACTS'],
      webhookUrl: null,
      maxBriefings: 10_000,
      briefingQuantity: 300,
      companies: null,
      exclusions: [
        exclusionPlan({
          name: 'rivals',
          blacklist: 'Rivals',
          source: exclusionSource({ csv: '/rivals.csv' }),
          adopt: true,
        }),
        exclusionPlan({ description: 'Buyers' }),
      ],
      delivery: {
        crm: toCrmPlan(defaultMapping, defaultContactPolicy),
        spreadsheets: { directory: '/out', kinds: ['csv', 'xlsx'], rows: 'slot' },
        evidence: '/out',
        externalIdsAreRecordIds: false,
      },
      pace: toActivityTimeouts(config),
    });
  });

  it('plans an enrichment run with its companies', () => {
    expect(toRunPlan(config, 'leads', enrichment)).toMatchObject({
      kind: 'enrichment',
      briefingQuantity: null,
      exclusions: [],
      companies: { lifecycleStages: [], csv: '/companies.csv' },
    });
    const columns = { company_name: 'Firma', ignore: ['Notiz'] };
    const xlsx = {
      from: 'xlsx',
      path: '/companies.xlsx',
      externalIds: 'other',
      badRows: 'refuse',
      sheet: 'Kunden',
      headerRow: 3,
      columns,
    } as const;
    expect(toRunPlan(config, 'leads', { ...enrichment, companies: xlsx, minDeliveredPercent: 80 })).toMatchObject({
      companies: { csv: null, xlsx: '/companies.xlsx', sheet: 'Kunden', headerRow: 3, columns },
      minDeliveredPercent: 80,
    });
    const companies = { from: 'hubspot', lifecycleStages: ['lead'] } as const;
    expect(toRunPlan(config, 'leads', { ...enrichment, companies }).companies).toEqual({
      lifecycleStages: ['lead'],
      csv: null,
    });
  });

  it('returns plain data without secrets, because Temporal stores it', () => {
    const plan = toRunPlan(config, 'weekly', discovery);
    const text = JSON.stringify(plan);
    expect(JSON.parse(text)).toEqual(plan);
    expect(text).not.toContain('secret');
  });
});

describe('toDeliveryPlan', () => {
  const file = { from: 'csv', path: '/c.csv', sheet: null, headerRow: null, columns: null } as const;

  it.each([
    [true, { from: 'hubspot', lifecycleStages: ['lead'] } as const],
    [true, { ...file, externalIds: 'record_id', badRows: 'refuse' } as const],
    [false, { ...file, externalIds: 'other', badRows: 'refuse' } as const],
  ])('returns %s for external ids from %j', (areRecordIds, companies) => {
    expect(toDeliveryPlan(config, { ...enrichment, companies }).externalIdsAreRecordIds).toBe(areRecordIds);
  });

  it('omits HubSpot when the run disables it', () => {
    expect(toDeliveryPlan(config, { ...discovery, crm: false }).crm).toBeNull();
  });

  it.each([
    [true, false, ['csv']],
    [false, true, ['xlsx']],
    [false, false, undefined],
  ])('includes the configured files (csv %s, xlsx %s)', (csv, xlsx, kinds) => {
    const spreadsheets = { ...common.spreadsheets, csv, xlsx };
    expect(toDeliveryPlan(config, { ...discovery, spreadsheets }).spreadsheets?.kinds).toEqual(kinds);
  });
});

describe('toActivityTimeouts', () => {
  it('returns the configured polling intervals', () => {
    expect(toActivityTimeouts(config)).toMatchObject({
      profilePollMs: 2_000,
      orderFirstPollMs: 30_000,
      orderLongestPollMs: 600_000,
    });
  });
});
