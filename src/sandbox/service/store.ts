/** What the stand-in remembers, one organisation apart from the other, in memory. */
import type { Entry, OrderInput, ProfileInput, Scope } from '../../contract/index.ts';
import { uuidOf } from '../deterministic.ts';
import { createJournal, type Journal } from '../journal.ts';
import type { Answer } from './answer.ts';
import type { PublishedSet } from './published-set.ts';
import type { Stages } from './stages.ts';

export interface ApiKey {
  readonly organizationId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

export interface StoredBlacklist {
  readonly id: string;
  name: string;
  description: string | null;
  readonly created_at: string;
  updated_at: string;
  entries: Entry[];
}

export interface ProfileCreationRecord {
  readonly id: string;
  /** Decided at once, shown when the creation succeeds. */
  readonly profileId: string;
  readonly input: ProfileInput;
  /** Equal for creations with the same content. */
  readonly fingerprint: string;
  readonly stages: Stages;
}

/** The first answer to an Idempotency-Key. */
interface StoredAnswer {
  readonly fingerprint: string;
  readonly answer: Answer;
}

export interface OrderRecord {
  readonly id: string;
  readonly organization: Organization;
  readonly profile: ProfileCreationRecord;
  readonly input: OrderInput;
  stages: Stages;
  /** False for an order of the time before immutable publication. */
  publishes: boolean;
  published: PublishedSet | null;
}

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly blacklists: Map<string, StoredBlacklist>;
  /** prospect_search_id -> blacklist ids */
  readonly assignments: Map<string, readonly string[]>;
  readonly creations: Map<string, ProfileCreationRecord>;
  readonly orders: Map<string, OrderRecord>;
  /** Orders whose result set does not exist yet. */
  readonly unpublished: Set<OrderRecord>;
  readonly answers: Map<string, StoredAnswer>;
  readonly journal: Journal;
  /** The next id of a resource: a function of seed, organisation and how many there were, never of other organisations. */
  nextId(resource: string): string;
}

export function createOrganizationRecord(seed: number, id: string, name: string): Organization {
  const counts = new Map<string, number>();
  return {
    id,
    name,
    blacklists: new Map(),
    assignments: new Map(),
    creations: new Map(),
    orders: new Map(),
    unpublished: new Set(),
    answers: new Map(),
    journal: createJournal(),
    nextId(resource) {
      const count = counts.get(resource) ?? 0;
      counts.set(resource, count + 1);
      return uuidOf(seed, id, resource, count);
    },
  };
}
