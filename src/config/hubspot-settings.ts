/** `hubspot`: the portal, its limits and the API versions. */
import type { Environment } from '../base/host/environment-variables.ts';
import { z } from 'zod';
import { defaultRateLimits } from '../hubspot/rate-limiter.ts';
import { accountTypes } from '../hubspot/portal-account.ts';
import { apiVersions, defaultVersions, type ApiFamily } from '../hubspot/hubspot-api-versions.ts';
import { durationSchema } from './duration.ts';
import { address, allowHttp, checkAddress, toBaseUrl, flag, percent } from './setting-values.ts';
import { checkVariable, tokenVariable, toSecret, fromEnvironment } from './environment.ts';
import type { PathProblem } from './problems.ts';
import { childOf } from './partial-validation.ts';

const supportEnds =
  'HubSpot stops supporting legacy paths of associations (v4) on 2027-03-30 and the others (v1 to v3) in September 2027';

const versionOf = (family: ApiFamily, content: string) =>
  z.enum(apiVersions).default(defaultVersions[family]).describe(`API version for ${content}`);

const apiSchema = z
  .strictObject({
    objects: versionOf('objects', 'companies, contacts and their search'),
    associations: versionOf('associations', 'links between records'),
    properties: versionOf('properties', 'property definitions'),
    lists: versionOf('lists', 'lists and their members'),
    account: versionOf('account', 'account information'),
  } satisfies Record<ApiFamily, z.ZodType>)
  .prefault({})
  .describe(`Version of the HubSpot API for each kind of request: legacy, 2026-03 or 2026-09. ${supportEnds}`);

const budgetSchema = z
  .strictObject({
    burst_percent: percent(1, 100)
      .default(defaultRateLimits.burstPercent)
      .describe('Percentage of the HubSpot limit per 10 seconds that all workers together use, 1 to 100'),
    search_per_second: z
      .number()
      .min(0.1)
      .max(5)
      .default(defaultRateLimits.searchPerSecond)
      .describe('Search requests per second, 0.1 to 5; HubSpot allows 5 in the whole account'),
    daily_reserve_percent: percent(0, 99)
      .default(defaultRateLimits.dailyReservePercent)
      .describe(
        'Percentage of the daily limit that is reserved for other integrations, 0 to 99; at that point bulk work waits for the next day',
      ),
    concurrency: z.int().min(1).max(50).default(defaultRateLimits.concurrency).describe('Concurrent requests, 1 to 50'),
  })
  .prefault({})
  .describe('Share of the HubSpot rate limits that prospect-sync uses');

export const hubspotSchema = z
  .strictObject({
    base_url: address.prefault('https://api.hubapi.com').describe('Address of the HubSpot API, or {env: NAME}'),
    allow_http: allowHttp,
    token: fromEnvironment.describe('HubSpot service key, or access token of a private app, as {env: NAME}'),
    portal_id: z.int().positive().optional().describe('Hub ID of the portal; prospect-sync writes to no other portal'),
    account_type: z
      .enum(accountTypes)
      .optional()
      .describe('Account type of the portal, for example SANDBOX; prospect-sync writes to no portal of another type'),
    timeout: durationSchema.prefault('30s').describe('Timeout of one request, for example 30s'),
    api: apiSchema,
    budget: budgetSchema,
    create_properties: flag
      .default(true)
      .describe('Create missing prospect_sync_… properties; if false, a run fails and names them'),
  })
  .describe('The HubSpot account');

export function checkHubSpot(hubspot: unknown, env: Environment): PathProblem[] {
  return [
    ...checkAddress('hubspot', hubspot, env),
    ...checkVariable(['hubspot', 'token', 'env'], childOf(hubspot, 'token'), tokenVariable, env),
  ];
}

export function toHubSpot(hubspot: z.infer<typeof hubspotSchema>, env: Environment) {
  const { budget } = hubspot;
  return {
    /** URL without a slash at the end. */
    baseUrl: toBaseUrl(hubspot.base_url, env),
    token: toSecret(hubspot.token, env),
    /** null: any. */
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

export type HubSpotConfig = ReturnType<typeof toHubSpot>;

export const hubspotTemplate = `# The HubSpot account.
hubspot:
  token: {env: HUBSPOT_TOKEN}             # a service key, or the access token of a private app
  # portal_id: 12345678                   # Hub ID: prospect-sync writes to no other portal
  # account_type: SANDBOX                 # STANDARD, DEVELOPER_TEST, SANDBOX or APP_DEVELOPER: it writes to no other type
  # base_url: https://api.hubapi.com      # or {env: NAME}
  # allow_http: true                      # allow plain http to another machine, on a trusted network only
  # timeout: 30s                          # of one request
  # create_properties: true               # false: a run fails if prospect_sync_… properties are missing, and names them
  # api:                                  # legacy, 2026-03 or 2026-09; \`npx prospect-sync doctor\` shows when support ends
  #   objects: legacy                     # unsupported from September 2027
  #   associations: legacy                # unsupported from 2027-03-30
  #   properties: legacy
  #   lists: legacy
  #   account: legacy
  # budget:                               # share of the HubSpot rate limits that all workers together use
  #   burst_percent: 95                   # of the requests in 10 seconds
  #   search_per_second: 4                # HubSpot allows 5 in the whole account
  #   daily_reserve_percent: 10           # of the requests of a day, reserved for other integrations
  #   concurrency: 8                      # concurrent requests
`;
