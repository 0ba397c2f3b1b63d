import type { HubSpotClient } from '../hubspot/hubspot-client.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ProspectingClient } from '../prospecting/prospecting-client.ts';

/** What a sync and a preview of exclusions work with. */
export interface ExclusionDependencies {
  readonly prospecting: ProspectingClient;
  readonly hubspot: HubSpotClient;
  readonly ledger: Ledger;
  readonly now: () => Date;
}

/** How a long step learns of its cancellation, and reports its progress. */
export interface ActivityContext {
  readonly signal: AbortSignal;
  /** `count`: rows of this step that are done. */
  readonly recordProgress: (count: number) => void;
}
