// Nothing is read from a portal, or written to it, that is not the one that was meant: what is read decides what is bought.
import type { Account } from './account-details.ts';
import { HubSpotError } from './hubspot-error.ts';
import type { HttpCall, Transport } from './hubspot-transport.ts';

export const accountTypes = ['STANDARD', 'DEVELOPER_TEST', 'SANDBOX', 'APP_DEVELOPER'] as const;
export type AccountType = (typeof accountTypes)[number];

/** What is not given may be anything. */
export interface ExpectedPortal {
  readonly id?: number | undefined;
  readonly type?: AccountType | undefined;
}

/** A token stays a portal's; its kind may change when somebody buys a subscription. */
const KNOWN_FOR_MS = 3_600_000;

/**
 * Asks once an hour who the portal is before anything is sent.
 * @param ask of no caller's signal: several wait for one answer
 */
export function withPortalCheck(
  transport: Transport,
  { portal, ask, clock }: { portal: ExpectedPortal; ask: () => Promise<Account>; clock: () => number },
): Transport {
  let known: { readonly account: Promise<Account>; readonly since: number } | undefined;

  function look(): Promise<Account> {
    if (known !== undefined && clock() - known.since < KNOWN_FOR_MS) return known.account;
    const asked = { account: ask(), since: clock() };
    known = asked;
    asked.account.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.account;
  }

  return {
    async send(call) {
      assertPortal(await heeding(call, look()), portal);
      return transport.send(call);
    },
  };
}

/** @throws HubSpotError, kind `answer`, code WRONG_PORTAL or WRONG_PORTAL_TYPE, with what was expected and what there is */
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

async function heeding<T>(call: HttpCall, promise: Promise<T>): Promise<T> {
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
