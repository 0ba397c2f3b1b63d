/** The sources of an exclusion: companies of the CRM, rows of files, and companies that were delivered before. */
import { z } from 'zod';
import { durationBetween } from './duration.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { childOf, isMap, namedEntries } from './partial-validation.ts';
import { companyProperty, flag, hubspotListId, lifecycleStages } from './setting-values.ts';

export const hubspotSourceSchema = z.strictObject({
  lifecycle_stages: lifecycleStages.optional(),
  open_deals: flag.default(false).describe('Exclude companies with a deal that is neither won nor lost'),
  closed_won_within_days: z
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .describe('Exclude companies with a deal that was won within this number of days'),
  lists: z
    .array(hubspotListId)
    .min(1)
    .optional()
    .describe('Ids of HubSpot company lists (segments); their members are excluded'),
  do_not_contact: companyProperty
    .optional()
    .describe('Internal name of a yes/no company property; companies where it is true are excluded'),
});

export const withinSchema = durationBetween('1h', '3650d').describe(
  'Exclude companies that orders of this ledger have delivered within this time, for example 365d',
);

export function checkSources(path: readonly PropertyKey[], exclusion: unknown): readonly PathProblem[] {
  if (!isMap(exclusion)) return [];
  const isSet = (key: string) => childOf(exclusion, key) !== undefined;
  const problems: PathProblem[] = [];
  const hasFile = isSet('csv') || isSet('xlsx');
  if (!isSet('hubspot') && !hasFile && !isSet('within') && childOf(exclusion, 'suppressions') !== true)
    problems.push(
      problemAt(
        path,
        'needs a source',
        'Add hubspot, csv, xlsx, within or suppressions: true, or several of them',
        'key',
      ),
    );
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

export function toHubSpotSources(hubspot: z.infer<typeof hubspotSourceSchema> | undefined) {
  return {
    lifecycleStages: hubspot?.lifecycle_stages ?? [],
    openDeals: hubspot?.open_deals ?? false,
    closedWonWithinDays: hubspot?.closed_won_within_days ?? null,
    /** Ids of company lists. */
    lists: hubspot?.lists ?? [],
    /** Name of a yes/no company property. */
    doNotContact: hubspot?.do_not_contact ?? null,
  };
}
