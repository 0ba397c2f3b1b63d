import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';
import { noRows, toNamedRows, withRow, type NamedRows } from '../../base/text/named-rows.ts';
import { comparableName } from '../../service/contract/index.ts';
import { ownDomain } from '../../service/contract/website-domain.ts';

/** Branches of one company have one website, and often names of their own. */
const mostNames = 19;

/** Finds rows whose website has so many different names that it was probably filled in for all of them. */
export function createCrowdedWebsites() {
  const groups = new Map<string, { names: Set<string>; named: NamedRows }>();
  return {
    add({ company_name: name = '', website_url: website }: FieldValues, number: number): void {
      const domain = ownDomain(website);
      if (domain === null) return;
      const { names, named } = groups.get(domain) ?? { names: new Set(), named: noRows };
      if (names.size <= mostNames) names.add(comparableName(name));
      groups.set(domain, { names, named: withRow(named, number) });
    },
    rows(): NamedRows {
      const crowded = [...groups.values()].flatMap(({ names, named }) => (names.size > mostNames ? [named] : []));
      const rows = crowded.reduce((sum, named) => sum + named.rows, 0);
      return { ...toNamedRows(crowded.flatMap(({ first }) => first).toSorted((a, b) => a - b)), rows };
    },
  };
}
