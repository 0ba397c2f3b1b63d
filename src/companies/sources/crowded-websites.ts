import { joinRows, noRows, withRow, type NamedRows } from '../../base/text/named-rows.ts';
import { isNameInHost, toHostParts, type NameAndHost } from './name-in-host.ts';

/** Branches of one company have one website, and often names of their own, but not so many. */
const mostNames = 19;
/** Two names may be an old and a new one. */
const fewestNames = 3;

/** Finds rows whose website has so many, or so different names that it is probably not their own. */
export function createCrowdedWebsites() {
  const groups = new Map<string, { names: Set<string>; named: NamedRows }>();
  return {
    add({ nameWords, host }: NameAndHost, number: number): void {
      if (host === null) return;
      const { names, named } = groups.get(host) ?? { names: new Set(), named: noRows };
      if (names.size <= mostNames) names.add(nameWords.join(' '));
      groups.set(host, { names, named: withRow(named, number) });
    },
    rows(): NamedRows {
      return joinRows([...groups].flatMap(([host, { names, named }]) => (isCrowded(host, names) ? [named] : [])));
    },
  };
}

/** The names of one company and its branches have a word in common, or are in the host. */
function isCrowded(host: string, names: ReadonlySet<string>): boolean {
  if (names.size > mostNames) return true;
  if (names.size < fewestNames) return false;
  const parts = toHostParts(host);
  const wordsOfNames = [...names].map((name) => name.split(' '));
  const isFew = (count: number) => 2 * count <= names.size;
  const uses = new Map<string, number>();
  for (const words of wordsOfNames) for (const word of new Set(words)) uses.set(word, (uses.get(word) ?? 0) + 1);
  return isFew(wordsOfNames.filter((words) => isNameInHost(words, parts)).length) && [...uses.values()].every(isFew);
}
