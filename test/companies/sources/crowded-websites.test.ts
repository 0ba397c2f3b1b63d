import { createCrowdedWebsites } from '../../../src/companies/sources/crowded-websites.ts';
import { toNameAndHost } from '../../../src/companies/sources/name-in-host.ts';

/** The rows that are found, from row 2 on. */
function find(...rows: [name: string, website: string][]) {
  const websites = createCrowdedWebsites();
  for (const [index, [company_name, website_url]] of rows.entries())
    websites.add(toNameAndHost({ company_name, website_url }), index + 2);
  return websites.rows();
}

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
    expect(find(...at(host), ['Delta', 'delta.de'])).toEqual({ rows: 3, first: [2, 3, 4] });
  });

  it('finds a website that was filled in for the rows below its own', () => {
    expect(find(...at('alpha-maschinenbau.de'))).toEqual({ rows: 3, first: [2, 3, 4] });
  });

  it.each([
    ['two names, which may be an old and a new one', at('acme.de', ['Alpha', 'Beta', 'BETA GmbH'])],
    ['branches with a word in common', at('group.de', ['Acme Ulm', 'Acme Bonn', 'Acme Köln', 'Zentrale'])],
    ['names that are in the host', at('alpha-beta.de', ['Alpha', 'Beta', 'Gamma'])],
    ['several hosts of one domain', [...at('a.acme.de', ['A']), ...at('b.acme.de', ['B']), ...at('c.acme.de', ['C'])]],
    ['rows without a website', names.map((name): [string, string] => [name, ''])],
  ])('does not find %s', (_what, rows) => expect(find(...rows)).toEqual({ rows: 0, first: [] }));

  it('finds 20 names or more, also with a word in common', () => {
    const branches = (count: number) => Array.from({ length: count }, (_, index) => `Company ${index}`);
    expect(find(...at('agency.de', branches(19))).rows).toBe(0);
    expect(find(...at('agency.de', branches(20))).rows).toBe(20);
  });
});
