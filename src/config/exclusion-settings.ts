/** Companies that a discovery run must not return: what is written, and what the program runs on. */
import { z } from 'zod';
import { limits } from '../contract/index.ts';
import { filePath, flag } from './setting-values.ts';

export const hubspotCompanies = z.strictObject({
  lifecycle_stages: z
    .array(z.string().min(1))
    .min(1)
    .describe('Internal names of lifecycle stages, for example [customer, opportunity]; upper and lower case differ'),
});

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

/** At least one of `hubspot` and `csv` is there. */
export interface ExclusionsConfig {
  readonly blacklist: string;
  readonly description: string | null;
  readonly hubspot: { readonly lifecycleStages: readonly string[] } | null;
  readonly csv: string | null;
  readonly reason: string | null;
  /** Whether a blacklist of that name that this program did not make may be taken over. */
  readonly adopt: boolean;
}

export function toExclusions(
  exclusions: z.infer<typeof exclusionsSchema>,
  toPath: (path: string) => string,
): ExclusionsConfig {
  const { blacklist, description, hubspot, csv, reason, adopt } = exclusions;
  return {
    blacklist,
    description: description ?? null,
    hubspot: hubspot ? { lifecycleStages: hubspot.lifecycle_stages } : null,
    csv: csv === undefined ? null : toPath(csv),
    reason: reason ?? null,
    adopt,
  };
}
