import type { NamedRows } from '../../base/text/named-rows.ts';
import { createCrowds, fewestDifferent, haveCommonWord, isMost, mostDifferent } from './crowds.ts';
import { isNameInHost, toHostParts, type NameAndHost } from './name-in-host.ts';

/** Finds rows whose website has so many, or so different names that it is probably not their own. */
export function createCrowdedWebsites() {
  const crowds = createCrowds();
  return {
    add({ nameWords, host }: NameAndHost, number: number): void {
      if (host !== null) crowds.add(host, nameWords.join(' '), number);
    },
    rows: (): NamedRows => crowds.rows(isCrowded),
  };
}

/** The names of one company and its branches have a word in common, or are in the host. */
function isCrowded(host: string, names: ReadonlySet<string>): boolean {
  if (names.size > mostDifferent) return true;
  if (names.size < fewestDifferent) return false;
  const parts = toHostParts(host);
  const wordsOfNames = [...names].map((name) => name.split(' '));
  const inHost = wordsOfNames.filter((words) => isNameInHost(words, parts)).length;
  return !isMost(inHost, names.size) && !haveCommonWord(wordsOfNames);
}
