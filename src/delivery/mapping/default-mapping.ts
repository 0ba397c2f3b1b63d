import type { ObjectType } from '../../hubspot/hubspot-record.ts';
import type { PathMapping } from './crm-plan.ts';

/** Used when no mapping is configured. Without `industry`, an enumeration that differs between portals. */
export const defaultMapping: Record<ObjectType, Readonly<Record<string, PathMapping>>> = {
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
 * The properties by which records are matched. Their values are always those that the search uses: the mapping can neither change
 * their source nor omit them.
 */
export const identityProperties = { companies: 'domain', contacts: 'email' } as const;

function filled(from: string): PathMapping {
  return { from, transform: null, policy: 'fill-empty' };
}
