/**
 * prospect-sync.yaml as a person writes it. The descriptions are what editors show and what an error names as the way
 * out. Limits of the service come from the contract. Rules that span several settings stand in references.ts.
 */
import { z } from 'zod';
import { features, limits, profileInputSchema, resultsItemsField } from '../contract/index.ts';
import { orderInputSchema } from '../contract/order.ts';
import { durationSchema } from './duration.ts';

/** Capitals only: a secret pasted in the place of a name is then refused instead of being named as a missing variable. */
const variableName = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/, 'must be the name of an environment variable: capitals, digits and _');
const fromEnvironment = z.strictObject({ env: variableName }, { error: 'must be {env: NAME}' });

/** fetch refuses an address with a password in it, and quotes it whole. */
const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((text) => !/^[^/]*\/\/[^/]*@/.test(text), 'must not hold a user name or password');
const address = z.union([url, fromEnvironment], { error: 'must be an http or https address or {env: NAME}' });

const name = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]+$/, 'a name consists of a-z, 0-9 and -');
const filePath = z.string().min(1);
const flag = z.boolean();

const hubspotCompanies = z.strictObject({
  lifecycle_stages: z
    .array(z.string().min(1))
    .min(1)
    .describe('Internal names of lifecycle stages, for example [customer, opportunity]; upper and lower case differ'),
});

const exclusionsSchema = z.strictObject({
  blacklist: z
    .string()
    .min(limits.blacklistName.min)
    .max(limits.blacklistName.max)
    .describe('Name of the blacklist in the service'),
  description: z
    .string()
    .max(limits.blacklistDescription.max)
    .optional()
    .describe('Description of the blacklist in the service'),
  hubspot: hubspotCompanies.optional().describe('Exclude the HubSpot companies in these lifecycle stages'),
  csv: filePath
    .optional()
    .describe('Exclude the companies of this CSV file (company_name, website_url, city, country, external_id)'),
  reason: z.string().max(limits.entry.reason).optional().describe('Reason that every entry carries'),
  adopt: flag
    .default(false)
    .describe(
      'Take over a blacklist of that name that prospect-sync did not make; entries it does not know are removed',
    ),
});

const spreadsheetsSchema = z
  .strictObject({
    directory: filePath.default('out').describe('Folder for the files, relative to this file'),
    csv: flag.default(true).describe('Write a CSV file'),
    xlsx: flag.default(true).describe('Write an Excel file'),
    rows: z
      .enum(['slot', 'prospect'])
      .default('slot')
      .describe('One row a slot (company), or one a prospect (contact)'),
  })
  .prefault({})
  .describe('The files a run writes');

/** Never plain http, which the contract lets pass by form: the service would refuse the order (A54). */
const webhookUrl = z.url({ protocol: /^https$/ });

const common = {
  title: z.string().min(1).optional().describe('Title of the order; the name of the run when left out'),
  profile: profileInputSchema.describe('What to look for and how to qualify it, as the service takes it'),
  features: z
    .array(z.enum(features))
    .min(1)
    .default([...features])
    .describe('What the service delivers: COMPANY_DATA, CONTACTS, ANALYSIS'),
  webhook_url: webhookUrl.optional().describe('https address that the service notifies of the order status'),
  spreadsheets: spreadsheetsSchema,
  crm: flag.default(true).describe('Write the results to HubSpot'),
};

const discoverySchema = z.strictObject({
  kind: z.literal('discovery').describe('Find new companies'),
  ...common,
  briefing_quantity: orderInputSchema.shape.briefing_quantity
    .unwrap()
    .describe('How many qualified companies to order, a whole number above 0'),
  exclusions: z
    .array(z.string())
    .max(limits.blacklistIdsPerAssignment.max)
    .default([])
    .describe('Names from `exclusions` at the top of this file'),
});

const companiesSchema = z.strictObject({
  csv: filePath
    .optional()
    .describe('CSV file with company_name and, if known, website_url, city, country, external_id'),
  external_ids: z
    .enum(['record_id', 'other'])
    .optional()
    .describe(
      'What external_id in the CSV file holds: HubSpot record ids (those records are updated), or something else',
    ),
  hubspot: hubspotCompanies.optional().describe('Take the HubSpot companies in these lifecycle stages'),
});

const enrichmentSchema = z.strictObject({
  kind: z.literal('enrichment').describe('Enrich companies that you have'),
  ...common,
  companies: companiesSchema.describe('Where the companies come from: either csv or hubspot'),
});

const serviceSchema = z
  .strictObject({
    base_url: address.describe(
      'Address of the prospecting service, for example https://api.example.com, or {env: NAME}',
    ),
    api_key: fromEnvironment.describe('API key of the service, as {env: NAME}'),
    results_items: z
      .string()
      .min(1)
      .default(resultsItemsField)
      .describe('Name of the array of slots on a results page (assumption A01)'),
    timeout: durationSchema.prefault('30s').describe('How long one request may take, for example 30s'),
  })
  .describe('The prospecting service');

const hubspotSchema = z
  .strictObject({
    base_url: address.prefault('https://api.hubapi.com').describe('Address of the HubSpot API, or {env: NAME}'),
    token: fromEnvironment.describe('Access token of a HubSpot private app, as {env: NAME}'),
  })
  .describe('The CRM');

const ledgerSchema = z
  .strictObject({
    database_url: fromEnvironment
      .optional()
      .describe(
        'PostgreSQL instead of SQLite in the data folder, as {env: NAME}; needed when several machines share it',
      ),
  })
  .prefault({})
  .describe('Where results and outcomes are kept');

const pollingSchema = z
  .strictObject({
    profile: durationSchema.prefault('2s').describe('Wait between two looks at a profile creation'),
    order_first: durationSchema.prefault('30s').describe('First wait between two looks at an order'),
    order_max: durationSchema.prefault('10m').describe('The wait doubles up to this'),
  })
  .prefault({})
  .describe('How often to ask');

export const fileSchema = z.strictObject({
  service: serviceSchema,
  hubspot: hubspotSchema,
  ledger: ledgerSchema,
  polling: pollingSchema,
  exclusions: z
    .record(name, exclusionsSchema)
    .default({})
    .describe('Companies that a discovery run must not return, by name'),
  runs: z
    .record(
      name,
      z.discriminatedUnion('kind', [discoverySchema, enrichmentSchema], {
        error: (issue) => (issue.code === 'invalid_union' ? 'must be one of discovery, enrichment' : undefined),
      }),
    )
    .default({})
    .describe('What `prospect-sync run NAME` does, by name'),
});
/** The file after defaults are filled in; secrets are still `{env: NAME}`. */
export type ConfigFile = z.infer<typeof fileSchema>;
export type EnvironmentReference = z.infer<typeof fromEnvironment>;
