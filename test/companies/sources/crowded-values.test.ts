import { createCrowdedNames, createCrowdedWebsites } from '../../../src/companies/sources/crowded-values.ts';
import { toNameAndHost } from '../../../src/companies/sources/name-in-host.ts';

/** The rows that are found, from row 2 on. */
function findWith(create: typeof createCrowdedNames, rows: readonly (readonly [name: string, website: string])[]) {
  const crowded = create();
  for (const [index, [company_name, website_url]] of rows.entries())
    crowded.add(toNameAndHost({ company_name, website_url }), index + 2);
  return crowded.rows();
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
  ])('finds %s', (_, rows, count) => expect(findWith(createCrowdedNames, rows).rows).toBe(count));

  it.each([
    ['two domains, which may be an old and a new one', named('Acme', ['alpha.de', 'beta.de'])],
    ['a company with a domain in each country', named('Acme GmbH', ['acme.de', 'acme.at', 'acme.fr', 'acme.com'])],
    ['a chain with its name in the domains', named('Sparkasse', ['sparkasse-ulm.de', 'sparkasse-bonn.de', 'ksk.de'])],
    ['a chain with a word of its own in the domains', named('Volksbank', ['vb-ulm.de', 'vb-bonn.de', 'vb-wien.at'])],
    ['several hosts of one domain', named('Handel', ['a.acme.de', 'b.acme.de', 'c.acme.de'])],
    ['rows without a website', named('Handel', ['', '', '', 'gmail.com', 'linkedin.com/company/a'])],
    ['different names', hosts.map((host, index) => [`Name ${'abcde'.charAt(index)}`, host] as const)],
  ])('does not find %s', (_, rows) => expect(findWith(createCrowdedNames, rows)).toEqual({ rows: 0, first: [] }));

  it('finds 20 domains or more, also with a word in common, but not with the name', () => {
    const domains = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word}-${index}.de`);
    expect(findWith(createCrowdedNames, named('Volksbank', domains('vb', 19))).rows).toBe(0);
    expect(findWith(createCrowdedNames, named('Volksbank', domains('vb', 20))).rows).toBe(20);
    expect(findWith(createCrowdedNames, named('Volksbank', domains('volksbank', 20))).rows).toBe(0);
  });
});

const names = ['Alpha Maschinenbau GmbH', 'Beta Technik AG', 'Gamma Werke'];

const at = (host: string, list: readonly string[] = names) =>
  list.map((name, index): [string, string] => [name, `https://${host}/page?u=${index}`]);

describe('createCrowdedWebsites', () => {
  it.each([
    'www.bing.com',
    'urldefense.proofpoint.com',
    'companieshouse.gov.uk',
    'acme.sharepoint.com',
    'directory.de',
  ])('finds three different names at %s, whatever the host is', (host) => {
    expect(findWith(createCrowdedWebsites, [...at(host), ['Delta', 'delta.de']])).toEqual({
      rows: 3,
      first: [2, 3, 4],
    });
  });

  it('finds a website that was filled in for the rows below its own', () => {
    expect(findWith(createCrowdedWebsites, at('alpha-maschinenbau.de'))).toEqual({ rows: 3, first: [2, 3, 4] });
  });

  it.each([
    ['two names, which may be an old and a new one', at('acme.de', ['Alpha', 'Beta', 'BETA GmbH'])],
    ['branches with a word in common', at('group.de', ['Acme Ulm', 'Acme Bonn', 'Acme Köln', 'Zentrale'])],
    ['names that are in the host', at('alpha-beta.de', ['Alpha', 'Beta', 'Gamma'])],
    ['several hosts of one domain', [...at('a.acme.de', ['A']), ...at('b.acme.de', ['B']), ...at('c.acme.de', ['C'])]],
    ['rows without a website', names.map((name): [string, string] => [name, ''])],
  ])('does not find %s', (_what, rows) =>
    expect(findWith(createCrowdedWebsites, rows)).toEqual({ rows: 0, first: [] }),
  );

  it('finds 20 names or more, also with a word in common', () => {
    const branches = (count: number) => Array.from({ length: count }, (_, index) => `Company ${index}`);
    expect(findWith(createCrowdedWebsites, at('agency.de', branches(19))).rows).toBe(0);
    expect(findWith(createCrowdedWebsites, at('agency.de', branches(20))).rows).toBe(20);
  });
});
