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
import { reasonSchema, reasonsSchema, toReasons } from './exclusion-reason-settings.ts';
import { checkSources, hubspotSourceSchema, toHubSpotSources, withinSchema } from './exclusion-source-settings.ts';
import type { PathProblem } from './problems.ts';
import { filePath, flag, name, percent } from './setting-values.ts';
import { childOf, namedEntries } from './partial-validation.ts';

const removalsSchema = z
  .strictObject({
    max_percent: percent(0, 100)
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

/** What is not set is undefined, and so no part of the digests of an exclusion. */
export function toExclusion(exclusion: z.infer<typeof exclusionSchema>, toPath: (path: string) => string) {
  const { existing, attach = 'order', csv, xlsx, sheet, columns, within, removals } = exclusion;
  return {
    /** Name of the blacklist; of an existing one its name or id. */
    blacklist: existing ?? exclusion.blacklist ?? defaultDeliveredBlacklist,
    /** true: a blacklist of someone else, which is attached and never changed. */
    existing: existing === undefined ? undefined : (true as const),
    description: exclusion.description ?? null,
    /** undefined: to orders only. */
    attach: attach === 'order' ? undefined : attach,
    /** At least one source is set, except for an existing blacklist. */
    source: {
      ...toHubSpotSources(exclusion.hubspot),
      csv: csv === undefined ? null : toPath(csv),
      xlsx: xlsx === undefined ? null : toPath(xlsx),
      sheet,
      headerRow: exclusion.header_row,
      externalIdForm: exclusion.external_id_form,
      columns,
      /** false: suppressed companies are not excluded; undefined: they are. */
      suppressions: exclusion.suppressions === false ? (false as const) : undefined,
      /** `within`, with the reason of its entries. */
      delivered:
        within === undefined ? undefined : { withinMs: within, reason: exclusion.reason ?? 'Delivered before' },
    },
    /** With the placeholders `{stage}`, `{days}` and `{list}`. */
    reasons: toReasons(exclusion.reasons, exclusion.reason),
    removals: { maxPercent: removals.max_percent, maxEntries: removals.max_entries },
    /** null: every scan is a full one. */
    fullScanEveryMs: exclusion.full_scan_every ?? null,
    deltaOverlapMs: exclusion.delta_overlap,
    /** Whether prospect-sync may take over an existing blacklist that it did not create. */
    adopt: exclusion.adopt,
  };
}

export type ExclusionsConfig = Readonly<ReturnType<typeof toExclusion>>;
export type ExclusionSources = Readonly<ExclusionsConfig['source']>;

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
