import type { Blacklist, OrderInput, ProfileInput, Slot } from '../contract/index.ts';

export interface PlacedOrder {
  readonly orderId: string;
  readonly idempotencyKey: string;
  readonly input: OrderInput;
}

/** A published order, its slots read once from the first page to the last. */
export interface PublishedOrder extends PlacedOrder {
  readonly total: number;
  readonly available: number;
  readonly summary: unknown;
}

export interface CollectedOrder extends PublishedOrder {
  readonly slots: readonly Slot[];
  readonly pages: readonly unknown[];
}

export type OrderKind = 'enrichment' | 'discovery';

/** What the checks have made or seen so far; later ones build on it. */
export interface Facts {
  /** Begins the name of everything that is made, so that a person recognises it. */
  readonly mark: string;
  /** Ids that nobody has. */
  readonly nobody: string;
  /** Any blacklist of the organisation, for reading only. */
  seen?: Blacklist;
  /** A blacklist of our own. */
  blacklist?: Blacklist;
  /** Ids of the entries of our own blacklist, in the order in which they were read. */
  entryIds?: readonly string[];
  creation?: { readonly id: string; readonly idempotencyKey: string; readonly input: ProfileInput };
  profileId?: string;
  readonly placed: Partial<Record<OrderKind, PlacedOrder>>;
  readonly published: Partial<Record<OrderKind, PublishedOrder>>;
  readonly collected: Partial<Record<OrderKind, CollectedOrder>>;
  /** Outputs of the enrichment order, by type. */
  readonly outputs: Partial<Record<'csv' | 'xlsx', { readonly outputId: string; readonly exportJobId: string }>>;
}
