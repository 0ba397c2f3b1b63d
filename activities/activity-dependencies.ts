import type { HubSpotClient } from '../src/hubspot/hubspot-client.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import type { ProspectingClient } from '../src/service/client/prospecting-client.ts';
import type { WorkerConfiguration } from '../src/config/run-plan.ts';
import type { FieldSettings } from '../src/service/reading/shape.ts';

/** Dependencies of all activities. A worker builds them once. */
export interface ActivityDependencies {
  readonly prospecting: ProspectingClient;
  readonly hubspot: HubSpotClient;
  readonly ledger: Ledger;
  readonly now: () => Date;
  readonly configuration: WorkerConfiguration;
  /** How the worker reports an error to Temporal. */
  readonly toFailure: (error: unknown) => unknown;
  /** `service.fields`. */
  readonly fields?: FieldSettings;
}
