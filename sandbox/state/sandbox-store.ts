/** The state of the sandbox service, separated by organisation. */
import { uuidOf } from '../deterministic-values.ts';
import { openWebhookDocuments } from './webhook-records.ts';
import { openDatabase, type DatabasePlace } from './state-database.ts';
import { createDeliveredCompanies, deliveredCompaniesSchema } from './delivered-companies.ts';
import { createDocuments, documentsSchema, type Documents } from './document-store.ts';
import { createEntries, entriesSchema } from './blacklist-entries.ts';
import type { Organization } from './organization.ts';
import type { StoredAnswer, StoredOrganization, StoredKey } from './stored-records.ts';

export interface Store {
  readonly organizations: Documents<StoredOrganization>;
  /** API key -> its organisation and scopes. */
  readonly keys: Documents<StoredKey>;
  readonly organization: (id: string) => Organization;
  /** Increments a counter that belongs to no organisation, and returns its previous value. */
  readonly count: (subject: string) => number;
  /** Rolls back when `work` throws. */
  readonly transaction: <T>(work: () => T) => T;
  /** Increases with every reset and restored snapshot. Work of an earlier generation must not be stored. */
  readonly generation: number;
  /** Deletes the data of every organisation; organisations and keys stay. */
  readonly reset: () => void;
  readonly save: (name: string) => void;
  /** False when there is no such snapshot. */
  readonly load: (name: string) => boolean;
  readonly snapshots: () => string[];
  /** False when there is no such snapshot. */
  readonly drop: (name: string) => boolean;
  readonly close: () => void;
}

/** Owner of documents that belong to no organisation. */
const noOwner = '';

export function openStore(seed: number, kept?: DatabasePlace['kept']): Store {
  const database = openDatabase(documentsSchema + entriesSchema + deliveredCompaniesSchema, kept ? { kept } : {});
  const entries = createEntries(database);
  const delivered = createDeliveredCompanies(database);
  const opened = new Map<string, Organization>();
  const counts = createDocuments<number>(database, noOwner, 'count');
  let generation = 0;

  const open = (id: string): Organization => {
    const documents = <T>(kind: string): Documents<T> => createDocuments<T>(database, id, kind);
    const counts = documents<number>('count');
    return {
      id,
      entries,
      blacklists: documents('blacklist'),
      assignments: documents('assignment'),
      creations: documents('profile creation'),
      profiles: documents('profile'),
      orders: documents('order'),
      submissions: documents('submission'),
      publications: documents('publication'),
      unfinished: documents('unfinished order'),
      answers: documents<StoredAnswer>('answer'),
      outputs: (orderId) => documents(`output of ${orderId}`),
      destinations: (orderId) => documents(`destination of ${orderId}`),
      claims: documents('claim'),
      exportJobs: documents('export job'),
      sheets: documents('sheet'),
      products: documents('product'),
      delivered,
      unlisted: (searchId) => documents(`unlisted order of ${searchId}`),
      webhooks: openWebhookDocuments(documents),
      count: (subject) => take(counts, subject, 1),
      nextId: (resource) => uuidOf(seed, id, resource, take(counts, resource, 1)),
      nextIds(resource, many) {
        const before = take(counts, resource, many);
        return Array.from({ length: many }, (_, place) => uuidOf(seed, id, resource, before + place));
      },
    };
  };

  return {
    organizations: createDocuments(database, noOwner, 'organization'),
    keys: createDocuments(database, noOwner, 'key'),
    organization(id) {
      const known = opened.get(id) ?? open(id);
      opened.set(id, known);
      return known;
    },
    count: (subject) => take(counts, subject, 1),
    transaction: database.transaction,
    get generation() {
      return generation;
    },
    reset() {
      generation += 1;
      database.transaction(() => {
        database.run('DELETE FROM documents WHERE owner != ?', noOwner);
        database.run('DELETE FROM entries');
        database.run('DELETE FROM entry_blocks');
        database.run('DELETE FROM delivered_companies');
      });
    },
    save: database.save,
    load(name) {
      const found = database.load(name);
      if (found) generation += 1;
      return found;
    },
    snapshots: database.snapshots,
    drop: database.drop,
    close: database.close,
  };
}

function take(counts: Documents<number>, subject: string, many: number): number {
  const before = counts.get(subject) ?? 0;
  counts.set(subject, before + many);
  return before;
}
