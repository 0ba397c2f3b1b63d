import { defaultRequestSettings, type RequestSettings } from '../../../src/service/contract/request-settings.ts';
import {
  describeSuggestions,
  suggestSettings,
  withRequestSetting,
} from '../../../src/service/reading/order-requests.ts';

const discovery = {
  order_type: 'DISCOVERY',
  profile_id: '1aec8482-143e-42e1-be33-4f35ade98b61',
  title: 'Autumn',
  briefing_quantity: 3,
  features: ['CONTACTS'],
};
const row = { company_name: 'Nordwind', website_url: 'https://nordwind.example', city: 'Bremen', country: 'DE' };
const enrichment = { order_type: 'ENRICHMENT', profile_id: discovery.profile_id, features: [], companies: [row] };

type Problem = [field: string, text: string];

function propose(
  problems: Problem[],
  changed: Partial<RequestSettings> = {},
  body: Record<string, unknown> = enrichment,
) {
  const found = suggestSettings(
    problems.map(([field, text]) => ({ field, text, type: '' })),
    { ...defaultRequestSettings, ...changed },
    body,
  );
  return Object.fromEntries(found.map(({ setting, value }) => [setting.replace('service.requests.', ''), value]));
}

describe('suggestSettings', () => {
  it.each([
    ['a field is required', [['search_profile_id', 'Field required']], 'search_profile_id'],
    ['a nested field is required', [['search_profile.id', 'is required']], 'search_profile.id'],
    ['a field is required in German', [['suchprofil', 'muss angegeben werden']], 'suchprofil'],
    ['a field in camel case is required', [['searchProfileId', 'Missing']], 'searchProfileId'],
    [
      'one field is required and the sent one is unknown',
      [
        ['profile_id', 'Unknown field'],
        ['prospect_search_id', 'Field required'],
      ],
      'prospect_search_id',
    ],
    ['the sent field is unknown', [['profile_id', 'Extra inputs are not permitted']], 'search_profile_id'],
    ['the sent field is unknown in German', [['profile_id', 'unbekanntes Feld']], 'search_profile_id'],
  ] as [string, Problem[], string][])('suggests the profile reference when %s', (_, problems, expected) => {
    expect(propose(problems, {}, discovery)).toEqual({ profile_reference: expected });
  });

  it.each([
    ['Input should be an object', 'profile.id'],
    ['must be a dict', 'profile.id'],
    ['muss ein Objekt sein', 'profile.id'],
    ['is not permitted', 'search_profile'],
  ])('suggests the next profile reference when profile is rejected with %j', (text, expected) => {
    const body = { ...discovery, profile_id: undefined, profile: discovery.profile_id };
    expect(propose([['profile', text]], { profile_reference: 'profile' }, body)).toEqual({
      profile_reference: expected,
    });
  });

  it('suggests the first profile reference after the last one', () => {
    const body = { search_profile: 'x' };
    expect(propose([['search_profile', 'is unknown']], { profile_reference: 'search_profile' }, body)).toEqual({
      profile_reference: 'profile_id',
    });
  });

  it('suggests the next profile reference when the record around the id is rejected', () => {
    const body = { profile: { id: 'x' } };
    expect(propose([['profile', 'is unknown']], { profile_reference: 'profile.id' }, body)).toEqual({
      profile_reference: 'profile',
    });
  });

  it.each([
    ["Input should be 'DISCOVERY' or 'COMPANY_ENRICHMENT'", 'COMPANY_ENRICHMENT'],
    ['allowed: DISCOVERY, LIST_UPGRADE', 'LIST_UPGRADE'],
    ['erlaubt sind DISCOVERY und ANREICHERUNG', 'ANREICHERUNG'],
    ["must be one of 'discovery', 'enrich_list'", 'enrich_list'],
    ["must be one of 'discovery', 'enrichment'", 'enrichment'],
    ['value is not a valid enumeration member', 'ENRICH'],
    ['ist kein erlaubter wert', 'ENRICH'],
    ['', 'ENRICH'],
  ])('suggests the order type of an enrichment when it is rejected with %j', (text, expected) => {
    expect(propose([['order_type', text]])).toEqual({ enrichment_order_type: expected });
  });

  it.each([
    ['ENRICH', 'COMPANY_ENRICHMENT'],
    ['ANREICHERUNG', 'ENRICHMENT'],
    ['OWN_WORD', 'ENRICH'],
  ])('suggests the next order type after %s', (current, expected) => {
    expect(propose([['order_type', 'is unknown']], { enrichment_order_type: current })).toEqual({
      enrichment_order_type: expected,
    });
  });

  it('suggests no order type for a discovery', () => {
    expect(propose([['order_type', "Input should be 'ENRICH'"]], {}, discovery)).toEqual({});
  });

  it.each([
    ['companies.0.name', { 'company_row.company_name': 'name' }],
    ['companies.name', { 'company_row.company_name': 'name' }],
    ['companies.0.firma', { 'company_row.company_name': 'firma' }],
    ['companies.0.organisation.registered_name', { 'company_row.company_name': 'organisation.registered_name' }],
    ['companies.0.companyName', { 'company_row.company_name': 'companyName' }],
    ['companies.0.webseite', { 'company_row.website_url': 'webseite' }],
    ['companies.0.company_domain', { 'company_row.website_url': 'company_domain' }],
    ['companies.0.organisation.homepage', { 'company_row.website_url': 'organisation.homepage' }],
    ['companies.0.ort', { 'company_row.city': 'ort' }],
    ['companies.0.location.locality', { 'company_row.city': 'location.locality' }],
    ['companies.0.address.city', { 'company_row.city': 'address.city' }],
    ['companies.0.land', { 'company_row.country': 'land' }],
    ['companies.0.location.country_code', { 'company_row.country': 'location.country_code' }],
  ])('suggests the field of a row when %s is required', (field, expected) => {
    for (const text of ['Field required', 'muss angegeben werden']) {
      expect(propose([[field, text]])).toEqual(expected);
    }
  });

  it.each([
    ['company_name', 'name'],
    ['website_url', 'website'],
    ['city', 'address.city'],
    ['country', 'address.country'],
  ])('suggests the next name when %s of a row is rejected', (field, expected) => {
    expect(propose([[`companies.0.${field}`, 'Unknown field']])).toEqual({ [`company_row.${field}`]: expected });
  });

  it('suggests names in camel case when the service uses camel case', () => {
    const problems: Problem[] = [
      ['companies.0.companyName', 'Missing'],
      ['companies.0.country', 'Unknown field'],
    ];
    const names = { ...defaultRequestSettings.company_row, country: 'address.country' };
    const body = { ...enrichment, companies: [{ company_name: 'x', country: 'DE', address: { country: 'DE' } }] };
    expect(
      propose([...problems.slice(0, 1), ['companies.0.address.country', 'Unknown']], { company_row: names }, body),
    ).toEqual({ 'company_row.company_name': 'companyName', 'company_row.country': 'countryCode' });
  });

  it.each([
    ['website_url', 'organisation.website'],
    ['website', 'organisation.website'],
    ['organisation.website', 'organisation.url'],
    ['organisation.webseite', 'null'],
  ])('suggests a website field beside a nested company name, after %s', (website, expected) => {
    const names = { ...defaultRequestSettings.company_row, company_name: 'organisation.name', website_url: website };
    const rows = [{ website_url: 'x', website: 'x', organisation: { name: 'x', website: 'x', webseite: 'x' } }];
    const problems: Problem[] = [[`companies.0.${website}`, 'Unknown field']];
    expect(propose(problems, { company_row: names }, { ...enrichment, companies: rows })).toEqual({
      'company_row.website_url': expected,
    });
  });

  it('suggests to omit a field of a row when no name is left', () => {
    const names = { ...defaultRequestSettings.company_row, city: 'address_city' };
    const body = { ...enrichment, companies: [{ address_city: 'Bremen' }] };
    expect(propose([['companies.0.address_city', 'Unknown field']], { company_row: names }, body)).toEqual({
      'company_row.city': 'null',
    });
  });

  it('suggests a nested field when the service requires a record', () => {
    const names = { ...defaultRequestSettings.company_row, company_name: 'company' };
    const body = { ...enrichment, companies: [{ company: 'Nordwind' }] };
    expect(propose([['companies.0.company', 'Input should be an object']], { company_row: names }, body)).toEqual({
      'company_row.company_name': 'company.name',
    });
  });

  it.each(['ideal_customer_profile', 'seller_offering', 'target_countries'])(
    'suggests to send %s when it is required',
    (field) => {
      expect(propose([[field, 'Field required']], {}, discovery)).toEqual({ [field]: 'send' });
      expect(propose([[field, 'fehlt']], { [field]: 'send' }, discovery)).toEqual({});
    },
  );

  it.each(['features', 'ideal_customer_profile', 'seller_offering', 'target_countries'])(
    'suggests to omit %s when it is rejected',
    (field) => {
      const body = { ...discovery, [field]: ['x'] };
      expect(propose([[field, 'Unknown field']], { [field]: 'send' }, body)).toEqual({ [field]: 'omit' });
    },
  );

  it('makes one suggestion per setting, and prefers the required field', () => {
    const problems: Problem[] = [
      ['companies.0.company_name', 'Unknown field'],
      ['companies.0.name', 'Field required'],
      ['companies.1.name', 'Field required'],
      ['profile_id', 'Unknown field'],
      ['search_id', 'Field required'],
    ];
    expect(propose(problems)).toEqual({ 'company_row.company_name': 'name', profile_reference: 'search_id' });
  });

  it.each([
    [[]],
    [[['title', 'Field required']]],
    [[['title', 'is too long']]],
    [[['webhook_url', 'must be https']]],
    [[['blacklist_ids.0', 'is unknown']]],
    [[['companies', 'must have at least one row']]],
    [[['companies.0.external_id', 'is too long']]],
    [[['companies.0.employees', 'Field required']]],
    [[['briefing_quantity', 'Field required']]],
    [[['Idempotency-Key', 'Header required']]],
  ] as [Problem[]][])('suggests nothing for %j', (problems) => {
    expect(propose(problems)).toEqual({});
  });

  it('names the setting and the field that the service rejects', () => {
    const found = suggestSettings(
      [{ field: 'companies.0.name', text: 'Field required', type: 'missing' }],
      defaultRequestSettings,
      enrichment,
    );
    expect(found).toEqual([
      { setting: 'service.requests.company_row.company_name', value: 'name', because: 'companies.0.name' },
    ]);
    expect(describeSuggestions(found)).toBe(
      'set service.requests.company_row.company_name: name (the service names companies.0.name)',
    );
  });
});

describe('describeSuggestions', () => {
  it('joins the suggestions', () => {
    const proposal = { setting: 'service.requests.features', value: 'omit', because: 'features' };
    expect(describeSuggestions([proposal, proposal]).split('; ')).toHaveLength(2);
    expect(describeSuggestions([])).toBe('');
  });
});

describe('withRequestSetting', () => {
  const set = (setting: string, value: string) =>
    withRequestSetting(defaultRequestSettings, `service.requests.${setting}`, value);

  it.each([
    ['profile_reference', 'profile.id'],
    ['enrichment_order_type', 'ANREICHERUNG'],
    ['features', 'omit'],
    ['ideal_customer_profile', 'send'],
  ])('changes %s to %s', (setting, value) => {
    expect(set(setting, value)).toEqual({ ...defaultRequestSettings, [setting]: value });
  });

  it('changes one field of a row, and removes it with null', () => {
    const { company_row: names } = defaultRequestSettings;
    expect(set('company_row.city', 'ort')).toEqual({
      ...defaultRequestSettings,
      company_row: { ...names, city: 'ort' },
    });
    expect(set('company_row.city', 'null').company_row).toEqual({ ...names, city: null });
  });

  it('throws for an invalid value', () => {
    expect(() => set('features', 'sometimes')).toThrow('features');
    expect(() => set('company_row.company_name', 'null')).toThrow('company_name');
  });
});
