/** What to correct when HubSpot refuses every call, or something else answers in its place. */
import { z } from 'zod';
import type { HubSpotError } from './hubspot-error.ts';

/** Errors of HubSpot's API name their category and a correlation id. */
const hubspotAnswer = z.object({ category: z.string(), correlationId: z.string() });

export function isOfHubSpot(answer: unknown): boolean {
  return hubspotAnswer.safeParse(answer).success;
}

/** null: neither the address nor the token is the cause. */
export function findAdvice({ kind, status, category, correlationId }: HubSpotError): string | null {
  if (kind !== 'http') return null;
  if (status === 404) return 'The API of HubSpot is not at this address: check hubspot.base_url';
  if (status !== 401) return null;
  return isOfHubSpot({ category, correlationId })
    ? 'HubSpot rejects the token: check hubspot.token'
    : 'The answer does not come from HubSpot: check hubspot.base_url; it and service.base_url may be exchanged';
}
