import type { RequestSettings } from '../../src/service/contract/request-settings.ts';
import type { Blacklist, CompanyRow, OrderInput, ProfileInput } from '../../src/service/contract/index.ts';

export type OrderKind = 'enrichment' | 'discovery';
/** The run places two orders; `given` is the order of `--order`. */
export type OrderSource = OrderKind | 'given';

export interface PlacedOrder {
  readonly orderId: string;
  readonly idempotencyKey: string;
  readonly input: OrderInput;
  /** The request body. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface PublishedOrder {
  readonly orderId: string;
  readonly source: OrderSource;
  /** Undefined if the service does not return the type of a given order (A10). */
  readonly kind: OrderKind | undefined;
  /** The submitted rows; undefined if unknown, and for discovery. */
  readonly rows: readonly CompanyRow[] | undefined;
  /** Rows submitted, or briefings requested. */
  readonly requested: number;
  readonly available: number;
  readonly summary: unknown;
}

/** The facts of a slot that later checks need. Whole slots are not kept, because a set can be very large. */
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
  /** Company id of the first ENRICHED slot. */
  readonly deliveredCompanyId: string | undefined;
}

/** `isCompleted`: its file can be downloaded. */
export interface CreatedOutput {
  readonly outputId: string;
  readonly exportJobId: string;
  readonly isCompleted: boolean;
}

/** What the checks have created or read so far, for later checks. */
export interface RunState {
  /** Prefix of every name that the run creates, so that people recognise it. */
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
