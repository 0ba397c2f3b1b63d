/** `exclusions`: companies that a discovery run must not return. */
import { z } from 'zod';
import { limits } from '../contract/index.ts';
import type { ColumnSettings } from '../mapping/source-columns.ts';
import { durationSchema } from './duration.ts';
import { checkCompanyFile, exclusionColumnsSchema, headerRowSchema, sheetSchema } from './company-file-settings.ts';
import { reasonSchema, reasonsSchema, toReasons, type ExclusionSource } from './exclusion-reason-settings.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { filePath, flag, lifecycleStages, name } from './setting-values.ts';
import { checkPart, childOf, isMap, namedEntries } from './partial-validation.ts';

const listRule = 'must be the id of a HubSpot list, a whole number';
const listId = z.union([z.string().regex(/^\d+$/, listRule), z.int().min(1)], { error: listRule }).transform(String);

const hubspotExclusions = z.strictObject({
  lifecycle_stages: lifecycleStages.optional(),
  open_deals: flag.default(false).describe('Exclude companies with a deal that is neither won nor lost'),
  closed_won_within_days: z
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .describe('Exclude companies with a deal that was won within this number of days'),
  lists: z
    .array(listId)
    .min(1)
    .optional()
    .describe('Ids of HubSpot company lists (segments); their members are excluded'),
  do_not_contact: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, 'must be the internal name of a company property: a-z, 0-9 and _')
    .optional()
    .describe('Internal name of a yes/no company property; companies where it is true are excluded'),
});

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
  hubspot: hubspotExclusions.optional().describe('Exclude HubSpot companies that match any of these settings'),
  csv: filePath.optional().describe(`CSV file with companies to exclude (columns: ${fileColumns})`),
  xlsx: filePath.optional().describe('Excel file with companies to exclude (columns as in a CSV file)'),
  sheet: sheetSchema,
  header_row: headerRowSchema,
  columns: exclusionColumnsSchema,
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

/** At least one source is set. */
export interface ExclusionSources {
  readonly lifecycleStages: readonly string[];
  readonly openDeals: boolean;
  readonly closedWonWithinDays: number | null;
  /** Ids of company lists. */
  readonly lists: readonly string[];
  /** Name of a yes/no company property. */
  readonly doNotContact: string | null;
  readonly csv: string | null;
  readonly xlsx: string | null;
  /** Settings of the files; absent when not set, as in the plans of earlier releases. */
  readonly sheet?: string;
  readonly headerRow?: number;
  readonly columns?: ColumnSettings;
}

export interface ExclusionsConfig {
  readonly blacklist: string;
  readonly description: string | null;
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
    return [
      ...checkSources(path, exclusion),
      ...checkCompanyFile(path, exclusion),
      ...checkPart(exclusionSchema.shape.blacklist, childOf(exclusion, 'blacklist'), (blacklist) => {
        const earlier = nameOf.get(blacklist);
        nameOf.set(blacklist, earlier ?? exclusionName);
        if (earlier === undefined) return [];
        const rule = `is already the blacklist of exclusions.${earlier}`;
        const remedy = 'Use another name: two exclusions with one blacklist would remove each other’s entries';
        return [problemAt([...path, 'blacklist'], rule, remedy)];
      }),
    ];
  });
}

function checkSources(path: readonly PropertyKey[], exclusion: unknown): readonly PathProblem[] {
  if (!isMap(exclusion)) return [];
  const isSet = (key: string) => childOf(exclusion, key) !== undefined;
  const problems: PathProblem[] = [];
  const hasFile = isSet('csv') || isSet('xlsx');
  if (!isSet('hubspot') && !hasFile)
    problems.push(problemAt(path, 'needs a source', 'Add hubspot, csv or xlsx, or several of them', 'key'));
  const hubspot = childOf(exclusion, 'hubspot');
  if (isMap(hubspot) && namedEntries(hubspot).every(([key, value]) => key === 'open_deals' && value === false))
    problems.push(problemAt([...path, 'hubspot'], 'selects no companies', hubspotRemedy, 'key'));
  if (isSet('columns') && !hasFile) {
    const remedy = 'Remove it: HubSpot companies have no columns';
    problems.push(problemAt([...path, 'columns'], 'goes with csv or xlsx only', remedy, 'key'));
  }
  return problems;
}

const hubspotRemedy = 'Add lifecycle_stages, open_deals: true, closed_won_within_days, lists or do_not_contact';

export function toExclusion(
  exclusion: z.infer<typeof exclusionSchema>,
  toPath: (path: string) => string,
): ExclusionsConfig {
  const { hubspot, csv, xlsx, sheet, header_row: headerRow, columns, removals } = exclusion;
  return {
    blacklist: exclusion.blacklist,
    description: exclusion.description ?? null,
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
    # description: Customers and open deals   # at most 2,000 characters
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
    # header_row: 3                       # of the Excel file; by default the first row that is not blank
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
`;
