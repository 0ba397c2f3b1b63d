/** Figures of the CRM records that were read back, and of their repair. */

/** State of a written record in HubSpot. `missing`, `archived` and `wrong` are findings. */
export type RecordState = 'equal' | 'edited' | 'missing' | 'archived' | 'wrong' | 'unknown';

export type PropertyCounts = Readonly<Record<string, number>>;

/** What the order created beside its records, and how many of each are gone from HubSpot: `notes`, `tasks`, `list_members`. */
export type ItemFigures = Readonly<Record<string, { readonly written: number; readonly gone: number }>>;

/** Counts of records by state. A record with wrong values is wrong, whatever else a person edited in it. */
export interface ReadBackFigures extends Readonly<Record<RecordState, number>> {
  /** Written records, according to the ledger. */
  readonly records: number;
  /** Found under another id after a merge; counted by state as well. */
  readonly merged: number;
  /** Number of records with a different value, by property: edited later by a user or another app, or wrong. */
  readonly properties: { readonly edited: PropertyCounts; readonly wrong: PropertyCounts };
  readonly items: ItemFigures;
  /** Number of sampled slots; null: all. */
  readonly sampled: number | null;
}

export const noReadBack: ReadBackFigures = {
  records: 0,
  equal: 0,
  edited: 0,
  missing: 0,
  merged: 0,
  archived: 0,
  wrong: 0,
  unknown: 0,
  properties: { edited: {}, wrong: {} },
  items: {},
  sampled: null,
};

export interface RepairReport {
  /** Figures before the repair. */
  readonly before: ReadBackFigures;
  /** Records whose wrong values were written again. */
  readonly rewritten: number;
  /** Companies and contacts that were projected again, because HubSpot does not know their records. */
  readonly reopened: number;
}

export function addFigures(a: ReadBackFigures, b: ReadBackFigures): ReadBackFigures {
  return {
    records: a.records + b.records,
    equal: a.equal + b.equal,
    edited: a.edited + b.edited,
    missing: a.missing + b.missing,
    merged: a.merged + b.merged,
    archived: a.archived + b.archived,
    wrong: a.wrong + b.wrong,
    unknown: a.unknown + b.unknown,
    properties: {
      edited: addCounts(a.properties.edited, b.properties.edited),
      wrong: addCounts(a.properties.wrong, b.properties.wrong),
    },
    items: addItems(a.items, b.items),
    sampled: a.sampled === null && b.sampled === null ? null : (a.sampled ?? 0) + (b.sampled ?? 0),
  };
}

export const noRepair: RepairReport = { before: noReadBack, rewritten: 0, reopened: 0 };

export function addRepairs(a: RepairReport, b: RepairReport): RepairReport {
  return {
    before: addFigures(a.before, b.before),
    rewritten: a.rewritten + b.rewritten,
    reopened: a.reopened + b.reopened,
  };
}

export function addItems(a: ItemFigures, b: ItemFigures): ItemFigures {
  const sums = new Map(Object.entries(a));
  for (const [name, { written, gone }] of Object.entries(b)) {
    const before = sums.get(name) ?? { written: 0, gone: 0 };
    sums.set(name, { written: before.written + written, gone: before.gone + gone });
  }
  return Object.fromEntries(sums);
}

function addCounts(a: PropertyCounts, b: PropertyCounts): PropertyCounts {
  const sums = new Map(Object.entries(a));
  for (const [word, count] of Object.entries(b)) sums.set(word, count + (sums.get(word) ?? 0));
  return Object.fromEntries(sums);
}
