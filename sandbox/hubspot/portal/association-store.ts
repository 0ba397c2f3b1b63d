import type { HubSpotAssumptions } from '../hubspot-assumptions.ts';
import { objectTypes, type ObjectType } from '../object-types.ts';
import type { AssociationPair } from '../built-in/association-types.ts';
import type { AssociationTypes } from './portal-association-types.ts';

/** Keys of the labels of one link. Every link carries the unlabelled type as well. */
type Labels = ReadonlySet<string>;
/** By the id of the linked record. */
type Links = Map<string, Labels>;

/** Links between records of one portal; both directions are written together. */
export interface AssociationStore {
  /** Adds an unlabelled link. Does not change an existing link. */
  linkDefault(pair: AssociationPair, from: string, to: string): void;
  /** Sets a link with exactly these labels. */
  link(pair: AssociationPair, from: string, to: string, labels: Labels): void;
  unlink(pair: AssociationPair, from: string, to: string): void;
  /** Linked ids in the order in which they were linked. */
  linked(pair: AssociationPair, from: string): ReadonlyMap<string, Labels>;
  /** Moves the links of merged records to the remaining record. A label that a record has only once is taken from the first of `ids` that has it. */
  merge(type: ObjectType, ids: readonly string[], into: string): void;
}

const none: Labels = new Set();
const noLinks: ReadonlyMap<string, Labels> = new Map();

export function createAssociationStore(
  assumed: HubSpotAssumptions,
  types: Pick<AssociationTypes, 'known'>,
): AssociationStore {
  const byDirection = new Map<string, Map<string, Links>>();
  const direction = (from: ObjectType, to: ObjectType) => {
    const key = `${from.typeId}/${to.typeId}`;
    const byId = byDirection.get(key) ?? new Map<string, Links>();
    byDirection.set(key, byId);
    return byId;
  };
  const put = (from: ObjectType, to: ObjectType, fromId: string, toId: string, labels: Labels) => {
    const byId = direction(from, to);
    const links = byId.get(fromId) ?? new Map<string, Labels>();
    byId.set(fromId, links.set(toId, labels));
  };
  const linked = (pair: AssociationPair, from: string) => direction(pair.from, pair.to).get(from) ?? noLinks;
  const set = (pair: AssociationPair, from: string, to: string, labels: Labels) => {
    const inverse = pair.labels.filter(({ key }) => labels.has(key)).map((label) => label.inverse);
    put(pair.from, pair.to, from, to, labels);
    put(pair.to, pair.from, to, from, new Set(inverse));
  };
  const makeRoom = (pair: AssociationPair, from: string, to: string, labels: Labels) => {
    for (const { key, inverse, only } of pair.labels.filter((label) => labels.has(label.key))) {
      if (only === undefined) continue;
      const [near, far, id, label] =
        only === 'from' ? [pair.from, pair.to, from, key] : [pair.to, pair.from, to, inverse];
      const side = types.known(near, far) ?? pair;
      for (const [other, held] of linked(side, id)) if (held.has(label)) set(side, id, other, without(held, label));
    }
  };
  const store: AssociationStore = {
    linkDefault(pair, from, to) {
      if (linked(pair, from).has(to)) return;
      const primary = pair.labels.find(({ category, text }) => category === 'HUBSPOT_DEFINED' && text === 'Primary');
      const back = types.known(pair.to, pair.from) ?? pair;
      const isFirst = (primary?.only === 'from' ? linked(pair, from) : linked(back, to)).size === 0;
      set(pair, from, to, primary && isFirst && assumed.firstCompanyBecomesPrimary ? new Set([primary.key]) : none);
    },
    link(pair, from, to, labels) {
      makeRoom(pair, from, to, labels);
      set(pair, from, to, labels);
    },
    unlink(pair, from, to) {
      direction(pair.from, pair.to).get(from)?.delete(to);
      direction(pair.to, pair.from).get(to)?.delete(from);
    },
    linked,
    merge(type, ids, into) {
      for (const other of objectTypes) {
        const pair = types.known(type, other);
        if (pair) mergeLinks(store, pair, ids, into);
      }
    },
  };
  return store;
}

function mergeLinks(store: AssociationStore, pair: AssociationPair, ids: readonly string[], into: string): void {
  const merged = new Map<string, Set<string>>();
  const taken = new Set<string>();
  for (const id of ids) {
    for (const [to, labels] of store.linked(pair, id)) {
      const kept = pair.labels.filter(({ key, only }) => labels.has(key) && !(only === 'from' && taken.has(key)));
      for (const { key } of kept) taken.add(key);
      merged.set(to, new Set([...(merged.get(to) ?? []), ...kept.map(({ key }) => key)]));
    }
  }
  for (const id of ids) for (const to of merged.keys()) store.unlink(pair, id, to);
  // A link between the merged records themselves disappears.
  const isOneOfThem = (to: string) => pair.to === pair.from && ids.includes(to);
  for (const [to, labels] of merged) if (!isOneOfThem(to)) store.link(pair, into, to, labels);
}

function without(labels: Labels, label: string): Labels {
  return new Set([...labels].filter((key) => key !== label));
}
