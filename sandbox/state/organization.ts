import type { CompanyRow } from '../../src/service/contract/index.ts';
import type { DeliveredCompanies } from './delivered-companies.ts';
import type { WebhookDocuments } from './webhook-records.ts';
import type { Documents } from './document-store.ts';
import type { Entries } from './blacklist-entries.ts';
import type {
  StoredAnswer,
  StoredBlacklist,
  StoredClaim,
  StoredCreation,
  StoredDestination,
  StoredOrder,
  StoredOutput,
  StoredProduct,
  StoredPublication,
} from './stored-records.ts';

/** The data of one organisation. Ids of other organisations are unknown here. */
export interface Organization {
  readonly id: string;
  readonly blacklists: Documents<StoredBlacklist>;
  /** Entries of all organisations; blacklist ids are unique. */
  readonly entries: Entries;
  /** prospect_search_id -> blacklist ids */
  readonly assignments: Documents<readonly string[]>;
  readonly creations: Documents<StoredCreation>;
  /** profile_id -> id of its creation */
  readonly profiles: Documents<string>;
  readonly orders: Documents<StoredOrder>;
  /** order_id -> the rows that were submitted */
  readonly submissions: Documents<readonly CompanyRow[]>;
  readonly publications: Documents<StoredPublication>;
  /** Ids of orders whose final status has not been processed. */
  readonly unfinished: Documents<string>;
  readonly answers: Documents<StoredAnswer>;
  /** Output attempts of an order. */
  readonly outputs: (orderId: string) => Documents<StoredOutput>;
  /** For one order. */
  readonly destinations: (orderId: string) => Documents<StoredDestination>;
  /** Idempotency-Key -> the output that it identifies. */
  readonly claims: Documents<StoredClaim>;
  /** export_job_id -> where its output is */
  readonly exportJobs: Documents<{ readonly orderId: string; readonly outputId: string }>;
  /** spreadsheet_id -> its outputs, oldest first */
  readonly sheets: Documents<readonly { readonly orderId: string; readonly outputId: string }[]>;
  /** Order and output type (`productKey`) -> file and digest. */
  readonly products: Documents<StoredProduct>;
  /** Companies of all organisations; ids of prospect searches are unique. */
  readonly delivered: DeliveredCompanies;
  /** order_id -> number of slots of that published order that are in `delivered` so far, for one prospect search. */
  readonly unlisted: (searchId: string) => Documents<number>;
  readonly webhooks: WebhookDocuments;
  /** Increments a counter, and returns its previous value. */
  count(subject: string): number;
  /** The next id of a resource. It depends on the seed, the organisation and the number of earlier ids only. */
  nextId(resource: string): string;
  nextIds(resource: string, many: number): string[];
}
