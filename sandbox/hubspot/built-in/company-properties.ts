import { builtIn, options } from './property-definition.ts';
import { booleans, industries, leadStatuses, lifecycleStages } from './property-options.ts';

const kinds = options(`
PROSPECT
PARTNER
RESELLER
VENDOR
OTHER`);

export const companyProperties = builtIn('companyinformation', [
  ['hs_object_id', 'Record ID', 'number', 'number', { ro: true }],
  ['hs_merged_object_ids', 'Merged object IDs', 'string', 'text', { ro: true }],
  ['createdate', 'Create Date', 'datetime', 'date', { ro: true }],
  ['hs_createdate', 'Object create date/time', 'datetime', 'date', { ro: true }],
  ['hs_lastmodifieddate', 'Last Modified Date', 'datetime', 'date', { ro: true }],
  ['name', 'Company name', 'string', 'text'],
  ['domain', 'Company Domain Name', 'string', 'text'],
  ['website', 'Website URL', 'string', 'text'],
  ['hs_additional_domains', 'Additional Domains', 'enumeration', 'checkbox', { anyValue: true }],
  ['description', 'Description', 'string', 'textarea'],
  ['about_us', 'About Us', 'string', 'textarea'],
  ['phone', 'Phone Number', 'string', 'phonenumber'],
  ['address', 'Street Address', 'string', 'text'],
  ['address2', 'Street Address 2', 'string', 'text'],
  ['zip', 'Postal Code', 'string', 'text'],
  ['city', 'City', 'string', 'text'],
  ['state', 'State/Region', 'string', 'text'],
  ['country', 'Country/Region', 'string', 'text'],
  ['hs_country_code', 'Country/Region Code', 'string', 'text'],
  ['timezone', 'Time Zone', 'string', 'text'],
  ['industry', 'Industry', 'enumeration', 'select', { options: industries }],
  ['type', 'Type', 'enumeration', 'select', { options: kinds }],
  ['numberofemployees', 'Number of Employees', 'number', 'number'],
  ['annualrevenue', 'Annual Revenue', 'number', 'number'],
  ['total_money_raised', 'Total Money Raised', 'string', 'text'],
  ['founded_year', 'Year Founded', 'string', 'text'],
  ['is_public', 'Is Public', 'bool', 'booleancheckbox', { options: booleans }],
  ['lifecyclestage', 'Lifecycle Stage', 'enumeration', 'radio', { options: lifecycleStages }],
  ['hs_lead_status', 'Lead Status', 'enumeration', 'radio', { options: leadStatuses }],
  ['linkedin_company_page', 'LinkedIn Company Page', 'string', 'text'],
  ['linkedinbio', 'LinkedIn Bio', 'string', 'text'],
  ['facebook_company_page', 'Facebook Company Page', 'string', 'text'],
  ['twitterhandle', 'Twitter Handle', 'string', 'text'],
  ['web_technologies', 'Web Technologies', 'enumeration', 'checkbox', { ro: true }],
  ['hubspot_owner_id', 'Company owner', 'string', 'text'],
  ['notes_last_contacted', 'Last Contacted', 'datetime', 'date', { ro: true }],
  ['notes_last_updated', 'Last Activity Date', 'datetime', 'date', { ro: true }],
  ['num_associated_contacts', 'Number of Associated Contacts', 'number', 'number', { ro: true }],
  ['closedate', 'Close Date', 'datetime', 'date'],
]);
