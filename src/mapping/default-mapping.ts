/** What is written where nothing else is configured. */
import type { CrmMapping, FieldMapping } from './crm-plan.ts';

/** `industry` is an enumeration of each portal and is left out. */
export const defaultMapping: CrmMapping = {
  companies: {
    name: filled('company.name'),
    domain: filled('company.domain'),
    website: filled('company.website_url'),
    description: filled('company.description'),
    phone: filled('company.phone'),
    address: filled('company.street'),
    zip: filled('company.postal_code'),
    city: filled('company.city'),
    country: filled('company.country'),
    numberofemployees: filled('company.employee_count'),
    linkedin_company_page: filled('company.linkedin_url'),
  },
  contacts: {
    email: filled('prospect.email'),
    firstname: filled('prospect.first_name'),
    lastname: filled('prospect.last_name'),
    jobtitle: filled('prospect.job_title'),
    phone: filled('prospect.phone'),
    hs_linkedin_url: filled('prospect.linkedin_url'),
  },
};

/**
 * What a record is known by outside of this program. Its value is the one that records are looked for with, so that
 * what is found and what is written cannot part: the source is fixed, and it is never left out.
 */
export const identityProperties = { companies: 'domain', contacts: 'email' } as const;

function filled(from: string): FieldMapping {
  return { from, transform: null, policy: 'fill-empty' };
}
