import type { CompanyRow } from '../../src/contract/index.ts';
import type { DeliveredCompanies } from './delivered-companies.ts';
import type { WebhookDocuments } from './webhook-records.ts';
import type { Documents } from './document-store.ts';
import type { Entries } from './blacklist-entries.ts';
import type {
  StoredAnswer,
  StoredBlacklist,
  StoredClaim,
  StoredCreation,
  StoredOrder,
  StoredOutput,
  StoredProduct,
  StoredPublication,
} from './stored-records.ts';

/** All that one organisation has; ids of another one are unknown here. */
export interface Organization {
  readonly id: string;
  readonly blacklists: Documents<StoredBlacklist>;
  /** Of all organisations: blacklist ids are unique. */
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
  /** Ids of orders whose end has not been dealt with. */
  readonly unfinished: Documents<string>;
  readonly answers: Documents<StoredAnswer>;
  /** The attempts of an order. */
  readonly outputs: (orderId: string) => Documents<StoredOutput>;
  /** Of an order: destination -> id of the latest attempt */
  readonly destinations: (orderId: string) => Documents<string>;
  /** By Idempotency-Key. */
  readonly claims: Documents<StoredClaim>;
  /** export_job_id -> where its output is */
  readonly exportJobs: Documents<{ readonly orderId: string; readonly outputId: string }>;
  /** spreadsheet_id -> its outputs, oldest first */
  readonly sheets: Documents<readonly { readonly orderId: string; readonly outputId: string }[]>;
  /** By order and output type (`productKey`). */
  readonly products: Documents<StoredProduct>;
  /** Of all organisations: ids of prospect searches are unique. */
  readonly delivered: DeliveredCompanies;
  /** Of a prospect search: order_id -> how many slots of that published order are in `delivered` so far */
  readonly unlisted: (searchId: string) => Documents<number>;
  readonly webhooks: WebhookDocuments;
  /** Counts one more of a subject: how many there were before. */
  count(subject: string): number;
  /** The next id of a resource: a function of seed, organisation and how many there were, never of other organisations. */
  nextId(resource: string): string;
  nextIds(resource: string, many: number): string[];
}
