/**
 * prospect-sync.yaml as a person writes it. The descriptions are what editors show and what an error names as the way
 * out. Limits of the service come from the contract. Rules that span several settings stand in references.ts.
 */
import { z } from 'zod';
import { features, limits, profileInputSchema } from '../contract/index.ts';
import { orderInputSchema } from '../contract/order.ts';
import { isRawPath, sourcePaths } from '../mapping/source-paths.ts';
import { contactsSchema } from './contact-settings.ts';
import { durationSchema } from './duration.ts';
import { exclusionsSchema, hubspotCompanies } from './exclusion-settings.ts';
import { companyColumnsSchema, headerRowSchema, sheetSchema } from './file-source-settings.ts';
import { limitsSchema } from './limit-settings.ts';
import { hubspotSchema } from './hubspot-settings.ts';
import { mappingSchema } from './mapping-settings.ts';
import { serviceOutputsSchema } from './output-settings.ts';
import { scheduleSchema } from './schedule-settings.ts';
import { serviceSchema } from './service-settings.ts';
import { temporalSchema } from './temporal-settings.ts';
import { filePath, flag, fromEnvironment, name } from './setting-values.ts';

/** A field of the results, or what the service sends beside them. */
const sourcePath = z.string().refine((path) => isRawPath(path) || sourcePaths.has(path), {
  message: 'must be a field of docs/mapping.md such as company.city, or raw. and a path in what the service sends',
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
    columns: z
      .record(z.string().min(1).max(100), sourcePath)
      .default({})
      .describe('Further columns: header to path of the field, for example Turnover: raw.company.turnover'),
  })
  .prefault({})
  .describe('The files a run writes');

const shareRule = 'must be a percentage from 0% to 100%, such as 80%';

/** What the results of a run must be like; otherwise the run ends with a finding. */
const expectSchema = z
  .strictObject({
    min_delivered: z
      .string()
      .regex(/^\d{1,3}(?:\.\d+)?%$/, shareRule)
      .transform((text) => Number(text.slice(0, -1)))
      .refine((percent) => percent <= 100, shareRule)
      .optional()
      .describe('Share of the ordered companies that must be delivered, for example 80%; otherwise there is a finding'),
  })
  .optional()
  .describe('What the results must be like; that nothing at all was delivered is always a finding');

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
  service_outputs: serviceOutputsSchema,
  crm: flag.default(true).describe('Write the results to HubSpot'),
  expect: expectSchema,
  schedule: scheduleSchema
    .optional()
    .describe('When the run starts by itself, once `prospect-sync apply` has said so to Temporal'),
};

const kindDescription =
  'What the run does: discovery finds new companies, enrichment completes companies that you have';

const discoverySchema = z.strictObject({
  kind: z.literal('discovery').describe(kindDescription),
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
  xlsx: filePath.optional().describe('Excel file with the same columns'),
  sheet: sheetSchema,
  header_row: headerRowSchema,
  columns: companyColumnsSchema,
  external_ids: z
    .enum(['record_id', 'other'])
    .optional()
    .describe('What external_id in the file holds: HubSpot record ids (those records are updated), or something else'),
  hubspot: hubspotCompanies.optional().describe('Take the HubSpot companies in these lifecycle stages'),
});

const enrichmentSchema = z.strictObject({
  kind: z.literal('enrichment').describe(kindDescription),
  ...common,
  companies: companiesSchema.describe('Where the companies come from: csv, xlsx or hubspot'),
});

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
    output_first: durationSchema.prefault('5s').describe('First wait between two looks at an output of the service'),
    output_max: durationSchema.prefault('1m').describe('The wait doubles up to this'),
    output_give_up: durationSchema
      .prefault('2h')
      .describe('How long an output is waited for before the run goes on without it'),
  })
  .prefault({})
  .describe('How often to ask');

export const fileSchema = z.strictObject({
  service: serviceSchema,
  hubspot: hubspotSchema,
  ledger: ledgerSchema,
  temporal: temporalSchema,
  polling: pollingSchema,
  limits: limitsSchema,
  mapping: mappingSchema,
  contacts: contactsSchema,
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
