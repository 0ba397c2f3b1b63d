import { createBlacklistIndex } from '../../src/contract/index.ts';
import { createTestService } from '../sandbox/service/service-harness.ts';

interface Found {
  id: string;
  name: string;
  website_url: string;
  city: string;
  source_id: string;
}

/** The first company that a profile finds, and whether a blacklist with these entries keeps it away. */
async function createSearch() {
  const service = createTestService();
  const profile_id = await service.createProfile();
  const first = async (blacklist_ids: string[]): Promise<Found> => {
    const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 1, blacklist_ids };
    return (await service.readSlots(await service.finishOrder(order)))[0].company;
  };
  const company = await first([]);
  const excludes = async (entry: Record<string, unknown>) => {
    const attached = await first([await service.createBlacklist([entry])]);
    return attached.id !== company.id;
  };
  return { company, excludes };
}

/** Entries that each match by one tier only, asked together: the best one answers. */
function bestOf(...tiers: ('external_id' | 'website_domain' | 'name_and_city' | 'name')[]) {
  const entries = {
    external_id: { company_name: 'Other', external_id: '7' },
    website_domain: { company_name: 'Other', website_url: 'http://acme.example/imprint' },
    name_and_city: { company_name: 'Acme', city: 'Bern' },
    name: { company_name: 'Acme' },
  };
  const index = createBlacklistIndex();
  for (const tier of tiers) index.add(tier, entries[tier]);
  const company = { company_name: 'Acme', website_url: 'https://www.acme.example', city: 'Bern', external_id: '7' };
  return index.match(company);
}

describe('Blacklist matching', () => {
  it('1: an external_id equal to the source id excludes a company, whatever else the entry says', async () => {
    const { company, excludes } = await createSearch();
    const other = { company_name: 'Nobody', website_url: 'https://nobody.example', city: 'Nowhere' };
    expect(await excludes({ ...other, external_id: company.source_id })).toBe(true);
    for (const external_id of [`${company.source_id}0`, company.source_id.slice(1), ` ${company.source_id}`])
      expect(await excludes({ ...other, external_id })).toBe(false);
  });

  it('1: comes before all other methods', () => {
    expect(bestOf('name', 'name_and_city', 'website_domain', 'external_id')?.id).toBe('external_id');
  });

  it('2: the domain of the URL is compared, not the URL', async () => {
    const { company, excludes } = await createSearch();
    const domain = new URL(company.website_url).hostname.replace(/^www\./, '');
    for (const website_url of [`http://${domain}/imprint?x=1`, `https://www.${domain}`, `www.${domain}`])
      expect(await excludes({ company_name: 'Nobody', website_url })).toBe(true);
    for (const website_url of [`https://not-${domain}`, `https://nobody.example/${domain}`])
      expect(await excludes({ company_name: 'Nobody', website_url })).toBe(false);
  });

  it('2: comes before the names', () => {
    expect(bestOf('name', 'name_and_city', 'website_domain')?.id).toBe('website_domain');
  });

  it('3: name and city together exclude a company; the city alone does not', async () => {
    const { company, excludes } = await createSearch();
    expect(await excludes({ company_name: company.name, city: company.city })).toBe(true);
    expect(await excludes({ company_name: 'Nobody', city: company.city })).toBe(false);
  });

  it('3: comes before the name alone', () => {
    expect(bestOf('name', 'name_and_city')).toEqual({ id: 'name_and_city', tier: 'name_and_city' });
  });

  it('4: the name alone excludes a company', async () => {
    const { company, excludes } = await createSearch();
    expect(await excludes({ company_name: company.name })).toBe(true);
    expect(await excludes({ company_name: `${company.name} Nobody` })).toBe(false);
    expect(bestOf('name')).toEqual({ id: 'name', tier: 'name' });
  });
});
