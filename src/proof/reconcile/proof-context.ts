import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';

/** The sources that a proof compares, and the work that it is part of. */
export interface ProofContext {
  readonly prospecting: ProspectingClient;
  readonly hubspot: HubSpotClient;
  readonly ledger: Ledger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Called with the number of slots or rows so far. */
  readonly recordProgress: (next: number) => void;
}
