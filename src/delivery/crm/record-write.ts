/** One record of a batch as it is sent to HubSpot, and HubSpot's answer. */
import type { HubSpotError } from '../../hubspot/hubspot-error.ts';
import type { Item } from '../../ledger/outcome-store.ts';
import type { PropertiesByPolicy } from '../mapping/crm-properties.ts';
import type { Match } from './record-match.ts';
import type { BatchSlot } from './slot-batch.ts';

/** The planned values of one record. */
export interface RecordWrite {
  readonly slot: BatchSlot;
  readonly item: Item;
  /** null for a submitted record whose row was not enriched. */
  readonly key: string | null;
  readonly match: Match;
  readonly properties: PropertiesByPolicy;
  /** True when this pass created the record by a request whose answer does not mention it. */
  readonly isAlreadyCreated?: boolean;
}

/** HubSpot's answer to one write. */
export type WriteOutcome =
  | { readonly kind: 'unchanged'; readonly id: string | null }
  /** `isNew`: HubSpot reports that this call created the record. */
  | { readonly kind: 'updated' | 'created'; readonly id: string; readonly isNew: boolean }
  /** Another row of the order writes the record. */
  | { readonly kind: 'claimed'; readonly id: string }
  /** An order that was published later has written the record. */
  | { readonly kind: 'newer'; readonly id: string; readonly orderId: string }
  | { readonly kind: 'rejected'; readonly error: HubSpotError };

/** The last version of a write that was sent, with its outcome. */
export interface SentWrite {
  readonly write: RecordWrite;
  readonly outcome: WriteOutcome;
}
