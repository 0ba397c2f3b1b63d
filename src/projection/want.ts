import type { HubSpotError } from '../hubspot/hubspot-error.ts';
import type { CrmRecord } from '../hubspot/hubspot-record.ts';
import type { Item } from '../ledger/outcomes.ts';
import type { WantedProperties } from '../mapping/crm-properties.ts';
import { keyProperties, type RecordType } from './find-by-key.ts';
import type { Match } from './match.ts';
import type { BatchSlot } from './slot-batch.ts';

/** One record that is to hold something. */
export interface Want {
  readonly of: BatchSlot;
  readonly item: Item;
  /** Our own key; null for a submitted record of which no more is known. */
  readonly key: string | null;
  readonly match: Match;
  readonly wanted: WantedProperties;
  /** True when the record is the one that a lost answer left behind. */
  readonly isArrived?: boolean;
}

/** How one want ended at the CRM. */
export type Written =
  | { readonly kind: 'unchanged'; readonly id: string | null }
  /** `isNew`: HubSpot says so; a creation may also have met what an earlier attempt, or another pass, left behind. */
  | { readonly kind: 'updated' | 'created'; readonly id: string; readonly isNew: boolean }
  /** Another row of the order has the record. */
  | { readonly kind: 'taken'; readonly id: string }
  | { readonly kind: 'refused'; readonly error: HubSpotError };

/** True when the record is known under another key of ours: a person with two addresses, for example. */
export function carriesAnotherKey(type: RecordType, record: CrmRecord, key: string | null): boolean {
  const carried = record.properties[keyProperties[type]] ?? '';
  return carried !== '' && carried !== key;
}

/** The same want without some properties. */
export function without({ wanted, ...want }: Want, names: readonly string[]): Want {
  const keep = (properties: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
  return {
    ...want,
    wanted: {
      always: keep(wanted.always),
      fillEmpty: keep(wanted.fillEmpty),
      onlyIfOurs: keep(wanted.onlyIfOurs),
      stamp: keep(wanted.stamp),
    },
  };
}
