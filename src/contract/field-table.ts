/**
 * The fields of companies and prospects, most of which the specification does not show: the name that this program gives
 * each, the names under which a service may send it, and how its values are read. The table is data: the reader of
 * answers, the sandbox, the mapping and docs/assumptions.md all go by it.
 */

/** How a value is read; `people` is a list of prospect records. */
export type FieldKind = 'text' | 'id' | 'integer' | 'number' | 'boolean' | 'url' | 'people';

/** What a value looks like, for a field that no candidate name finds. */
export type ValuePattern =
  | 'email'
  | 'website'
  | 'domain'
  | 'linkedin'
  | 'company name'
  | 'first name'
  | 'last name'
  | 'full name'
  | 'person';

/** What a field is needed for: without identity, or contacts that were ordered, nothing is written. */
export type FieldNeed = 'identity' | 'contact' | 'firmographics' | 'optional';

export interface FieldEntry {
  readonly kind: FieldKind;
  readonly need: FieldNeed;
  /** Other names than the field's own, the likeliest first. Case, `_` and `-` do not count; `a_b` finds `a.b` as well. */
  readonly names: readonly string[];
  readonly pattern?: ValuePattern;
  /** Named by the specification: never looked for under another name. */
  readonly specified?: true;
}

const specified = { need: 'optional', names: [], specified: true } as const;

export const companyFields = {
  source_id: { ...specified, kind: 'id' },
  prospects: {
    kind: 'people',
    need: 'contact',
    names: [
      'contacts',
      'people',
      'decision_makers',
      'contact_persons',
      'persons',
      'leads',
      'ansprechpartner',
      'members',
      'team',
      'staff',
      'employees',
      'contact_people',
      'key_people',
      'contact',
      'kontakte',
    ],
    pattern: 'person',
  },
  id: {
    kind: 'id',
    need: 'identity',
    names: [
      'company_id',
      'uuid',
      'company_uuid',
      'firmen_id',
      'organization_id',
      'organisation_id',
      'company_ref',
      'ref',
      'key',
    ],
  },
  name: {
    kind: 'text',
    need: 'identity',
    names: [
      'company_name',
      'legal_name',
      'display_name',
      'registered_name',
      'trading_name',
      'trade_name',
      'company',
      'organization_name',
      'organisation_name',
      'organization',
      'organisation',
      'business_name',
      'account_name',
      'title',
      'firm',
      'firma',
      'firmenname',
      'unternehmen',
      'name_legal',
      'name_display',
    ],
    pattern: 'company name',
  },
  website_url: {
    kind: 'url',
    need: 'identity',
    names: [
      'website',
      'url',
      'homepage',
      'homepage_url',
      'company_website',
      'site',
      'web',
      'website_link',
      'web_url',
      'webseite',
      'company_url',
    ],
    pattern: 'website',
  },
  domain: {
    kind: 'url',
    need: 'identity',
    names: ['domain_name', 'primary_domain', 'website_domain', 'company_domain', 'web_domain', 'root_domain', 'host'],
    pattern: 'domain',
  },
  description: {
    kind: 'text',
    need: 'firmographics',
    names: [
      'summary',
      'about',
      'short_description',
      'company_description',
      'briefing',
      'profile_text',
      'tagline',
      'beschreibung',
    ],
  },
  industry: {
    kind: 'text',
    need: 'firmographics',
    names: ['sector', 'branch', 'industry_name', 'primary_industry', 'industries', 'vertical', 'branche', 'category'],
  },
  employee_count: {
    kind: 'integer',
    need: 'firmographics',
    names: [
      'employees',
      'number_of_employees',
      'num_employees',
      'headcount',
      'employee_range',
      'company_size',
      'size',
      'staff_count',
      'employees_count',
      'employee_number',
      'team_size',
      'mitarbeiter',
      'mitarbeiterzahl',
    ],
  },
  founded_year: {
    kind: 'integer',
    need: 'firmographics',
    names: ['founded', 'year_founded', 'founding_year', 'founded_in', 'established', 'gruendungsjahr', 'founded_at'],
  },
  phone: {
    kind: 'text',
    need: 'firmographics',
    names: ['phone_number', 'telephone', 'tel', 'company_phone', 'phones', 'main_phone', 'telefon'],
  },
  email: {
    kind: 'text',
    need: 'firmographics',
    names: ['company_email', 'email_address', 'general_email', 'contact_email', 'mail', 'emails', 'info_email'],
  },
  street: {
    kind: 'text',
    need: 'firmographics',
    names: ['street_address', 'address_line1', 'address_line_1', 'address_street', 'address1', 'strasse', 'address'],
  },
  postal_code: {
    kind: 'text',
    need: 'firmographics',
    names: ['zip', 'zip_code', 'postcode', 'address_zip', 'zipcode', 'plz', 'address_postal_code'],
  },
  city: {
    kind: 'text',
    need: 'firmographics',
    names: ['town', 'locality', 'address_city', 'location_city', 'hq_city', 'headquarters_city', 'ort', 'stadt'],
  },
  country: {
    kind: 'text',
    need: 'firmographics',
    names: ['country_name', 'country_code', 'address_country', 'location_country', 'hq_country', 'land', 'nation'],
  },
  linkedin_url: {
    kind: 'url',
    need: 'firmographics',
    names: [
      'linkedin',
      'linkedin_company_url',
      'company_linkedin',
      'linkedin_page',
      'social_linkedin',
      'socials_linkedin',
    ],
    pattern: 'linkedin',
  },
  fit_score: {
    kind: 'number',
    need: 'firmographics',
    names: ['score', 'company_score', 'company_fit_score', 'match_score', 'icp_score', 'relevance', 'rating', 'fit'],
  },
} as const satisfies Record<string, FieldEntry>;
export type CompanyField = keyof typeof companyFields;

export const prospectFields = {
  email_status: { ...specified, kind: 'text' },
  email_client_deliverable: { ...specified, kind: 'boolean' },
  email_delivery_quality: { ...specified, kind: 'text' },
  email_delivery_quality_reason: { ...specified, kind: 'text' },
  id: {
    kind: 'id',
    need: 'optional',
    names: ['prospect_id', 'person_id', 'contact_id', 'uuid', 'prospect_uuid', 'person_ref', 'ref', 'key'],
  },
  email: {
    kind: 'text',
    need: 'contact',
    names: [
      'email_address',
      'prospect_email',
      'work_email',
      'business_email',
      'mail',
      'e_mail',
      'contact_email',
      'primary_email',
      'emails',
      'email_addresses',
      'mail_address',
    ],
    pattern: 'email',
  },
  first_name: {
    kind: 'text',
    need: 'contact',
    names: [
      'given_name',
      'firstname',
      'forename',
      'name_first',
      'first',
      'prospect_first_name',
      'vorname',
      'name_given',
    ],
    pattern: 'first name',
  },
  last_name: {
    kind: 'text',
    need: 'contact',
    names: ['family_name', 'lastname', 'surname', 'name_last', 'last', 'prospect_last_name', 'nachname', 'name_family'],
    pattern: 'last name',
  },
  full_name: {
    kind: 'text',
    need: 'contact',
    names: [
      'name',
      'display_name',
      'fullname',
      'prospect_full_name',
      'prospect_name',
      'person_name',
      'contact_name',
      'name_full',
      'person',
    ],
    pattern: 'full name',
  },
  job_title: {
    kind: 'text',
    need: 'firmographics',
    names: [
      'title',
      'position',
      'role',
      'job',
      'prospect_job_title',
      'function',
      'headline',
      'occupation',
      'jobtitle',
      'job_position',
      'funktion',
    ],
  },
  phone: {
    kind: 'text',
    need: 'firmographics',
    names: [
      'phone_number',
      'direct_phone',
      'mobile',
      'mobile_phone',
      'telephone',
      'direct_dial',
      'tel',
      'phones',
      'telefon',
    ],
  },
  linkedin_url: {
    kind: 'url',
    need: 'firmographics',
    names: [
      'linkedin',
      'linkedin_profile',
      'linkedin_profile_url',
      'profile_url',
      'social_linkedin',
      'socials_linkedin',
    ],
    pattern: 'linkedin',
  },
  qualification_score: {
    kind: 'number',
    need: 'firmographics',
    names: [
      'score',
      'prospect_score',
      'lead_score',
      'person_score',
      'fit_score',
      'relevance_score',
      'relevance',
      'rating',
      'priority',
    ],
  },
} as const satisfies Record<string, FieldEntry>;
export type ProspectField = keyof typeof prospectFields;

/** Objects that only hold the fields of the record around them, so that a field in one counts as the record's own. */
export const containerNames = [
  'data',
  'attributes',
  'properties',
  'details',
  'info',
  'profile',
  'fields',
  'core',
  'basic',
  'general',
  'firmographics',
  'company',
  'organization',
  'organisation',
  'contact',
  'contact_info',
  'contact_details',
  'contact_data',
  'company_contact',
  'communication',
  'person',
  'personal',
  'node',
  'identity',
  'address',
  'location',
  'headquarters',
  'hq',
  'scores',
  'scoring',
  'socials',
  'social',
  'links',
  'web',
  'online',
  'channels',
  'position',
  'stammdaten',
  'anschrift',
  'adresse',
  'kontakt',
] as const;

/** Objects around a whole answer. */
export const wrapperNames = [
  'data',
  'order',
  'result',
  'item',
  'response',
  'payload',
  'attributes',
  'page',
  'meta',
] as const;

/** Names of the array of slots on a results page, the likeliest first. */
export const resultArrayNames = [
  'items',
  'results',
  'slots',
  'data',
  'rows',
  'entries',
  'companies',
  'records',
] as const;
