import { parseConfig } from '../../src/config/load-config.ts';

/** Schedules in Temporal contain these digests, so no release may change them. */
const text = `
service:
  base_url: https://api.example.com/
  api_key: {env: KEY}
  timeout: 45s
hubspot:
  token: {env: TOKEN}
  portal_id: 12345678
  budget: {search_per_second: 3}
polling: {order_first: 1m, output_give_up: 3h}
mapping:
  companies:
    industry_text: company.industry
    description: never
    numberofemployees: {policy: always}
  contacts:
    prospect_score: {from: prospect.qualification_score, transform: integer, policy: only-if-ours}
contacts: {without_email: create, delivery_quality: {except: [undeliverable]}}
exclusions:
  customers:
    blacklist: CRM exclusions
    hubspot: {lifecycle_stages: [customer], open_deals: true, lists: [1234]}
    csv: exclusions.csv
    columns: {company_name: Firma, ignore: [Notiz]}
    reasons: {lists: 'HubSpot list {list}'}
    removals: {max_percent: 5}
    full_scan_every: 24h
runs:
  discovery:
    kind: discovery
    title: DACH
    profile: &profile
      profile_name: DACH machine builders
      ideal_customer_profile: Machine builders
      target_countries: [Germany, Austria]
      company_size_min: 50
    briefing_quantity: 300
    exclusions: [customers]
    features: [CONTACTS]
    webhook_url: https://hooks.example.com/orders
    spreadsheets: {directory: results, rows: prospect, columns: {Turnover: raw.company.turnover}}
    service_outputs: [{type: csv, language: de}, {type: google_sheets, spreadsheet_id: 1AbC}]
    expect: {min_delivered: 80%}
    schedule: {cron: '0 6 * * 1', every: 7d, offset: 6h, timezone: Europe/Berlin, start_at: 2026-12-01T06:00:00Z}
  enrichment:
    kind: enrichment
    profile: *profile
    crm: false
    companies: {xlsx: companies.xlsx, sheet: Leads, header_row: 3, external_ids: record_id}
  crm-enrichment:
    kind: enrichment
    profile: *profile
    companies: {hubspot: {lifecycle_stages: [lead]}}
`;

const learned = `  fields: {company: {name: firmenname}}
  requests: {profile_reference: profile.id}
  results_items: entries
hubspot:`;

function digestsOf(file: string) {
  const parsed = parseConfig(file, { env: { KEY: 'k', TOKEN: 't' }, file: '/x/prospect-sync.yaml' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return Object.fromEntries(Object.entries(parsed.config.runs).map(([name, { digest }]) => [name, digest]));
}

describe('the digest of a run from 1.0 on', () => {
  it('is the same for an unchanged file', () => {
    expect(digestsOf(text)).toEqual({
      discovery: '6ba50ca075fb',
      enrichment: '23688bcd9fbf',
      'crm-enrichment': '1216a93feaeb',
    });
  });

  it('is the same for a file with learned fields and request settings', () => {
    expect(digestsOf(text.replace('hubspot:', learned))).toEqual({
      discovery: '8a3b8d62256d',
      enrichment: '90a57e35f422',
      'crm-enrichment': '8df5114c7d46',
    });
  });
});
