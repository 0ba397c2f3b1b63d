/** Companies that a discovery run must not return: what is written, and what the program runs on. */
import { z } from 'zod';
import { limits } from '../contract/index.ts';
import type { ExclusionSource } from '../mapping/exclusion-reason.ts';
import type { ColumnSettings } from '../mapping/source-columns.ts';
import { durationSchema } from './duration.ts';
import { exclusionColumnsSchema, headerRowSchema, sheetSchema } from './company-file-settings.ts';
import { filePath, flag } from './setting-values.ts';

export const hubspotCompanies = z.strictObject({
  lifecycle_stages: z
    .array(z.string().min(1))
    .min(1)
    .describe('Internal names of lifecycle stages, for example [customer, opportunity]; upper and lower case differ'),
});

/** `{stage}`, `{days}` and `{list}` are filled in. */
const defaultReasons: Readonly<Record<ExclusionSource, string>> = {
  lifecycle_stages: 'Lifecycle stage {stage}',
  open_deals: 'Open deal',
  closed_won: 'Deal won within {days} days',
  lists: 'HubSpot list {list}',
  do_not_contact: 'Do not contact',
  csv: 'Exclusion file',
  xlsx: 'Exclusion file',
};

const listRule = 'must be the id of a HubSpot list, a whole number';
const listId = z.union([z.string().regex(/^\d+$/, listRule), z.int().min(1)], { error: listRule }).transform(String);

const hubspotExclusions = z.strictObject({
  lifecycle_stages: hubspotCompanies.shape.lifecycle_stages.optional(),
  open_deals: flag.default(false).describe('Companies of deals that are neither won nor lost'),
  closed_won_within_days: z
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .describe('Companies of deals that were won within so many days'),
  lists: z.array(listId).min(1).optional().describe('Ids of company lists (segments) whose members are excluded'),
  do_not_contact: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, 'must be the internal name of a company property: a-z, 0-9 and _')
    .optional()
    .describe('Internal name of a yes/no property of companies; those where it is true are excluded'),
});

const reason = z.string().min(1).max(limits.entry.reason);

const reasonsSchema = z.strictObject({
  lifecycle_stages: reason.optional().describe(`For example "${defaultReasons.lifecycle_stages}"`),
  open_deals: reason.optional().describe(`For example "${defaultReasons.open_deals}"`),
  closed_won: reason.optional().describe(`For example "${defaultReasons.closed_won}"`),
  lists: reason.optional().describe(`For example "${defaultReasons.lists}"`),
  do_not_contact: reason.optional().describe(`For example "${defaultReasons.do_not_contact}"`),
  csv: reason.optional().describe('For rows that have no reason of their own'),
  xlsx: reason.optional().describe('For rows that have no reason of their own'),
});

const removalsSchema = z
  .strictObject({
    max_percent: z.number().min(0).max(100).default(10).describe('More than this share of the entries waits'),
    max_entries: z.int().min(0).default(500).describe('More entries than this wait'),
  })
  .prefault({})
  .describe('Removals beyond either limit wait for `exclusions approve`');

const fileColumns = 'company_name, website_url, city, country, external_id, reason, expires_at';

export const exclusionsSchema = z.strictObject({
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
  hubspot: hubspotExclusions.optional().describe('Exclude HubSpot companies; each setting adds to the others'),
  csv: filePath.optional().describe(`Exclude the companies of this CSV file (${fileColumns})`),
  xlsx: filePath.optional().describe('Exclude the companies of this Excel file (columns as in a CSV file)'),
  sheet: sheetSchema,
  header_row: headerRowSchema,
  columns: exclusionColumnsSchema,
  reason: reason.optional().describe('Reason of every source that has none of its own in `reasons`'),
  reasons: reasonsSchema.prefault({}).describe('Reason of each source; a company of several sources carries them all'),
  removals: removalsSchema,
  full_scan_every: durationSchema
    .optional()
    .describe('Read everything only so often, and in between what changed; every time when left out'),
  delta_overlap: durationSchema
    .prefault('10m')
    .describe('How far in front of the last scan the next one begins: the index of the CRM lags'),
  adopt: flag
    .default(false)
    .describe(
      'Take over a blacklist of that name that prospect-sync did not make; entries it does not know are removed',
    ),
});

/** What is read; at least one of them. */
export interface ExclusionSources {
  readonly lifecycleStages: readonly string[];
  readonly openDeals: boolean;
  readonly closedWonWithinDays: number | null;
  /** Ids of company lists. */
  readonly lists: readonly string[];
  /** Name of a yes/no property of companies. */
  readonly doNotContact: string | null;
  readonly csv: string | null;
  readonly xlsx: string | null;
  /** Settings of the files; absent where there are none, as in the plans of earlier releases. */
  readonly sheet?: string;
  readonly headerRow?: number;
  readonly columns?: ColumnSettings;
}

export interface ExclusionsConfig {
  readonly blacklist: string;
  readonly description: string | null;
  readonly source: ExclusionSources;
  /** With `{stage}`, `{days}` and `{list}` where they belong. */
  readonly reasons: Readonly<Record<ExclusionSource, string>>;
  readonly removals: { readonly maxPercent: number; readonly maxEntries: number };
  /** null: every scan is a full one. */
  readonly fullScanEveryMs: number | null;
  readonly deltaOverlapMs: number;
  /** Whether a blacklist of that name that this program did not make may be taken over. */
  readonly adopt: boolean;
}

export function toExclusions(
  exclusions: z.infer<typeof exclusionsSchema>,
  toPath: (path: string) => string,
): ExclusionsConfig {
  const { hubspot, csv, xlsx, sheet, header_row: headerRow, columns, removals } = exclusions;
  return {
    blacklist: exclusions.blacklist,
    description: exclusions.description ?? null,
    source: {
      lifecycleStages: hubspot?.lifecycle_stages ?? [],
      openDeals: hubspot?.open_deals ?? false,
      closedWonWithinDays: hubspot?.closed_won_within_days ?? null,
      lists: hubspot?.lists ?? [],
      doNotContact: hubspot?.do_not_contact ?? null,
      csv: csv === undefined ? null : toPath(csv),
      xlsx: xlsx === undefined ? null : toPath(xlsx),
      ...(sheet === undefined ? {} : { sheet }),
      ...(headerRow === undefined ? {} : { headerRow }),
      ...(columns === undefined ? {} : { columns }),
    },
    reasons: toReasons(exclusions),
    removals: { maxPercent: removals.max_percent, maxEntries: removals.max_entries },
    fullScanEveryMs: exclusions.full_scan_every ?? null,
    deltaOverlapMs: exclusions.delta_overlap,
    adopt: exclusions.adopt,
  };
}

function toReasons({ reason: common, reasons }: z.infer<typeof exclusionsSchema>): ExclusionsConfig['reasons'] {
  const of = (source: ExclusionSource) => reasons[source] ?? common ?? defaultReasons[source];
  return {
    lifecycle_stages: of('lifecycle_stages'),
    open_deals: of('open_deals'),
    closed_won: of('closed_won'),
    lists: of('lists'),
    do_not_contact: of('do_not_contact'),
    csv: of('csv'),
    xlsx: of('xlsx'),
  };
}
