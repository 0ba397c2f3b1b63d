/** Values that many rows have in common, with what differs among these rows. */
import { joinRows, noRows, withRow, type NamedRows } from '../../base/text/named-rows.ts';

/** Branches of one company have one website, and often names of their own, but not so many. */
export const mostDifferent = 19;
/** Two names or websites may be an old and a new one. */
export const fewestDifferent = 3;

export function createCrowds() {
  const groups = new Map<string, { different: Set<string>; named: NamedRows }>();
  return {
    /** `value`: what the rows have in common; `other`: what differs. */
    add(value: string, other: string, number: number): void {
      const { different, named } = groups.get(value) ?? { different: new Set(), named: noRows };
      if (different.size <= mostDifferent) different.add(other);
      groups.set(value, { different, named: withRow(named, number) });
    },
    /** The rows of the values that are crowded. */
    rows(isCrowded: (value: string, different: ReadonlySet<string>) => boolean): NamedRows {
      return joinRows(
        [...groups].flatMap(([value, { different, named }]) => (isCrowded(value, different) ? [named] : [])),
      );
    },
  };
}

/** Whether more than half of the lists have a word in common. */
export function haveCommonWord(lists: readonly (readonly string[])[]): boolean {
  const uses = new Map<string, number>();
  for (const list of lists) for (const word of new Set(list)) uses.set(word, (uses.get(word) ?? 0) + 1);
  return [...uses.values()].some((count) => isMost(count, lists.length));
}

export function isMost(count: number, all: number): boolean {
  return 2 * count > all;
}
