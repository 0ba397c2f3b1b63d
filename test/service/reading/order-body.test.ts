import type { OrderInput } from '../../../src/service/contract/index.ts';
import { defaultRequestSettings, type RequestSettings } from '../../../src/service/contract/request-settings.ts';
import { toOrderBody } from '../../../src/service/reading/order-requests.ts';

const profileId = '1aec8482-143e-42e1-be33-4f35ade98b61';
const discovery: OrderInput = {
  order_type: 'DISCOVERY',
  profile_id: profileId,
  title: 'Autumn',
  briefing_quantity: 3,
  features: ['CONTACTS'],
};
const enrichment: OrderInput = {
  order_type: 'ENRICHMENT',
  profile_id: profileId,
  companies: [
    {
      company_name: 'Nordwind Solar GmbH',
      website_url: 'https://www.nordwind.example/de',
      city: 'Bremen',
      country: 'DE',
      external_id: 'r-1',
    },
    { company_name: 'Kiel AG', website_url: null, city: '' },
  ],
};
const row = defaultRequestSettings.company_row;
const body = (input: OrderInput, changed: Partial<RequestSettings> = {}) =>
  toOrderBody(input, { ...defaultRequestSettings, ...changed });

describe('toOrderBody', () => {
  it('sends a discovery order unchanged by default', () => {
    expect(body(discovery)).toEqual(discovery);
  });

  it('sends an enrichment order unchanged by default, without unknown values', () => {
    expect(body(enrichment)).toEqual({
      order_type: 'ENRICHMENT',
      profile_id: profileId,
      companies: [enrichment.companies?.[0], { company_name: 'Kiel AG' }],
    });
  });

  it.each([
    ['search_profile_id', { search_profile_id: profileId }],
    ['profile.id', { profile: { id: profileId } }],
    ['a.b.c', { a: { b: { c: profileId } } }],
  ])('sends the id of the profile as %s', (name, expected) => {
    const { profile_id: _, ...rest } = discovery;
    expect(body(discovery, { profile_reference: name })).toEqual({ ...rest, ...expected });
  });

  it('uses the configured order type for enrichments only', () => {
    const changed = { enrichment_order_type: 'ANREICHERUNG' };
    expect(body(enrichment, changed)).toMatchObject({ order_type: 'ANREICHERUNG' });
    expect(body(discovery, changed)).toMatchObject({ order_type: 'DISCOVERY' });
  });

  it('uses the configured names of row fields, and groups nested ones', () => {
    const names = {
      company_name: 'organisation.registered_name',
      website_url: 'organisation.homepage',
      city: 'location.city',
      country: 'location.country',
    };
    expect(body(enrichment, { company_row: names })['companies']).toEqual([
      {
        organisation: { registered_name: 'Nordwind Solar GmbH', homepage: 'https://www.nordwind.example/de' },
        location: { city: 'Bremen', country: 'DE' },
        external_id: 'r-1',
      },
      { organisation: { registered_name: 'Kiel AG' } },
    ]);
  });

  it.each(['domain', 'company_domain', 'web.primaryDomain'])('sends the domain as %s', (name) => {
    const [first, second] = [body(enrichment, { company_row: { ...row, website_url: name } })['companies']].flat();
    expect(JSON.stringify(first)).toContain('"nordwind.example"');
    expect(JSON.stringify(first)).not.toContain('https');
    expect(second).toEqual({ company_name: 'Kiel AG' });
  });

  it('omits the fields of a row that are null in the settings', () => {
    const names = { ...row, website_url: null, city: null, country: null };
    expect(body(enrichment, { company_row: names })['companies']).toEqual([
      { company_name: 'Nordwind Solar GmbH', external_id: 'r-1' },
      { company_name: 'Kiel AG' },
    ]);
  });

  it.each(['features', 'ideal_customer_profile', 'seller_offering', 'target_countries'] as const)(
    'sends %s with the value of the run, omits it, or sends null, as the setting says',
    (field) => {
      const value = field === 'features' || field === 'target_countries' ? ['DE'] : 'text';
      const input = { ...discovery, [field]: value };
      const { [field]: _, ...without } = input;
      expect(body(input, { [field]: 'send' })[field]).toEqual(value);
      expect(body(without, { [field]: 'send' })).not.toHaveProperty(field);
      expect(body(input, { [field]: 'omit' })).not.toHaveProperty(field);
      expect(body(input, { [field]: 'null' })[field]).toBeNull();
    },
  );

  it('does not change its input', () => {
    const before = structuredClone(enrichment);
    body(enrichment, { profile_reference: 'profile.id', features: 'null' });
    expect(enrichment).toEqual(before);
  });
});
