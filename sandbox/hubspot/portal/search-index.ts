import { valueOf, type StoredRecord } from './crm-record.ts';

/** The records that search finds: as they were `lagMs` ago. */
export interface SearchIndex {
  /** Adds a written record. */
  add(record: StoredRecord): void;
  /** Every record that has been indexed by now, in the order of creation. */
  documents(): ReadonlyMap<string, StoredRecord>;
  /** Ids of the records with this value of the property, in any case. */
  lookup(property: string, value: string): Iterable<string>;
}

type Postings = Map<string, Set<string>>;

export function createSearchIndex(clock: () => Date, lagMs: () => number): SearchIndex {
  const documents = new Map<string, StoredRecord>();
  // Built for a property when it is first looked up.
  const postings = new Map<string, Postings>();
  let waiting: { record: StoredRecord; due: number }[] = [];
  let settled = 0;

  const settle = () => {
    const now = clock().getTime();
    for (let next = waiting[settled]; next && next.due <= now; next = waiting[(settled += 1)]) {
      const { record } = next;
      for (const [property, byValue] of postings) move(byValue, property, documents.get(record.id), record);
      if (record.archivedAt === undefined) documents.set(record.id, record);
      else documents.delete(record.id);
    }
    // Applied writes are removed once they are the larger part, so the cost per write is constant.
    if (settled * 2 < waiting.length) return;
    waiting = waiting.slice(settled);
    settled = 0;
  };

  const postingsOf = (property: string): Postings => {
    const known = postings.get(property);
    if (known) return known;
    const byValue: Postings = new Map();
    for (const record of documents.values()) move(byValue, property, undefined, record);
    postings.set(property, byValue);
    return byValue;
  };

  return {
    add(record) {
      waiting.push({ record, due: clock().getTime() + lagMs() });
    },
    documents() {
      settle();
      return documents;
    },
    lookup(property, value) {
      settle();
      return postingsOf(property).get(value.toLowerCase()) ?? [];
    },
  };
}

function move(byValue: Postings, property: string, before: StoredRecord | undefined, after: StoredRecord): void {
  const from = valueOf(before?.properties ?? {}, property)?.toLowerCase();
  const to = after.archivedAt === undefined ? valueOf(after.properties, property)?.toLowerCase() : undefined;
  if (from === to) return;
  if (from !== undefined) byValue.get(from)?.delete(after.id);
  if (to === undefined) return;
  const ids = byValue.get(to);
  if (ids) ids.add(after.id);
  else byValue.set(to, new Set([after.id]));
}
