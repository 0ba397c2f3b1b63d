import { describeExclusions, describeIngest, describeRun } from '../../src/temporal/workflow-texts.ts';
import { exclusionPlan } from '../helpers/exclusion-plan.ts';
import { discoveryPlan } from '../helpers/pipeline.ts';
import type { CompaniesSource } from '../../src/config/enrichment-source-settings.ts';
import { crmCompanies, fileCompanies } from '../helpers/companies-source.ts';

const plan = discoveryPlan('/data', { runName: 'dach-weekly' });

describe('describeRun', () => {
  it('returns name, kind and quantity in one line', () => {
    expect(describeRun(plan).staticSummary).toBe('dach-weekly: discovery of 250 companies');
    const enrichment = { ...plan, kind: 'enrichment' as const, briefingQuantity: null };
    const summaryOf = (companies: CompaniesSource) => describeRun({ ...enrichment, companies }).staticSummary;
    expect(summaryOf(fileCompanies('/data/in/rows.csv'))).toBe('dach-weekly: enrichment of rows of rows.csv');
    expect(summaryOf(crmCompanies({ lifecycleStages: ['lead'] }))).toBe(
      'dach-weekly: enrichment of CRM companies in lead',
    );
    expect(summaryOf(crmCompanies({ lists: ['7', '9'] }))).toBe(
      'dach-weekly: enrichment of members of HubSpot list 7, 9',
    );
    expect(summaryOf(crmCompanies({ without: 'city' }))).toBe('dach-weekly: enrichment of CRM companies without city');
    expect(summaryOf(crmCompanies({ filterGroups: [] }))).toBe('dach-weekly: enrichment of CRM companies of a search');
  });

  it('is limited to 200 bytes and one line', () => {
    const { staticSummary } = describeRun({ ...plan, runName: 'ü\n'.repeat(150) });
    expect(Buffer.byteLength(staticSummary)).toBeLessThanOrEqual(200);
    expect(Buffer.byteLength(staticSummary)).toBeGreaterThan(190);
    expect(staticSummary).not.toContain('\n');
    expect(staticSummary.isWellFormed()).toBe(true);
  });

  it('describes the order, without the secrets of its webhook address', () => {
    const webhookUrl = 'https://hooks.example/geheim';
    const profile = { ...plan.profile, ideal_customer_profile: `Makers of <b>pumps</b> | valves ${'x'.repeat(5_000)}` };
    const { staticDetails } = describeRun({
      ...plan,
      webhookUrl,
      profile,
      exclusions: [exclusionPlan({ name: 'customers' })],
    });
    expect(staticDetails).toContain('- **title**: New companies');
    expect(staticDetails).toContain('- **exclusions**: customers');
    expect(staticDetails).toContain('- **features**: COMPANY_DATA, CONTACTS, ANALYSIS');
    expect(staticDetails).toContain(String.raw`Makers of \<b\>pumps\</b\> \| valves`);
    expect(staticDetails).toContain('- **destinations**: HubSpot; csv and xlsx in /data/out');
    expect(staticDetails).not.toContain('geheim');
    expect(Buffer.byteLength(staticDetails)).toBeLessThan(2_000);
  });
});

describe('describeIngest', () => {
  it('describes where the results are written when both sinks are off', () => {
    const { staticDetails } = describeIngest('1', { ...plan.delivery, crm: null, spreadsheets: null });
    expect(staticDetails).toContain('- **destinations**: ledger only');
  });
});

describe('describeExclusions', () => {
  it('names blacklist, sources and safety limits', () => {
    const { staticSummary, staticDetails } = describeExclusions(
      exclusionPlan({ name: 'customers', blacklist: 'Kunden' }),
    );
    expect(staticSummary).toBe('exclusions.customers: blacklist Kunden');
    expect(staticDetails).toContain('- **sources**: ');
    expect(staticDetails).toMatch(
      /- \*\*safety limit\*\*: at most [\d,]+ entries and \d+ % are removed without approval/,
    );
  });
});
