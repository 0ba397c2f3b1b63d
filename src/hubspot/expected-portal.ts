// Refuses every call to a portal other than the configured one, reads included: they decide what is ordered.
import type { Account } from './account-details.ts';
import { HubSpotError } from './hubspot-error.ts';
import type { HttpCall, Transport } from './hubspot-transport.ts';

export const accountTypes = ['STANDARD', 'DEVELOPER_TEST', 'SANDBOX', 'APP_DEVELOPER'] as const;
export type AccountType = (typeof accountTypes)[number];

/** Absent fields are not checked. */
export interface ExpectedPortal {
  readonly id?: number | undefined;
  readonly type?: AccountType | undefined;
}

/** A token never changes its portal, but the account type may change with the subscription. */
const VALID_FOR_MS = 3_600_000;

/**
 * Reads the account details once an hour, before the next call is sent.
 * @param readAccount without a caller's signal, because several calls wait for one answer
 */
export function withPortalCheck(
  transport: Transport,
  { portal, readAccount, clock }: { portal: ExpectedPortal; readAccount: () => Promise<Account>; clock: () => number },
): Transport {
  let known: { readonly account: Promise<Account>; readonly since: number } | undefined;

  function readCached(): Promise<Account> {
    if (known !== undefined && clock() - known.since < VALID_FOR_MS) return known.account;
    const asked = { account: readAccount(), since: clock() };
    known = asked;
    asked.account.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.account;
  }

  return {
    async send(call) {
      assertPortal(await orCancelled(call, readCached()), portal);
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

async function orCancelled<T>(call: HttpCall, promise: Promise<T>): Promise<T> {
  const { signal } = call;
  if (signal === undefined) return promise;
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  const cancel = (): void => reject(new HubSpotError({ ...call, kind: 'cancelled' }));
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([cancelled, promise]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
