import { Ajv } from 'ajv';
import { parse as parseYaml } from 'yaml';
import { configJsonSchema } from '../../src/config/file-schema.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import { sourcePaths } from '../../src/delivery/mapping/source-paths.ts';
import { transformNames, transforms } from '../../src/delivery/mapping/transforms.ts';
import { head, parse as parseText, read as readConfig } from './config-harness.ts';

const parse = (text: string) => parseText(head + text);
const read = (text: string) => readConfig(head + text);

/** The problems of `mapping: {companies: {…}}` (or contacts), each as `line:column field: rule[, found …]. remedy`. */
function refuse(fields: string, object = 'companies'): string[] {
  const parsed = parse(`mapping:\n  ${object}:\n    ${fields}\n`);
  return parsed.ok
    ? []
    : formatProblems(parsed, '')
        .split('\n')
        .map((line) => line.slice(1));
}

describe('mapping in prospect-sync.yaml', () => {
  it('is the default mapping when it is missing', () => {
    expect(read('').mapping).toEqual(defaultMapping);
    expect(read('mapping: {}').mapping).toEqual(defaultMapping);
  });

  it('shares companies among owners, and gives contacts the owner of their company', () => {
    const { mapping } = read(`
mapping:
  companies:
    hubspot_owner_id: {round_robin: [111, '222']}
  contacts:
    hubspot_owner_id: {from: company_record.hubspot_owner_id, policy: always}
`);
    expect(mapping.companies['hubspot_owner_id']).toEqual({ roundRobin: ['111', '222'], policy: 'fill-empty' });
    expect(mapping.contacts['hubspot_owner_id']).toMatchObject({ from: 'company_record.hubspot_owner_id' });
    expect(refuse('x: company_record.hubspot_owner_id')).toEqual([
      "5:8 mapping.companies.x: is for contacts only. It reads the HubSpot record of the contact's company",
    ]);
    expect(refuse('x: {round_robin: [a], value: b}')).toEqual([
      '5:22 mapping.companies.x.round_robin: cannot be used together with value. Remove one of them',
    ]);
    expect(refuse('domain: {round_robin: [a]}')).toEqual([
      '5:27 mapping.companies.domain.round_robin: is always filled from company.domain: companies are matched by it. Remove it',
    ]);
    expect(refuse('x: {round_robin: []}')).toHaveLength(1);
  });

  it('says by reason code whether companies of PARTIAL rows are written', () => {
    const { mapping } = read('mapping: {partial_companies: {default: never, NO_PEOPLE_FOUND: fill-empty}}');
    expect(mapping.partialCompanies).toEqual({ default: 'never', NO_PEOPLE_FOUND: 'fill-empty' });
    expect(refuse('NO_PEOPLE_FOUNT: never', 'partial_companies')).toEqual([
      expect.stringMatching(
        /^5:5 mapping.partial_companies.NO_PEOPLE_FOUNT: is no reason of PARTIAL rows. Write default, or one of .*NO_PEOPLE_FOUND/,
      ),
    ]);
    expect(refuse('UNRESOLVED_IDENTITY: never', 'partial_companies')).toHaveLength(1);
    expect(refuse('RESULT_LIMIT_EXCEEDED: never', 'partial_companies')).toHaveLength(1);
    expect(refuse('WEBSITE_MOVED: always', 'partial_companies')).toEqual([
      expect.stringContaining('must be one of fill-empty, never, found "always"'),
    ]);
  });

  it('has notes and tasks on companies by reason code', () => {
    const { mapping } = read('mapping: {company_notes: {WEBSITE_MOVED: "Now {company.domain}"}, company_tasks: {}}');
    expect(mapping).toMatchObject({ companyNotes: { WEBSITE_MOVED: 'Now {company.domain}' }, companyTasks: {} });
    expect(refuse('WEBSITE_MOVE: a', 'company_tasks')).toEqual([
      expect.stringMatching(/^5:5 mapping.company_tasks.WEBSITE_MOVE: is no reason code. The reason codes are /),
    ]);
    expect(refuse('WEBSITE_MOVED: "{prospect.email}"', 'company_notes')).toEqual([
      expect.stringContaining('{prospect.email}: a company has many prospects, not one'),
    ]);
    expect(refuse('WEBSITE_MOVED: "{company.name"', 'company_notes')).toEqual([
      expect.stringContaining('has a { without its counterpart'),
    ]);
  });

  it('is merged with the default mapping', () => {
    const { companies, contacts } = read(`
mapping:
  companies:
    industry_text: company.industry
    numberofemployees: {policy: always}
    name: {transform: uppercase}
    phone: never
    zip: {policy: never}
    codes: {from: slot.reason_codes, transform: join, policy: only-if-ours}
    domain: {policy: only-if-ours}
  contacts:
    firstname: {from: prospect.full_name}
    email: {from: prospect.email, policy: always}
    position: slot.input_position
    hs_lead_status: {value: NEW}
    score: {value: 5, policy: always}
`).mapping;
    const { phone: _phone, zip: _zip, ...kept } = defaultMapping.companies;
    expect(companies).toEqual({
      ...kept,
      industry_text: { from: 'company.industry', transform: null, policy: 'fill-empty' },
      numberofemployees: { from: 'company.employee_count', transform: null, policy: 'always' },
      name: { from: 'company.name', transform: 'uppercase', policy: 'fill-empty' },
      codes: { from: 'slot.reason_codes', transform: 'join', policy: 'only-if-ours' },
      domain: { from: 'company.domain', transform: null, policy: 'only-if-ours' },
    });
    expect(contacts).toEqual({
      ...defaultMapping.contacts,
      firstname: { from: 'prospect.full_name', transform: null, policy: 'fill-empty' },
      email: { from: 'prospect.email', transform: null, policy: 'always' },
      position: { from: 'slot.input_position', transform: null, policy: 'fill-empty' },
      hs_lead_status: { value: 'NEW', policy: 'fill-empty' },
      score: { value: '5', policy: 'always' },
    });
  });

  it('accepts every path, and every transform for every kind of value that it supports', () => {
    for (const [path, kind] of sourcePaths) {
      for (const transform of [null, ...transformNames]) {
        const fits =
          transform === null ? !['list', 'records'].includes(kind) : transforms[transform].takes.includes(kind);
        const field = transform === null ? path : `{from: ${path}, transform: ${transform}}`;
        expect([path, transform, refuse(`x: ${field}`, 'contacts').length === 0]).toEqual([path, transform, fits]);
      }
    }
  });

  it.each([
    [
      'x: company.industri',
      '5:8 mapping.companies.x: there is no field "company.industri". Did you mean company.industry?',
    ],
    [
      'x: employee_count',
      '5:8 mapping.companies.x: there is no field "employee_count". Did you mean company.employee_count?',
    ],
    [
      'x: company.town',
      '5:8 mapping.companies.x: there is no field "company.town". Did you mean company.city or company.postal_code?',
    ],
    ['x: homepage', expect.stringContaining('there is no field "homepage". Did you mean company.')],
    ['x: always', '5:8 mapping.companies.x: there is no field "always". To set the policy, write {policy: always}'],
    ['x: order.titel', '5:8 mapping.companies.x: there is no field "order.titel". Did you mean order.title?'],
    [
      'x: order.owner',
      '5:8 mapping.companies.x: there is no field "order.owner". Known there: order.id, order.run, order.title',
    ],
    [
      'x: {value: "{company.industri}"}',
      '5:16 mapping.companies.x.value: {company.industri}: there is no field "company.industri". Did you mean company.industry?',
    ],
    [
      'x: {value: "by {slot.reason_codes}"}',
      '5:16 mapping.companies.x.value: {slot.reason_codes}: is a list and needs a transform. Transforms for a list: first, join, join-lines, count',
    ],
    [
      'x: {value: "{slot.delivered_at|dat}"}',
      `5:16 mapping.companies.x.value: has an unknown transform in {slot.delivered_at|dat}. Write fields as {company.name} or {slot.delivered_at|date}, and a brace itself as {{ or }}. Transforms: ${transformNames.join(', ')}`,
    ],
    [
      'x: {value: "a {company.name"}',
      `5:16 mapping.companies.x.value: has a { without its counterpart at character 3. Write fields as {company.name} or {slot.delivered_at|date}, and a brace itself as {{ or }}. Transforms: ${transformNames.join(', ')}`,
    ],
    [
      'x: {value: lead, from: company.name}',
      '5:16 mapping.companies.x.value: cannot be used together with from. Remove one of them',
    ],
    [
      'x: {value: lead, transform: uppercase}',
      '5:33 mapping.companies.x.transform: has no effect on a value. Write the transform behind the field, for example {slot.delivered_at|date}',
    ],
    [
      'domain: {value: acme.example}',
      '5:21 mapping.companies.domain.value: is always filled from company.domain: companies are matched by it. You can change its policy',
    ],
    [
      'x: {value: []}',
      '5:16 mapping.companies.x.value: must be a text of 1 to 1000 characters that is not blank, a number, or true or false, found a list of 0. Meaning: A text instead of a field; fields may be in it, for example "{order.title} {slot.delivered_at|date}"',
    ],
    [
      'x: {from: contact.nonsense}',
      '5:15 mapping.companies.x.from: there is no field "contact.nonsense". A path begins with slot, order, company or raw',
    ],
    [
      'x: prospect.job_title',
      '5:8 mapping.companies.x: a company has many prospects, not one. For their number, use company.prospects with transform count',
    ],
    [
      'x: slot.reason_codes',
      '5:8 mapping.companies.x: is a list and needs a transform. Transforms for a list: first, join, join-lines, count',
    ],
    [
      'x: company.prospects',
      '5:8 mapping.companies.x: is a list of records and needs a transform. Transforms for a list of records: count; or name a field of the records',
    ],
    [
      'x: {from: company.name, transform: join}',
      '5:40 mapping.companies.x.transform: join does not accept a text: company.name is one. Transforms for a text: lowercase, uppercase, integer, year, date, domain, truncate-255, or none',
    ],
    [
      'phone: {transform: count}',
      '5:24 mapping.companies.phone.transform: count does not accept a text: company.phone is one. Transforms for a text: lowercase, uppercase, integer, year, date, domain, truncate-255, or none',
    ],
    [
      'x: {from: company.name, transform: upcase}',
      `5:40 mapping.companies.x.transform: must be one of ${transformNames.join(', ')}, found "upcase". Meaning: How the value is converted (see docs/mapping.md)`,
    ],
    [
      'city: {policy: allways}',
      '5:20 mapping.companies.city.policy: must be one of always, fill-empty, only-if-ours, never, found "allways". Meaning: When the property is written: always, fill-empty (the default), only-if-ours or never',
    ],
    ['city: {polity: always}', '5:12 mapping.companies.city.polity: there is no such setting. Did you mean policy?'],
    [
      'city: 12',
      '5:11 mapping.companies.city: must be a path such as company.name, a map of from, value or round_robin, transform and policy, or never, found 12',
    ],
    [
      'city: [company.city]',
      '5:11 mapping.companies.city: must be a path such as company.name, a map of from, value or round_robin, transform and policy, or never, found a list of 1',
    ],
    [
      'Company-City: company.city',
      '5:5 mapping.companies.Company-City: must be the internal name of a HubSpot property: a-z, 0-9 and _, a letter first, found "Company-City"',
    ],
    [
      'prospect_sync_status: slot.status',
      '5:5 mapping.companies.prospect_sync_status: is written by prospect-sync and cannot be mapped. Remove it',
    ],
    [
      'x: {policy: always}',
      '5:5 mapping.companies.x: has no source field. Add from, for example from: company.name, or value with a text',
    ],
    [
      'adress: never',
      `5:5 mapping.companies.adress: is not in the default mapping, so never has no effect. The defaults are ${Object.keys(defaultMapping.companies).join(', ')}`,
    ],
    [
      'domain: company.website_url',
      '5:13 mapping.companies.domain: is always filled from company.domain: companies are matched by it. You can change its policy',
    ],
    [
      'domain: {transform: uppercase}',
      '5:25 mapping.companies.domain.transform: takes no transform: companies are matched by it. You can change its policy',
    ],
    [
      'domain: {policy: never}',
      '5:13 mapping.companies.domain: cannot be removed: companies are matched by it. You can change its policy',
    ],
  ])('rejects %s', (fields, problem) => {
    expect(refuse(fields)).toEqual([problem]);
  });

  it('requires the address of contacts, and suggests fields of prospects for them', () => {
    expect(refuse('email: never', 'contacts')).toEqual([
      '5:12 mapping.contacts.email: cannot be removed: contacts are matched by it. You can change its policy',
    ]);
    expect(refuse('x: prospect.jobtitle', 'contacts')[0]).toContain('Did you mean prospect.job_title');
    expect(refuse('x: person.jobtitle', 'contacts')[0]).toContain(
      'slot, order, company, company_record, prospect or raw',
    );
  });

  it('reports every invalid field at once', () => {
    expect(refuse('x: nowhere.at_all\n    y: {from: 1}\n    z: slot.reasons')).toHaveLength(3);
  });
});

describe('the JSON schema of mapping', () => {
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(configJsonSchema());
  const accepts = (mapping: string) => validate(parseYaml(`${head}mapping: ${mapping}\nruns: {}\nexclusions: {}\n`));

  it.each([
    '{}',
    '{companies: {x: company.name, phone: never}}',
    '{contacts: {x: {from: prospect.id, transform: uppercase, policy: only-if-ours}, phone: {policy: never}}}',
  ])('accepts %s', (mapping) => {
    expect(accepts(mapping)).toBe(true);
  });

  it.each([
    '{deals: {}}',
    '{companies: {x: 1}}',
    '{companies: {Wrong-Name: company.name}}',
    '{companies: {x: {policy: sometimes}}}',
    '{companies: {x: {from: company.name, transform: upcase}}}',
    '{companies: {x: {source: company.name}}}',
  ])('rejects %s like parseConfig', (mapping) => {
    expect(accepts(mapping)).toBe(false);
    expect(parse(`mapping: ${mapping}`).ok).toBe(false);
  });
});
