/** Wanted entries of one name and domain. Finding the one to join takes as long among thousands as among two. */
import type { EntryInput } from '../contract/index.ts';
import { placeOf } from './entry-identity.ts';

export interface Known {
  entry: EntryInput;
  hash: string;
  /** Under which hash the ledger has it; null when it does not yet. */
  storedHash: string | null;
}

export type Companies = ReturnType<typeof createCompanies>;

export function createCompanies(known: readonly Known[] = []) {
  const byKey = new Map<string, Set<Known>>();
  let size = 0;

  const enter = (company: Known) => {
    for (const key of keysUnder(company.entry)) {
      const set = byKey.get(key) ?? new Set();
      byKey.set(key, set.add(company));
    }
  };
  const add = (company: Known) => {
    enter(company);
    size += 1;
  };
  for (const each of known) add(each);

  return {
    size: () => size,
    add,
    /** One that the entry can be joined with, first of the same city and id; undefined when they are other companies. */
    find(entry: EntryInput): Known | undefined {
      for (const key of keysFor(entry)) {
        const [first] = byKey.get(key) ?? [];
        if (first !== undefined) return first;
      }
      return undefined;
    },
    /** What the company is from now on; its city and its id may have become known. */
    replace(company: Known, { entry, hash }: Pick<Known, 'entry' | 'hash'>): void {
      for (const key of keysUnder(company.entry)) byKey.get(key)?.delete(company);
      Object.assign(company, { entry, hash });
      enter(company);
    },
  };
}

const any = '*';
const exactly = (text: string) => `=${text}`;

/** Under its city and id, and wherever one of them does not matter. */
function keysUnder(entry: EntryInput): string[] {
  return pairs([exactly(placeOf(entry)), any], [exactly(entry.external_id ?? ''), any]);
}

/** What an entry has, the other one has too or not at all; what it has not does not matter. */
function keysFor(entry: EntryInput): string[] {
  const [place, id] = [placeOf(entry), entry.external_id];
  return pairs(place ? [exactly(place), exactly('')] : [any], id ? [exactly(id), exactly('')] : [any]);
}

/** A city, as it is compared, has no line break. */
function pairs(places: readonly string[], ids: readonly string[]): string[] {
  return places.flatMap((place) => ids.map((id) => `${place}\n${id}`));
}
