/** What a run writes to the CRM: the mapping of fields, and which people become contacts. Plain data, because workflow inputs contain it. */
import { digest } from '../json/canonical-json.ts';
import type { TransformName } from './transforms.ts';
import type { Prospect } from '../contract/index.ts';
import { contactEmail } from './identity.ts';

/**
 * When a property is written. `always`: whenever it differs. `fill-empty`: only when it is empty in the record. `only-if-ours`: when it
 * is empty, or has the value that prospect-sync wrote last.
 */
export const policies = ['always', 'fill-empty', 'only-if-ours'] as const;
export type Policy = (typeof policies)[number];

export interface FieldMapping {
  /** Path of the field in the result, for example `company.name`. */
  readonly from: string;
  readonly transform: TransformName | null;
  readonly policy: Policy;
}

/** Fields by internal property name of HubSpot. Other properties are never written. */
export interface CrmMapping {
  readonly companies: Readonly<Record<string, FieldMapping>>;
  readonly contacts: Readonly<Record<string, FieldMapping>>;
}

export interface CrmPlan {
  readonly mapping: CrmMapping;
  /** Twelve hexadecimal digits, derived from the mapping: equal mappings have equal versions. */
  readonly mappingVersion: string;
  readonly contacts: ContactPolicy;
}

export function toCrmPlan(mapping: CrmMapping, contacts: ContactPolicy): CrmPlan {
  return { mapping, mappingVersion: digest(mapping).slice(0, 12), contacts };
}

/** Which people of a result become contacts. */
export interface ContactPolicy {
  /** Skip people whose `email_client_deliverable` is not true; unknown counts as not deliverable. */
  readonly requireClientDeliverable: boolean;
  /** Values of `email_delivery_quality`, for which the service gives examples only. `only: null` accepts every value, and none. */
  readonly deliveryQualities: { readonly only: readonly string[] | null; readonly except: readonly string[] };
  readonly withoutEmail: 'skip' | 'create';
}

export const defaultContactPolicy: ContactPolicy = {
  requireClientDeliverable: false,
  deliveryQualities: { only: null, except: [] },
  withoutEmail: 'skip',
};

/** The rule by which a person is skipped, or null. Rules about addresses do not apply to a person without one. */
export function findSkipRule(
  prospect: Prospect,
  { requireClientDeliverable, deliveryQualities, withoutEmail }: ContactPolicy,
): 'not_client_deliverable' | 'delivery_quality' | 'no_email' | null {
  // Without an address, a person is identified by the id alone.
  if (contactEmail(prospect) === null) return withoutEmail === 'create' && prospect.id ? null : 'no_email';
  if (requireClientDeliverable && prospect.email_client_deliverable !== true) return 'not_client_deliverable';
  const { only, except } = deliveryQualities;
  const quality = comparableQuality(prospect.email_delivery_quality ?? '');
  const isWanted = only === null || only.map(comparableQuality).includes(quality);
  return isWanted && !except.map(comparableQuality).includes(quality) ? null : 'delivery_quality';
}

/** The service does not fix the spelling of the values, so letter case does not count. */
export function comparableQuality(quality: string): string {
  return quality.trim().toLowerCase();
}

/** Used when no mapping is configured. Without `industry`, an enumeration that differs between portals. */
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
 * The properties by which records are matched. Their values are always those that the search uses: the mapping can neither change
 * their source nor omit them.
 */
export const identityProperties = { companies: 'domain', contacts: 'email' } as const;

function filled(from: string): FieldMapping {
  return { from, transform: null, policy: 'fill-empty' };
}
