/** A request to the sandbox. It has no body, because bodies hold personal data. */
export interface JournalEntry {
  /** Number of the request, from 1. */
  readonly number: number;
  /** Milliseconds since 1970, on the sandbox clock. */
  readonly at: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** What the client saw: 0 when the connection was dropped. */
  readonly status: number;
  /** The organisation or portal of the key; null without a valid one. */
  readonly owner: string | null;
  /** The code of a refusal. */
  readonly code: string | null;
  readonly idempotency_key: string | null;
  /** The fault rule that applied. */
  readonly fault_id: string | null;
}

/** Every given field must match. */
export interface JournalFilter {
  /** Only entries after this number. */
  readonly after?: number | undefined;
  readonly method?: string | undefined;
  /** The start of the path. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly owner?: string | undefined;
  readonly code?: string | undefined;
  readonly idempotency_key?: string | undefined;
}

interface Wait {
  readonly count: number;
  readonly timeoutMs: number;
  /** Ends the wait early. */
  readonly signal?: AbortSignal;
}

export interface Journal {
  add(entry: Omit<JournalEntry, 'number'>): void;
  /** Oldest first. */
  entries(filter?: JournalFilter): JournalEntry[];
  /** Entries that differ from the filter in exactly one field, with the name of that field. */
  nearMisses(filter: JournalFilter): { readonly entry: JournalEntry; readonly differs: string }[];
  /** Resolves with the matching entries when `count` entries match, or after the timeout. */
  wait(filter: JournalFilter, until: Wait): Promise<JournalEntry[]>;
  clear(): void;
}

/** Keeps the newest `limit` entries. */
export function createJournal(limit = 20_000): Journal {
  let entries: JournalEntry[] = [];
  let lastNumber = 0;
  const waiting = new Set<(entry: JournalEntry) => void>();

  const select = (filter: JournalFilter) =>
    entries.slice(-limit).filter((entry) => misfits(entry, filter).length === 0);

  return {
    add(entry) {
      const added = { number: (lastNumber += 1), ...entry };
      entries.push(added);
      if (entries.length >= 2 * limit) entries = entries.slice(-limit);
      for (const check of waiting) check(added);
    },
    entries: (filter = {}) => select(filter),
    nearMisses: (filter) =>
      entries
        .slice(-limit)
        .map((entry) => ({ entry, differingFields: misfits(entry, filter) }))
        .filter(({ differingFields }) => differingFields.length === 1)
        .map(({ entry, differingFields }) => ({ entry, differs: differingFields.join() })),
    async wait(filter, { count, timeoutMs, signal }) {
      let missing = count - select(filter).length;
      const { promise, resolve } = Promise.withResolvers<void>();
      const check = (entry: JournalEntry) => {
        if (misfits(entry, filter).length === 0) missing -= 1;
        if (missing <= 0) resolve();
      };
      if (missing > 0) {
        const timer = setTimeout(resolve, timeoutMs);
        signal?.addEventListener('abort', () => resolve());
        waiting.add(check);
        await promise;
        clearTimeout(timer);
        waiting.delete(check);
      }
      return select(filter);
    },
    clear() {
      entries = [];
    },
  };
}

function misfits(entry: JournalEntry, { method, path, after = 0, ...exact }: JournalFilter): string[] {
  const different = Object.entries(exact)
    .filter(([field, value]) => value !== undefined && Reflect.get(entry, field) !== value)
    .map(([field]) => field);
  if (entry.number <= after) different.push('after');
  if (method !== undefined && method.toUpperCase() !== entry.method) different.push('method');
  if (path !== undefined && !entry.path.startsWith(path)) different.push('path');
  return different;
}
