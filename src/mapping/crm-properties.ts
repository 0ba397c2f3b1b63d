/** Which CRM property gets which field. Own properties are always written; all others fill what is empty. */
import type { Company, Prospect, Slot } from '../contract/index.ts';
import { companyDomain, companyKey, contactEmail, contactKey } from './identity.ts';

/** Property name to value, as HubSpot takes it: texts only. */
export type Properties = Readonly<Record<string, string>>;

/** What is wanted on one record: `own` is always written, `fill` only where the record is empty. */
export interface WantedProperties {
  readonly own: Properties;
  readonly fill: Properties;
}

/** Where a record's content comes from; stands on every record that is written. */
export interface Provenance {
  readonly orderId: string;
  /** Empty for an order that no run of ours placed. */
  readonly runName: string;
}

/** Properties that have to be read to decide what to write. `industry` is an enumeration of each portal and is left out. */
export const companyProperties = [
  'prospect_sync_company_key',
  'prospect_sync_order_id',
  'prospect_sync_position',
  'prospect_sync_status',
  'prospect_sync_reason_codes',
  'prospect_sync_delivered_at',
  'prospect_sync_run',
  'name',
  'domain',
  'website',
  'description',
  'phone',
  'address',
  'zip',
  'city',
  'country',
  'numberofemployees',
  'linkedin_company_page',
] as const;

export const contactProperties = [
  'prospect_sync_contact_key',
  'prospect_sync_order_id',
  'prospect_sync_position',
  'prospect_sync_email_status',
  'prospect_sync_email_delivery_quality',
  'prospect_sync_client_deliverable',
  'prospect_sync_delivered_at',
  'prospect_sync_run',
  'email',
  'firstname',
  'lastname',
  'jobtitle',
  'phone',
  'hs_linkedin_url',
] as const;

export function toCompanyProperties(slot: Slot, company: Company, provenance: Provenance): WantedProperties {
  return {
    own: { prospect_sync_company_key: companyKey(company), ...toStatusProperties(slot, provenance) },
    fill: present({
      name: company.name,
      domain: companyDomain(company),
      website: company.website_url,
      description: company.description,
      phone: company.phone,
      address: company.street,
      zip: company.postal_code,
      city: company.city,
      country: company.country,
      numberofemployees: company.employee_count,
      linkedin_company_page: company.linkedin_url,
    }),
  };
}

/** What a submitted record learns from a row that was not enriched: how it ended, and nothing else. */
export function toStatusProperties(slot: Slot, { orderId, runName }: Provenance): Properties {
  return {
    prospect_sync_order_id: orderId,
    prospect_sync_position: String(slot.input_position),
    prospect_sync_status: slot.status,
    prospect_sync_reason_codes: slot.reason_codes.join(';'),
    prospect_sync_delivered_at: toMilliseconds(slot.delivered_at),
    prospect_sync_run: runName,
  };
}

/** null for a person without an address: there is nothing to know them by. */
export function toContactProperties(slot: Slot, prospect: Prospect, provenance: Provenance): WantedProperties | null {
  const key = contactKey(prospect);
  const email = contactEmail(prospect);
  if (key === null || email === null) return null;
  return {
    own: {
      prospect_sync_contact_key: key,
      prospect_sync_order_id: provenance.orderId,
      prospect_sync_position: String(slot.input_position),
      prospect_sync_email_status: prospect.email_status ?? '',
      prospect_sync_email_delivery_quality: prospect.email_delivery_quality ?? '',
      prospect_sync_client_deliverable: String(prospect.email_client_deliverable ?? ''),
      prospect_sync_delivered_at: toMilliseconds(slot.delivered_at),
      prospect_sync_run: provenance.runName,
    },
    fill: present({
      email,
      firstname: prospect.first_name,
      lastname: prospect.last_name,
      jobtitle: prospect.job_title,
      phone: prospect.phone,
      hs_linkedin_url: prospect.linkedin_url,
    }),
  };
}

/** What has to be sent so that a record holds what is wanted; empty when it does. */
export function toChanges(wanted: WantedProperties, current: Readonly<Record<string, string | null>>): Properties {
  const own = Object.entries(wanted.own).filter(([name, value]) => !isSame(value, current[name] ?? ''));
  const fill = Object.entries(wanted.fill).filter(([name]) => (current[name] ?? '') === '');
  return Object.fromEntries([...own, ...fill]);
}

/** HubSpot takes a date-time as ISO text or milliseconds and gives it back as ISO text. */
export function isSame(wanted: string, current: string): boolean {
  return wanted === current || (current.includes('T') && Date.parse(current) === Date.parse(wanted));
}

/** HubSpot keeps milliseconds; the service's microseconds would differ on every reading. */
function toMilliseconds(timestamp: string): string {
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

function present(fields: Record<string, string | number | null | undefined>): Properties {
  const filled = Object.entries(fields).filter(([, value]) => (value ?? '') !== '');
  return Object.fromEntries(filled.map(([name, value]) => [name, String(value)]));
}
