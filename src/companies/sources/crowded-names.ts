import type { NamedRows } from '../../base/text/named-rows.ts';
import { ownerOf } from '../../service/contract/website-domain.ts';
import { createCrowds, fewestDifferent, haveCommonWord, isMost, mostDifferent } from './crowds.ts';
import { isNameInHost, toHostParts, type NameAndHost } from './name-in-host.ts';

/** Finds rows whose name has so many, or so different websites that it is probably no name, but for example an industry. */
export function createCrowdedNames() {
  const crowds = createCrowds();
  return {
    add({ nameWords, host }: NameAndHost, number: number): void {
      if (host !== null && nameWords.length > 0) crowds.add(nameWords.join(' '), ownerOf(host) ?? host, number);
    },
    rows: (): NamedRows => crowds.rows(isCrowded),
  };
}

/** The domains of one company, or of a chain, have its name, or a word in common. */
function isCrowded(name: string, domains: ReadonlySet<string>): boolean {
  if (domains.size < fewestDifferent) return false;
  const [words, hosts] = [name.split(' '), [...domains].map(toHostParts)];
  if (isMost(hosts.filter((parts) => isNameInHost(words, parts)).length, hosts.length)) return false;
  return domains.size > mostDifferent || !haveCommonWord(hosts);
}
