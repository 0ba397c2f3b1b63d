import type { CompanyRow } from '../../../contract/index.ts';
import type { Documents } from './documents.ts';
import type { Entries } from './entries.ts';
import type { StoredAnswer, StoredBlacklist, StoredCreation, StoredOrder, StoredPublication } from './records.ts';

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
  /** Counts one more of a subject: how many there were before. */
  count(subject: string): number;
  /** The next id of a resource: a function of seed, organisation and how many there were, never of other organisations. */
  nextId(resource: string): string;
  nextIds(resource: string, many: number): string[];
}
