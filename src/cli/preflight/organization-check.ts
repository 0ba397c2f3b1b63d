/** Checks that the API key belongs to the organization of the ledger. */
import type { Check } from '../../hubspot/portal-checks.ts';
import { assertKnownOrganization } from '../../ledger/known-organization.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';
import { ProspectingError } from '../../service/client/prospecting-error.ts';
import { describeFailure, type PreflightDepth } from './source-checks.ts';

/** Empty while the ledger has no orders, or the service does not answer. */
export async function checkOrganization(
  { prospecting, ledger }: { readonly prospecting: ProspectingClient; readonly ledger: Ledger | null },
  signal: AbortSignal,
  depth: PreflightDepth,
): Promise<Check[]> {
  const check = 'organization';
  if (ledger === null) return [];
  try {
    const orderId = await assertKnownOrganization({ prospecting, ledger }, signal);
    return orderId === null ? [] : [{ check, state: 'ok', message: `it has order ${orderId} of the ledger` }];
  } catch (error) {
    signal.throwIfAborted();
    // The check of the connection reports what keeps the service from answering.
    if (error instanceof ProspectingError) return [];
    return [{ check, ...describeFailure(error, depth) }];
  }
}
