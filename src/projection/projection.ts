/** A projection: one pass that brings an order's slots to the CRM. */
import type { HubSpotClient } from '../hubspot/hubspot-client.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CrmPlan } from '../mapping/crm-plan.ts';
import type { Provenance } from '../mapping/crm-properties.ts';
import type { RecordType } from './find-by-key.ts';

export interface Tools {
  readonly hubspot: HubSpotClient;
  readonly ledger: Ledger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Of these the portal does not have our properties yet: no record carries a key. Only a preview meets such a portal. */
  readonly unprepared?: readonly RecordType[];
}

export interface Projection {
  readonly orderId: string;
  /** What this pass has written already is not written again after a failed attempt. */
  readonly projectionId: string;
  readonly provenance: Provenance;
  readonly plan: CrmPlan;
  /** True when the external ids of submitted rows are CRM record ids. */
  readonly externalIdsAreRecordIds: boolean;
  /** Leave alone what an earlier pass has settled: only what was quarantined, failed or left out because of it. */
  readonly onlyUnfinished: boolean;
}
