/** Values that many rows have in common, with what differs among these rows. */
import { joinRows, noRows, withRow, type NamedRows } from '../../base/text/named-rows.ts';
import { ownerOf } from '../../service/contract/website-domain.ts';
import { isNameInHost, toHostParts, type NameAndHost } from './name-in-host.ts';

/** Branches of one company have one website, and often names of their own, but not so many. */
const mostDifferent = 19;

/** Two names or websites may be an old and a new one. */
const fewestDifferent = 3;

/** Finds rows whose name has so many, or so different websites that it is probably no name, but for example an industry. */
export function createCrowdedNames() {
  const crowds = createCrowds();
  return {
    add({ nameWords, host }: NameAndHost, number: number): void {
      if (host !== null && nameWords.length > 0) crowds.add(nameWords.join(' '), ownerOf(host) ?? host, number);
    },
    rows: (): NamedRows => crowds.rows(isCrowdedName),
  };
}

/** The domains of one company, or of a chain, have its name, or a word in common. */
function isCrowdedName(name: string, domains: ReadonlySet<string>): boolean {
  if (domains.size < fewestDifferent) return false;
  const [words, hosts] = [name.split(' '), [...domains].map(toHostParts)];
  if (isMost(hosts.filter((parts) => isNameInHost(words, parts)).length, hosts.length)) return false;
  return domains.size > mostDifferent || !haveCommonWord(hosts);
}

/** Finds rows whose website has so many, or so different names that it is probably not their own. */
export function createCrowdedWebsites() {
  const crowds = createCrowds();
  return {
    add({ nameWords, host }: NameAndHost, number: number): void {
      if (host !== null) crowds.add(host, nameWords.join(' '), number);
    },
    rows: (): NamedRows => crowds.rows(isCrowdedWebsite),
  };
}

/** The names of one company and its branches have a word in common, or are in the host. */
function isCrowdedWebsite(host: string, names: ReadonlySet<string>): boolean {
  if (names.size > mostDifferent) return true;
  if (names.size < fewestDifferent) return false;
  const parts = toHostParts(host);
  const wordsOfNames = [...names].map((name) => name.split(' '));
  const inHost = wordsOfNames.filter((words) => isNameInHost(words, parts)).length;
  return !isMost(inHost, names.size) && !haveCommonWord(wordsOfNames);
}

function createCrowds() {
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
function haveCommonWord(lists: readonly (readonly string[])[]): boolean {
  const uses = new Map<string, number>();
  for (const list of lists) for (const word of new Set(list)) uses.set(word, (uses.get(word) ?? 0) + 1);
  return [...uses.values()].some((count) => isMost(count, lists.length));
}

export function isMost(count: number, all: number): boolean {
  return 2 * count > all;
}
