import { findConfigurationWarnings } from '../../src/config/configuration-warnings.ts';
import { head, read } from './config-harness.ts';

const warnings = (mapping: string) => findConfigurationWarnings(read(`${head}mapping: ${mapping}`));

describe('a default property with the field of another one', () => {
  it('is named when two fields are exchanged', () => {
    const exchanged = '{city: {from: company.country, policy: always}, country: company.city}';
    expect(warnings(`{companies: ${exchanged}}`)).toEqual([
      'mapping.companies.city reads company.country, which belongs to country. Its own field is company.city: if they are exchanged, remove the setting',
      'mapping.companies.country reads company.city, which belongs to city. Its own field is company.country: if they are exchanged, remove the setting',
    ]);
    expect(warnings('{contacts: {firstname: prospect.last_name}}')).toEqual([
      'mapping.contacts.firstname reads prospect.last_name, which belongs to lastname. Its own field is prospect.first_name: if they are exchanged, remove the setting',
    ]);
  });

  it.each([
    [
      '{contacts: {jobtitle: prospect.email}}',
      'contacts.jobtitle reads prospect.email, an email address. Its own field is prospect.job_title: if that is not meant, remove the setting',
    ],
    [
      '{contacts: {phone: company.email}}',
      'contacts.phone reads company.email, an email address. Its own field is prospect.phone: if that is not meant, remove the setting',
    ],
    [
      '{contacts: {jobtitle: company.phone}}',
      'contacts.jobtitle reads company.phone, a telephone number. Its own field is prospect.job_title: if that is not meant, remove the setting',
    ],
    [
      '{companies: {city: company.domain}}',
      'companies.city reads company.domain, a web address. Its own field is company.city: if that is not meant, remove the setting',
    ],
    [
      '{contacts: {jobtitle: company.name}}',
      'contacts.jobtitle reads company.name, a name. Its own field is prospect.job_title: if that is not meant, remove the setting',
    ],
    [
      '{contacts: {mobilephone: prospect.email}}',
      'contacts.mobilephone reads prospect.email, an email address, and by its name it is for a telephone number. Correct the path',
    ],
    [
      '{contacts: {work_email: raw.prospect.profile_url}}',
      'contacts.work_email reads raw.prospect.profile_url, a web address, and by its name it is for an email address. Correct the path',
    ],
    [
      '{companies: {year_founded: company.employee_count}}',
      'companies.year_founded reads company.employee_count, a number of employees, and by its name it is for a year. Correct the path',
    ],
    [
      '{companies: {annualrevenue: company.fit_score}}',
      'companies.annualrevenue reads company.fit_score, a score, and by its name it is for an amount of money. Correct the path',
    ],
  ])('is named when the field is of another kind: %s', (mapping, expected) =>
    expect(warnings(mapping)).toEqual([`mapping.${expected}`]),
  );

  it.each([
    '{companies: {city: {policy: always}, website: company.domain, town: company.city}}',
    '{companies: {main_email: company.email, website: {from: company.email, transform: domain}, city: raw.company.city.name}}',
    '{contacts: {mobilephone: prospect.phone, work_email: prospect.email, company: company.name, website: company.website_url}}',
    '{contacts: {firstname: prospect.full_name, company_website: company.domain, salutation: prospect.last_name, source: prospect.email}}',
    '{contacts: {hs_linkedin_url: raw.prospect.profile_url, phone: raw.prospect.mobilephone, jobtitle: raw.prospect.position.name}}',
    '{companies: {numberofemployees: company.employee_count, founded_year: company.founded_year, our_score: company.fit_score}}',
    '{companies: {priority: company.fit_score, size: company.employee_count, annualrevenue: raw.company.turnover}}',
    '{contacts: {phone: company.phone, jobtitle: raw.prospect.seniority, company_city: company.city}}',
  ])('is not named: %s', (mapping) => expect(warnings(mapping)).toEqual([]));
});

describe('a property that tells records apart', () => {
  it.each([
    [
      '{companies: {name: {value: "Hub GmbH", policy: always}}}',
      'mapping.companies.name writes the same text to all companies, and overwrites what the records have (policy: always): people could no longer tell the companies apart by name. Without the setting, it gets company.name. Remove the setting, or write the text to another property',
    ],
    [
      '{contacts: {lastname: {round_robin: [A, B]}}}',
      'mapping.contacts.lastname writes one of a few texts to all contacts: people could no longer tell the contacts apart by lastname. Without the setting, it gets prospect.last_name. Remove the setting, or write the text to another property',
    ],
  ])('is named when it has a constant: %s', (mapping, expected) => expect(warnings(mapping)).toEqual([expected]));

  it.each([
    '{companies: {name: {value: "{company.name} (lead)"}}}',
    '{companies: {country: {value: Germany, policy: always}, lifecyclestage: {value: lead, policy: only-if-ours}}}',
    '{companies: {hubspot_owner_id: {round_robin: [111, 222]}}, contacts: {jobtitle: {value: CEO}}}',
  ])('is not named: %s', (mapping) => expect(warnings(mapping)).toEqual([]));
});

describe('the policy always', () => {
  const write = 'Write fill-empty, which keeps what the records have, or only-if-ours';

  it('is named for the lifecycle stage, with the exclusions that lose companies', () => {
    const stage = (object: string) =>
      `mapping.${object}.lifecyclestage.policy is always: ${object} in another stage, customers too, are set to the one of the mapping, unless HubSpot refuses because theirs is a later standard stage`;
    const setting = '{lifecyclestage: {value: subscriber, policy: always}}';
    const exclusions = 'exclusions: {customers: {blacklist: B, hubspot: {lifecycle_stages: [customer]}}}';
    expect(warnings(`{companies: ${setting}, contacts: ${setting}}`)).toEqual([
      `${stage('companies')}. ${write}`,
      `${stage('contacts')}. ${write}`,
    ]);
    expect(warnings(`{companies: ${setting}}\n${exclusions}`)).toContain(
      `${stage('companies')}, and exclusions.customers (customer) loses those companies. ${write}`,
    );
  });

  it.each([
    ['companies', 'name', '{policy: always}', 'the name that people gave a company is overwritten'],
    [
      'companies',
      'domain',
      '{policy: always}',
      'the domain that people gave a company is overwritten, by which HubSpot recognizes it',
    ],
    [
      'companies',
      'description',
      '{from: company.website_markdown, policy: always}',
      'the description that people gave a company is overwritten',
    ],
    [
      'companies',
      'hubspot_owner_id',
      '{value: 111, policy: always}',
      'companies are taken from the owners that people gave them',
    ],
    [
      'contacts',
      'email',
      '{policy: always}',
      'the address that people gave a contact is overwritten, by which HubSpot recognizes it',
    ],
    [
      'contacts',
      'hs_lead_status',
      '{value: NEW, policy: always}',
      'the status that people and replies gave a contact is overwritten, also that of a refusal',
    ],
    [
      'contacts',
      'hubspot_owner_id',
      '{round_robin: [111, 222], policy: always}',
      'contacts are taken from the owners that people gave them',
    ],
  ])('is named for %s, %s', (object, property, field, consequence) => {
    expect(warnings(`{${object}: {${property}: ${field}}}`)).toEqual([
      `mapping.${object}.${property}.policy is always: ${consequence}. ${write}`,
    ]);
    expect(warnings(`{${object}: {${property}: ${field.replace('always', 'fill-empty')}}}`)).toEqual([]);
  });
});
