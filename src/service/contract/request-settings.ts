/** `service.requests`: the form of orders where the specification does not show it. */
import { z } from 'zod';

/** `send`: as the run says. `omit`: the field is left out. `null`: the field is sent as null. */
export const sendings = ['send', 'omit', 'null'] as const;
export type Sending = (typeof sendings)[number];

export interface RequestSettings {
  /** Name of the field that carries the profile's id; `profile.id` nests it. */
  readonly profile_reference: string;
  /** The order type of an enrichment; DISCOVERY is named by the specification. */
  readonly enrichment_order_type: string;
  /** Names of the fields of a submitted row beside external_id; null: not sent. A name with `domain` gets the bare domain. */
  readonly company_row: {
    readonly company_name: string;
    readonly website_url: string | null;
    readonly city: string | null;
    readonly country: string | null;
  };
  readonly features: Sending;
  readonly ideal_customer_profile: Sending;
  readonly seller_offering: Sending;
  readonly target_countries: Sending;
}

export const defaultRequestSettings: RequestSettings = {
  profile_reference: 'profile_id',
  enrichment_order_type: 'ENRICHMENT',
  company_row: { company_name: 'company_name', website_url: 'website_url', city: 'city', country: 'country' },
  features: 'send',
  ideal_customer_profile: 'omit',
  seller_offering: 'omit',
  target_countries: 'omit',
};

/** Other values that a service may require, most likely first. Proposed after a 422; the sandbox can require them. */
export const requestAlternatives = {
  profile_reference: [
    'search_profile_id',
    'prospect_search_id',
    'search_id',
    'profile.id',
    'profile',
    'search_profile',
  ],
  enrichment_order_type: ['ENRICH', 'COMPANY_ENRICHMENT', 'ENRICHMENT_ORDER', 'LIST_ENRICHMENT', 'ANREICHERUNG'],
  company_row: {
    company_name: ['name', 'company', 'legal_name', 'firma'],
    website_url: ['website', 'url', 'domain', 'homepage', 'company_website', 'company_domain', 'webseite'],
    city: ['address.city', 'town', 'location.city', 'ort', 'address_city'],
    country: ['address.country', 'country_code', 'location.country', 'land', 'country_name'],
  },
} as const;

const fieldName = z
  .string()
  .regex(/^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/, 'must be the name of a field, or names joined by dots');
const sending = (field: string, fallback: Sending) =>
  z
    .enum(sendings)
    .default(fallback)
    .describe(`Field ${field} of an order: send it as the run says, omit it, or send null`);
const { company_row: row } = defaultRequestSettings;
const rowField = (name: string, fallback: string) =>
  fieldName.nullable().default(fallback).describe(`Name of ${name} in a submitted row; null: it is not sent`);

export const requestSettingsSchema = z
  .strictObject({
    profile_reference: fieldName
      .default(defaultRequestSettings.profile_reference)
      .describe('Field of an order that carries the id of the profile; profile.id nests it'),
    enrichment_order_type: z
      .string()
      .min(1)
      .default(defaultRequestSettings.enrichment_order_type)
      .describe('Value of order_type of an enrichment order'),
    company_row: z
      .strictObject({
        company_name: fieldName.default(row.company_name).describe('Name of the company name in a submitted row'),
        website_url: rowField('the website', 'website_url'),
        city: rowField('the city', 'city'),
        country: rowField('the country', 'country'),
      })
      .prefault({})
      .describe('Names of the fields of a submitted row; a name with domain in it gets the bare domain'),
    features: sending('features', defaultRequestSettings.features),
    ideal_customer_profile: sending('ideal_customer_profile', defaultRequestSettings.ideal_customer_profile),
    seller_offering: sending('seller_offering', defaultRequestSettings.seller_offering),
    target_countries: sending('target_countries', defaultRequestSettings.target_countries),
  })
  .prefault({})
  .describe('Form of the requests for orders, if it differs from the specification');
