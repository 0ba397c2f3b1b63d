/** `reason` and `reasons` of an exclusion: the texts that blacklist entries carry. */
import { z } from 'zod';
import { limits } from '../service/contract/index.ts';
import { filledText } from './setting-values.ts';

/** The sources of an exclusion, in the order in which their reasons are joined. */
export const exclusionSources = [
  'lifecycle_stages',
  'open_deals',
  'closed_won',
  'lists',
  'do_not_contact',
  'csv',
  'xlsx',
] as const;
export type ExclusionSource = (typeof exclusionSources)[number];

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

export const reasonSchema = filledText.max(limits.entry.reason);

const reasonFor = (source: ExclusionSource, content: string) =>
  reasonSchema.optional().describe(`Reason for ${content}; by default "${defaultReasons[source]}"`);

export const reasonsSchema = z.strictObject({
  lifecycle_stages: reasonFor('lifecycle_stages', 'companies in a lifecycle stage'),
  open_deals: reasonFor('open_deals', 'companies with an open deal'),
  closed_won: reasonFor('closed_won', 'companies with a deal won lately'),
  lists: reasonFor('lists', 'members of a HubSpot list'),
  do_not_contact: reasonFor('do_not_contact', 'companies marked as do not contact'),
  csv: reasonFor('csv', 'rows of the CSV file that have none'),
  xlsx: reasonFor('xlsx', 'rows of the Excel file that have none'),
});

/** `common` replaces the defaults of all sources. */
export function toReasons(
  reasons: z.infer<typeof reasonsSchema>,
  common: string | undefined,
): Readonly<Record<ExclusionSource, string>> {
  const toReason = (source: ExclusionSource) => reasons[source] ?? common ?? defaultReasons[source];
  return {
    lifecycle_stages: toReason('lifecycle_stages'),
    open_deals: toReason('open_deals'),
    closed_won: toReason('closed_won'),
    lists: toReason('lists'),
    do_not_contact: toReason('do_not_contact'),
    csv: toReason('csv'),
    xlsx: toReason('xlsx'),
  };
}
