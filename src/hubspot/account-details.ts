import { z } from 'zod';

import { HubSpotError } from './hubspot-error.ts';
import type { Transport } from './hubspot-transport.ts';

const accountSchema = z.object({
  portalId: z.number(),
  /** STANDARD, DEVELOPER_TEST, SANDBOX or APP_DEVELOPER. */
  accountType: z.string(),
  timeZone: z.string().optional().catch(undefined),
  dataHostingLocation: z.string().optional().catch(undefined),
});

export type Account = z.infer<typeof accountSchema>;

export function createAccount(transport: Transport) {
  /** The portal of the token. The SDK does not have this call. */
  return async (signal?: AbortSignal): Promise<Account> => {
    const request = { method: 'GET', path: '/account-info/v3/details' };
    const { status, text } = await transport.send({ ...request, idempotent: true, signal });
    try {
      return accountSchema.parse(JSON.parse(text));
    } catch {
      throw new HubSpotError({ ...request, kind: 'answer', status, code: 'UNREADABLE_ANSWER' });
    }
  };
}
