/** A record on a list, and since when. */
export interface Membership {
  readonly recordId: string;
  readonly membershipTimestamp: string;
}

/** Who was put on a list. */
export interface Roster {
  /** The ids that were not on it before. */
  join(ids: readonly string[], now: string): string[];
  /** The ids that were on it. */
  leave(ids: readonly string[]): string[];
  /** Puts one record in the place of others. */
  replace(ids: readonly string[], by: string): void;
  inOrder(): readonly Membership[];
}

export function createRoster(): Roster {
  const joined = new Map<string, string>();
  // Long lists are read in many pages: they are put in order once.
  let ordered: Membership[] | undefined;
  return {
    join(ids, now) {
      ordered = undefined;
      const added = [...new Set(ids)].filter((id) => !joined.has(id));
      for (const id of added) joined.set(id, now);
      return added;
    },
    leave(ids) {
      ordered = undefined;
      return ids.filter((id) => joined.delete(id));
    },
    replace(ids, by) {
      const since = ids.map((id) => joined.get(id)).find((time) => time !== undefined);
      if (since === undefined) return;
      ordered = undefined;
      for (const id of ids) joined.delete(id);
      joined.set(by, since);
    },
    inOrder() {
      ordered ??= [...joined]
        .map(([recordId, membershipTimestamp]) => ({ recordId, membershipTimestamp }))
        .sort((a, b) => Number(a.recordId) - Number(b.recordId));
      return ordered;
    },
  };
}
