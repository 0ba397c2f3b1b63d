import type { RequestSettings } from '../../src/contract/request-settings.ts';
import type { Blacklist, CompanyRow, OrderInput, ProfileInput } from '../../src/contract/index.ts';

export type OrderKind = 'enrichment' | 'discovery';
/** Two orders are placed by the run; `given` existed before. */
export type OrderSource = OrderKind | 'given';

export interface PlacedOrder {
  readonly orderId: string;
  readonly idempotencyKey: string;
  readonly input: OrderInput;
  /** As it was sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface PublishedOrder {
  readonly orderId: string;
  readonly source: OrderSource;
  /** Undefined when the service does not say it of an order that was not placed here (A10). */
  readonly kind: OrderKind | undefined;
  /** As they were submitted; undefined when that is not known, and for discovery. */
  readonly rows: readonly CompanyRow[] | undefined;
  /** Rows submitted, or briefings requested. */
  readonly requested: number;
  readonly available: number;
  readonly summary: unknown;
}

/** What later checks need of a slot. The slot itself is not kept: a set can be very large. */
export interface CollectedSlot {
  readonly status: string;
  readonly reasonCodes: readonly string[];
  readonly digest: string;
}

/** A published order, its slots read once from the first page to the last. */
export interface CollectedOrder extends PublishedOrder {
  readonly pageSize: number;
  readonly pageDigests: readonly string[];
  readonly slots: readonly CollectedSlot[];
  readonly brokenRules: { readonly findings: readonly string[]; readonly notes: readonly string[] };
  /** Of the first slot that is ENRICHED. */
  readonly deliveredCompanyId: string | undefined;
}

/** `isCompleted`: its file can be fetched. */
export interface CreatedOutput {
  readonly outputId: string;
  readonly exportJobId: string;
  readonly isCompleted: boolean;
}

/** What the checks have created or read so far; later checks build on it. */
export interface Facts {
  /** Begins every name that the run gives, so that people recognise what it created. */
  readonly namePrefix: string;
  /** A UUID that no resource has. */
  readonly unknownId: string;
  /** The order that was named on the command line. */
  readonly givenOrderId: string | undefined;
  /** Any blacklist of the organisation, for reading only. */
  someBlacklist?: Blacklist;
  /** A blacklist that this run created. */
  testBlacklist?: Blacklist;
  /** Ids of the entries of `testBlacklist`, in the order in which they were read. */
  entryIds?: readonly string[];
  creation?: { readonly id: string; readonly idempotencyKey: string; readonly input: ProfileInput };
  profileId?: string;
  /** How orders are sent; changed as the error of a refused order proposes. */
  requests: RequestSettings;
  /** Settings that prospect-sync needs for this service. */
  readonly settings: string[];
  /** Why no order could be placed. */
  readonly refusals: string[];
  /** Slots as received, a few hundred at most. The field names of the service are detected from them. */
  readonly samples: Readonly<Record<string, unknown>>[];
  readonly placed: Partial<Record<OrderKind, PlacedOrder>>;
  readonly published: Partial<Record<OrderSource, PublishedOrder>>;
  readonly collected: Partial<Record<OrderSource, CollectedOrder>>;
  /** Outputs of the enrichment order, by type. */
  readonly outputs: Partial<Record<'csv' | 'xlsx', CreatedOutput>>;
}
