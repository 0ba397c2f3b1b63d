/** What a portal was asked. `status` is what the client saw: 0 when the connection was dropped. */
export interface JournalEntry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface Journal {
  add(entry: JournalEntry): void;
  entries(): JournalEntry[];
}

/** Keeps the newest `limit` entries. */
export function createJournal(limit = 20_000): Journal {
  let entries: JournalEntry[] = [];
  return {
    add(entry) {
      entries.push(entry);
      if (entries.length >= 2 * limit) entries = entries.slice(-limit);
    },
    entries: () => entries.slice(-limit),
  };
}
