import type { Assumed } from '../assumed.ts';
import type { AssociationPair } from './association-types.ts';

/** Linked record id -> whether it is the primary one. */
type Links = Map<string, boolean>;

/** Links between records of one portal; both directions are written together. */
export interface AssociationStore {
  /** The unlabelled link. Leaves an existing link as it is. */
  linkDefault(pair: AssociationPair, from: string, to: string): void;
  /** The link with exactly this label. */
  link(pair: AssociationPair, from: string, to: string, primary: boolean): void;
  unlink(pair: AssociationPair, from: string, to: string): void;
  /** Linked ids in the order in which they were linked. */
  linked(pair: AssociationPair, from: string): ReadonlyMap<string, boolean>;
}

export function createAssociationStore(assumed: Assumed): AssociationStore {
  const byDirection = new Map<string, Map<string, Links>>();
  const linksOf = (fromType: string, toType: string, from: string): Links => {
    const key = `${fromType}/${toType}`;
    const byId = byDirection.get(key) ?? new Map<string, Links>();
    byDirection.set(key, byId);
    const links = byId.get(from) ?? new Map<string, boolean>();
    byId.set(from, links);
    return links;
  };
  const set = (pair: AssociationPair, from: string, to: string, primary: boolean) => {
    linksOf(pair.from.typeId, pair.to.typeId, from).set(to, primary);
    linksOf(pair.to.typeId, pair.from.typeId, to).set(from, primary);
  };

  // A contact has one primary company; a company is primary for any number of contacts.
  const makeRoomForPrimary = (pair: AssociationPair, from: string, to: string) => {
    const [contactType, companyType] = pair.from.typeId === '0-1' ? [pair.from, pair.to] : [pair.to, pair.from];
    const contact = pair.from.typeId === '0-1' ? from : to;
    for (const [company, primary] of linksOf(contactType.typeId, companyType.typeId, contact)) {
      if (primary) set({ ...pair, from: contactType, to: companyType }, contact, company, false);
    }
  };
  const hasCompany = (pair: AssociationPair, from: string, to: string) =>
    pair.from.typeId === '0-1'
      ? linksOf(pair.from.typeId, pair.to.typeId, from).size > 0
      : linksOf(pair.to.typeId, pair.from.typeId, to).size > 0;

  return {
    linkDefault(pair, from, to) {
      if (linksOf(pair.from.typeId, pair.to.typeId, from).has(to)) return;
      set(pair, from, to, assumed.firstCompanyBecomesPrimary && !hasCompany(pair, from, to));
    },
    link(pair, from, to, primary) {
      if (primary) makeRoomForPrimary(pair, from, to);
      set(pair, from, to, primary);
    },
    unlink(pair, from, to) {
      linksOf(pair.from.typeId, pair.to.typeId, from).delete(to);
      linksOf(pair.to.typeId, pair.from.typeId, to).delete(from);
    },
    linked: (pair, from) => linksOf(pair.from.typeId, pair.to.typeId, from),
  };
}
