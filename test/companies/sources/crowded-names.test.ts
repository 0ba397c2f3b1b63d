import { createCrowdedNames } from '../../../src/companies/sources/crowded-names.ts';
import { toNameAndHost } from '../../../src/companies/sources/name-in-host.ts';

/** The rows that are found, from row 2 on. */
function find(...rows: (readonly [name: string, website: string])[]) {
  const names = createCrowdedNames();
  for (const [index, [company_name, website_url]] of rows.entries())
    names.add(toNameAndHost({ company_name, website_url }), index + 2);
  return names.rows();
}

const hosts = ['alpha.de', 'beta-technik.de', 'gamma.at', 'delta-werke.com', 'epsilon.de'];
const named = (name: string, list: readonly string[] = hosts) => list.map((host) => [name, host] as const);

describe('createCrowdedNames', () => {
  it.each([
    ['an industry', named('Maschinenbau'), 5],
    ['three domains', named('Maschinenbau', hosts.slice(0, 3)), 3],
    ['a person', named('Anna Schmidt'), 5],
    ['one of several names', [...named('Maschinenbau'), ...named('Handel', ['zeta.de', 'eta.de'])], 5],
    ['a name that half of the domains have', named('Bau', ['alpha-bau.de', 'beta-bau.de', 'gamma.de', 'eta.de']), 4],
    ['several spellings', [...named('Handel', hosts.slice(0, 2)), ...named('HANDEL GmbH', hosts.slice(2))], 5],
  ])('finds %s', (_, rows, count) => expect(find(...rows).rows).toBe(count));

  it.each([
    ['two domains, which may be an old and a new one', named('Acme', ['alpha.de', 'beta.de'])],
    ['a company with a domain in each country', named('Acme GmbH', ['acme.de', 'acme.at', 'acme.fr', 'acme.com'])],
    ['a chain with its name in the domains', named('Sparkasse', ['sparkasse-ulm.de', 'sparkasse-bonn.de', 'ksk.de'])],
    ['a chain with a word of its own in the domains', named('Volksbank', ['vb-ulm.de', 'vb-bonn.de', 'vb-wien.at'])],
    ['several hosts of one domain', named('Handel', ['a.acme.de', 'b.acme.de', 'c.acme.de'])],
    ['rows without a website', named('Handel', ['', '', '', 'gmail.com', 'linkedin.com/company/a'])],
    ['different names', hosts.map((host, index) => [`Name ${'abcde'.charAt(index)}`, host] as const)],
  ])('does not find %s', (_, rows) => expect(find(...rows)).toEqual({ rows: 0, first: [] }));

  it('finds 20 domains or more, also with a word in common, but not with the name', () => {
    const domains = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word}-${index}.de`);
    expect(find(...named('Volksbank', domains('vb', 19))).rows).toBe(0);
    expect(find(...named('Volksbank', domains('vb', 20))).rows).toBe(20);
    expect(find(...named('Volksbank', domains('volksbank', 20))).rows).toBe(0);
  });
});
