/** The CRM: what is written, and what the program runs on. */
import { z } from 'zod';
import { toBaseUrl, toSecret, type Environment } from './environment.ts';
import type { Secret } from './secret.ts';
import { address, fromEnvironment } from './setting-values.ts';

export const hubspotSchema = z
  .strictObject({
    base_url: address.prefault('https://api.hubapi.com').describe('Address of the HubSpot API, or {env: NAME}'),
    token: fromEnvironment.describe('Access token of a HubSpot private app, as {env: NAME}'),
  })
  .describe('The CRM');

export interface HubSpotConfig {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly token: Secret;
}

export function toHubSpot(hubspot: z.infer<typeof hubspotSchema>, env: Environment): HubSpotConfig {
  return { baseUrl: toBaseUrl(hubspot.base_url, env), token: toSecret(hubspot.token, env) };
}
