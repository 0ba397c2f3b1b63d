import { builtIn, options } from './property-definition.ts';
import { booleans, leadStatuses, lifecycleStages } from './property-options.ts';

const languages = options(`
cs=Czech
da=Danish
de=German
de-at=German - Austria
de-ch=German - Switzerland
de-de=German - Germany
en=English
en-gb=English - United Kingdom
en-us=English - United States
es=Spanish
fi=Finnish
fr=French
fr-ch=French - Switzerland
it=Italian
nl=Dutch
no=Norwegian
pl=Polish
pt=Portuguese
pt-br=Portuguese - Brazil
sv=Swedish`);

export const contactProperties = builtIn('contactinformation', [
  ['hs_object_id', 'Record ID', 'number', 'number', { ro: true }],
  ['hs_merged_object_ids', 'Merged object IDs', 'string', 'text', { ro: true }],
  ['createdate', 'Create Date', 'datetime', 'date', { ro: true }],
  ['lastmodifieddate', 'Last Modified Date', 'datetime', 'date', { ro: true }],
  ['email', 'Email', 'string', 'text'],
  ['hs_additional_emails', 'Additional email addresses', 'string', 'text'],
  ['hs_email_domain', 'Email Domain', 'string', 'text', { ro: true }],
  ['hs_email_optout', 'Unsubscribed from all email', 'bool', 'booleancheckbox', { ro: true, options: booleans }],
  ['work_email', 'Work email', 'string', 'text'],
  ['firstname', 'First Name', 'string', 'text'],
  ['lastname', 'Last Name', 'string', 'text'],
  ['salutation', 'Salutation', 'string', 'text'],
  ['jobtitle', 'Job Title', 'string', 'text'],
  ['seniority', 'Seniority', 'string', 'text'],
  ['company', 'Company Name', 'string', 'text'],
  ['industry', 'Industry', 'string', 'text'],
  ['website', 'Website URL', 'string', 'text'],
  ['phone', 'Phone Number', 'string', 'phonenumber'],
  ['mobilephone', 'Mobile Phone Number', 'string', 'phonenumber'],
  ['fax', 'Fax Number', 'string', 'text'],
  ['address', 'Street Address', 'string', 'text'],
  ['zip', 'Postal Code', 'string', 'text'],
  ['city', 'City', 'string', 'text'],
  ['state', 'State/Region', 'string', 'text'],
  ['country', 'Country/Region', 'string', 'text'],
  ['hs_timezone', 'Time Zone', 'string', 'text'],
  ['hs_language', 'Preferred language', 'enumeration', 'select', { options: languages }],
  ['hs_linkedin_url', 'LinkedIn URL', 'string', 'text'],
  ['twitterhandle', 'Twitter Username', 'string', 'text'],
  ['lifecyclestage', 'Lifecycle Stage', 'enumeration', 'radio', { options: lifecycleStages }],
  ['hs_lead_status', 'Lead Status', 'enumeration', 'radio', { options: leadStatuses }],
  ['associatedcompanyid', 'Primary Associated Company ID', 'number', 'number', { ro: true }],
  ['hubspot_owner_id', 'Contact owner', 'string', 'text'],
  ['notes_last_contacted', 'Last Contacted', 'datetime', 'date', { ro: true }],
  ['message', 'Message', 'string', 'textarea'],
  ['date_of_birth', 'Date of birth', 'string', 'text'],
  ['closedate', 'Close Date', 'datetime', 'date'],
]);
