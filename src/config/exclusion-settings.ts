/** `exclusions`: companies that a discovery run must not return. */
import { z } from 'zod';
import {
  attachSchema,
  blacklistNameSchema,
  checkBlacklistName,
  checkUniqueName,
  defaultDeliveredBlacklist,
  descriptionSchema,
  existingSchema,
} from './blacklist-settings.ts';
import { durationSchema } from './duration.ts';
import {
  checkCompanyFile,
  exclusionColumnsSchema,
  externalIdFormSchema,
  headerRowSchema,
  sheetSchema,
} from './company-file-settings.ts';
import { reasonSchema, reasonsSchema, toReasons, type ExclusionSource } from './exclusion-reason-settings.ts';
import {
  checkSources,
  hubspotSourceSchema,
  toHubSpotSources,
  withinSchema,
  type ExclusionSources,
} from './exclusion-source-settings.ts';
import type { PathProblem } from './problems.ts';
import { filePath, flag, name } from './setting-values.ts';
import { childOf, namedEntries } from './partial-validation.ts';

const removalsSchema = z
  .strictObject({
    max_percent: z
      .number()
      .min(0)
      .max(100)
      .default(10)
      .describe('Removals above this percentage of the entries wait for approval'),
    max_entries: z.int().min(0).default(500).describe('Removals above this number of entries wait for approval'),
  })
  .prefault({})
  .describe('Safety limit for removals: those above either limit wait for `prospect-sync exclusions approve`');

const fileColumns = 'company_name, website_url, city, country, external_id, reason, expires_at';

const exclusionSchema = z.strictObject({
  blacklist: blacklistNameSchema.optional(),
  existing: existingSchema.optional(),
  description: descriptionSchema.optional(),
  attach: attachSchema.optional(),
  hubspot: hubspotSourceSchema.optional().describe('Exclude HubSpot companies that match any of these settings'),
  csv: filePath.optional().describe(`CSV file with companies to exclude (columns: ${fileColumns})`),
  xlsx: filePath.optional().describe('Excel file with companies to exclude (columns as in a CSV file)'),
  sheet: sheetSchema,
  header_row: headerRowSchema,
  external_id_form: externalIdFormSchema,
  columns: exclusionColumnsSchema,
  within: withinSchema.optional(),
  suppressions: flag
    .optional()
    .describe('Exclude companies that were suppressed because they asked not to be contacted; by default true'),
  reason: reasonSchema.optional().describe('Reason for the sources that have none in `reasons`'),
  reasons: reasonsSchema
    .prefault({})
    .describe('Reason for each source; a company from several sources carries all their reasons'),
  removals: removalsSchema,
  full_scan_every: durationSchema
    .optional()
    .describe('Time between full scans; the syncs in between read only changes. By default every sync is a full scan'),
  delta_overlap: durationSchema
    .prefault('10m')
    .describe('How far a scan for changes reaches back before the last scan, since the HubSpot search index lags'),
  adopt: flag
    .default(false)
    .describe('Take over an existing blacklist that prospect-sync did not create; unknown entries are removed'),
});

export const exclusionsSchema = z
  .record(name, exclusionSchema)
  .default({})
  .describe('Companies that a discovery run must not return, by name');

export interface ExclusionsConfig {
  /** Name of the blacklist; of an existing one its name or id. */
  readonly blacklist: string;
  /** Present: a blacklist of someone else, which is attached and never changed. */
  readonly existing?: true;
  readonly description: string | null;
  /** Absent: to orders only. */
  readonly attach?: 'search' | 'both';
  readonly source: ExclusionSources;
  /** With the placeholders `{stage}`, `{days}` and `{list}`. */
  readonly reasons: Readonly<Record<ExclusionSource, string>>;
  readonly removals: { readonly maxPercent: number; readonly maxEntries: number };
  /** null: every scan is a full one. */
  readonly fullScanEveryMs: number | null;
  readonly deltaOverlapMs: number;
  /** Whether prospect-sync may take over an existing blacklist that it did not create. */
  readonly adopt: boolean;
}

export function checkExclusions(exclusions: unknown): PathProblem[] {
  const nameOf = new Map<string, string>();
  return namedEntries(exclusions).flatMap(([exclusionName, exclusion]) => {
    const path = ['exclusions', exclusionName];
    const isExisting = childOf(exclusion, 'existing') !== undefined;
    const named = checkBlacklistName(path, exclusion);
    if (isExisting) return [...named, ...checkUniqueName([...path, 'existing'], exclusion, nameOf)];
    return [
      ...named,
      ...checkSources(path, exclusion),
      ...checkCompanyFile(path, exclusion),
      ...checkUniqueName([...path, 'blacklist'], exclusion, nameOf),
    ];
  });
}

export function toExclusion(
  exclusion: z.infer<typeof exclusionSchema>,
  toPath: (path: string) => string,
): ExclusionsConfig {
  const { existing, hubspot, csv, xlsx, sheet, header_row: headerRow, columns, within, removals } = exclusion;
  const { attach = 'order', external_id_form: externalIdForm } = exclusion;
  return {
    blacklist: existing ?? exclusion.blacklist ?? defaultDeliveredBlacklist,
    ...(existing === undefined ? {} : { existing: true }),
    description: exclusion.description ?? null,
    ...(attach === 'order' ? {} : { attach }),
    source: {
      ...toHubSpotSources(hubspot),
      csv: csv === undefined ? null : toPath(csv),
      xlsx: xlsx === undefined ? null : toPath(xlsx),
      ...(sheet === undefined ? {} : { sheet }),
      ...(headerRow === undefined ? {} : { headerRow }),
      ...(externalIdForm === undefined ? {} : { externalIdForm }),
      ...(columns === undefined ? {} : { columns }),
      ...(exclusion.suppressions === false ? { suppressions: false as const } : {}),
      ...(within === undefined
        ? {}
        : { delivered: { withinMs: within, reason: exclusion.reason ?? 'Delivered before' } }),
    },
    reasons: toReasons(exclusion.reasons, exclusion.reason),
    removals: { maxPercent: removals.max_percent, maxEntries: removals.max_entries },
    fullScanEveryMs: exclusion.full_scan_every ?? null,
    deltaOverlapMs: exclusion.delta_overlap,
    adopt: exclusion.adopt,
  };
}

export const exclusionsTemplate = `# Companies that a discovery run must not return. Each name (a-z, 0-9, -) becomes one blacklist in the service, which a
# sync keeps equal to its sources: hubspot, csv, xlsx. See docs/exclusions.md.
exclusions:
  customers:
    blacklist: CRM exclusions             # its name in the service, 1 to 500 characters
    # description: Customers and open deals   # at most 1,942 characters
    # attach: order                       # to orders; search: to the prospect search of the profile; both
    hubspot:
      lifecycle_stages: [customer, opportunity]   # internal names; case matters
      # open_deals: true                  # companies with a deal that is neither won nor lost
      # closed_won_within_days: 90        # companies with a deal that was won within this number of days
      # lists: [1234]                     # ids of company lists (segments)
      # do_not_contact: do_not_contact    # internal name of a yes/no company property
    # csv: exclusions.csv                 # columns: company_name, and if known website_url, city, country, external_id,
    #                                     # reason, expires_at (the last day, for example 2027-03-31)
    # xlsx: exclusions.xlsx               # the same columns
    # sheet: Customers                    # of the Excel file; by default the first visible sheet
    # columns:                            # column headers that differ from these names
    #   company_name: Firma
    #   website_url: Website
    #   city: Ort
    #   country: Land
    #   external_id: Kundennummer
    #   reason: Grund
    #   expires_at: Gültig bis
    #   ignore: [Notiz]                   # columns to ignore
    # reason: Existing customer           # for all sources, instead of their default reasons; at most 2,000 characters
    # reasons:                            # for each source; a company from several sources carries all their reasons
    #   lifecycle_stages: Lifecycle stage {stage}
    #   open_deals: Open deal
    #   closed_won: Deal won within {days} days
    #   lists: HubSpot list {list}
    #   do_not_contact: Do not contact
    # removals:                           # removals above either limit wait for \`prospect-sync exclusions approve\`
    #   max_percent: 10
    #   max_entries: 500
    # full_scan_every: 24h                # syncs in between read only changes and remove nothing; by default always full
    # delta_overlap: 10m                  # how far a scan for changes reaches back before the last scan
    # adopt: false                        # true takes over an existing blacklist that prospect-sync did not create;
    #                                     # unknown entries are then removed
  # An existing blacklist of the service, by name or id. It is attached as it is, and never changed.
  # partners:
  #   existing: Partner list
  # Only companies that asked not to be contacted; the other exclusions contain them too, unless suppressions: false.
  # refused:
  #   blacklist: Do not contact
  #   suppressions: true
  # Companies that orders of this ledger have delivered.
  # delivered:
  #   within: 365d
`;
