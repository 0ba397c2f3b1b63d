/** The CRM: what is written, and what the program runs on. */
import { z } from 'zod';
import { defaultRateLimits, type RateLimitSettings } from '../hubspot/rate-limits.ts';
import { accountTypes, type AccountType } from '../hubspot/expected-portal.ts';
import { apiVersions, defaultVersions, type ApiFamily, type ApiVersions } from '../hubspot/api-versions.ts';
import { durationSchema } from './duration.ts';
import { toBaseUrl, toSecret, type Environment } from './environment.ts';
import type { Secret } from './secret.ts';
import { address, allowHttp, flag, fromEnvironment } from './setting-values.ts';

const supportEnds =
  'HubSpot stops supporting legacy paths of associations (v4) on 2027-03-30 and the others (v1 to v3) in September 2027';

const versionOf = (family: ApiFamily, what: string) =>
  z.enum(apiVersions).default(defaultVersions[family]).describe(`Version of the paths of ${what}: ${supportEnds}`);

const apiSchema = z
  .strictObject({
    objects: versionOf('objects', 'companies, contacts and their search'),
    associations: versionOf('associations', 'links between records'),
    properties: versionOf('properties', 'property definitions'),
    lists: versionOf('lists', 'lists and their members'),
    account: versionOf('account', 'account information'),
  } satisfies Record<ApiFamily, z.ZodType>)
  .prefault({})
  .describe(`Which version of HubSpot's API is asked: legacy, 2026-03 or 2026-09. ${supportEnds}`);

const percent = (most: number) => z.number().min(0).max(most);

const budgetSchema = z
  .strictObject({
    burst_percent: percent(100)
      .min(1)
      .default(defaultRateLimits.burstPercent)
      .describe('Part of the calls that HubSpot allows in 10 seconds which all workers together use, 1 to 100'),
    search_per_second: z
      .number()
      .min(0.1)
      .max(5)
      .default(defaultRateLimits.searchPerSecond)
      .describe('Searches a second, 0.1 to 5; HubSpot allows 5 in the whole account'),
    daily_reserve_percent: percent(99)
      .default(defaultRateLimits.dailyReservePercent)
      .describe('Part of the calls of a day that is left to others, 0 to 99: bulk work waits for the next day then'),
    concurrency: z
      .int()
      .min(1)
      .max(50)
      .default(defaultRateLimits.concurrency)
      .describe('Calls in flight at once, 1 to 50'),
  })
  .prefault({})
  .describe("How much of the portal's limits is used");

export const hubspotSchema = z
  .strictObject({
    base_url: address.prefault('https://api.hubapi.com').describe('Address of the HubSpot API, or {env: NAME}'),
    allow_http: allowHttp,
    token: fromEnvironment.describe('Service key of HubSpot, or access token of a private app, as {env: NAME}'),
    portal_id: z
      .int()
      .positive()
      .optional()
      .describe('Number of the portal (Hub ID): nothing is written to any other one'),
    account_type: z
      .enum(accountTypes)
      .optional()
      .describe('Kind of portal, for example SANDBOX: nothing is written to one of another kind'),
    timeout: durationSchema.prefault('30s').describe('How long one request may take, for example 30s'),
    api: apiSchema,
    budget: budgetSchema,
    create_properties: flag
      .default(true)
      .describe('Create the properties prospect_sync_… that are missing; false fails and names them'),
  })
  .describe('The CRM');

export interface HubSpotConfig {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly token: Secret;
  /** null: any. */
  readonly portal: { readonly id: number | null; readonly type: AccountType | null };
  readonly timeoutMilliseconds: number;
  readonly versions: ApiVersions;
  readonly budget: RateLimitSettings;
  readonly createProperties: boolean;
}

export function toHubSpot(hubspot: z.infer<typeof hubspotSchema>, env: Environment): HubSpotConfig {
  const { budget } = hubspot;
  return {
    baseUrl: toBaseUrl(hubspot.base_url, env),
    token: toSecret(hubspot.token, env),
    portal: { id: hubspot.portal_id ?? null, type: hubspot.account_type ?? null },
    timeoutMilliseconds: hubspot.timeout,
    versions: hubspot.api,
    budget: {
      burstPercent: budget.burst_percent,
      searchPerSecond: budget.search_per_second,
      dailyReservePercent: budget.daily_reserve_percent,
      concurrency: budget.concurrency,
    },
    createProperties: hubspot.create_properties,
  };
}
