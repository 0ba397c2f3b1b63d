// The portal of the token, and a check that it is the configured one.
import { z } from 'zod';
import { rejectOnAbort } from '../base/host/reject-on-abort.ts';
import { HubSpotError } from './hubspot-error.ts';
import type { Transport } from './hubspot-transport.ts';

export const accountTypes = ['STANDARD', 'DEVELOPER_TEST', 'SANDBOX', 'APP_DEVELOPER'] as const;
export type AccountType = (typeof accountTypes)[number];

const accountSchema = z.object({
  portalId: z.number(),
  /** One of `accountTypes`, or a newer type. */
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

/** Absent fields are not checked. */
export interface ExpectedPortal {
  readonly id?: number | undefined;
  readonly type?: AccountType | undefined;
}

/** A token never changes its portal, but the account type may change with the subscription. */
const VALID_FOR_MS = 3_600_000;

/**
 * Refuses every call to another portal. Reads are refused too, because they decide what is ordered. Reads the account details once an
 * hour, before the next call is sent.
 * @param readAccount without a caller's signal, because several calls wait for one answer
 */
export function withPortalCheck(
  transport: Transport,
  { portal, readAccount, clock }: { portal: ExpectedPortal; readAccount: () => Promise<Account>; clock: () => number },
): Transport {
  let known: { readonly account: Promise<Account>; readonly since: number } | undefined;

  function readCached(): Promise<Account> {
    if (known !== undefined && clock() - known.since < VALID_FOR_MS) return known.account;
    const current = { account: readAccount(), since: clock() };
    known = current;
    current.account.catch(() => {
      if (known === current) known = undefined;
    });
    return current.account;
  }

  return {
    async send(call) {
      const toCancelled = () => new HubSpotError({ ...call, kind: 'cancelled' });
      assertPortal(await rejectOnAbort(readCached(), call.signal, toCancelled), portal);
      return transport.send(call);
    },
  };
}

/** @throws HubSpotError, kind `answer`, code WRONG_PORTAL or WRONG_PORTAL_TYPE */
export function assertPortal({ portalId, accountType }: Account, { id, type }: ExpectedPortal): void {
  const request = { method: 'GET', path: '/account-info/v3/details', kind: 'answer', status: 200 } as const;
  if (id !== undefined && id !== portalId) {
    const portal = { expected: `${id}`, found: `${portalId}` };
    throw new HubSpotError({ ...request, code: 'WRONG_PORTAL', portal });
  }
  if (type !== undefined && type !== accountType) {
    const portal = { expected: type, found: accountType };
    throw new HubSpotError({ ...request, code: 'WRONG_PORTAL_TYPE', portal });
  }
}
