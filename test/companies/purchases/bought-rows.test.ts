import { createCompanyMatcher } from '../../../src/companies/purchases/bought-rows.ts';
import type { CompanyRow } from '../../../src/service/contract/index.ts';

/** How many of the rows a company of an earlier order has. */
const take = (rows: readonly CompanyRow[], earlier: CompanyRow) => createCompanyMatcher(rows).take(earlier);
const acme = { company_name: 'Acme GmbH', website_url: 'https://www.acme.example/', city: 'Ulm', country: 'DE' };
const { website_url: _, ...withoutWebsite } = acme;

describe('createCompanyMatcher', () => {
  // Guarantee: An order that may be a mistake is confirmed first
  it.each<[string, CompanyRow, CompanyRow]>([
    [
      'another form of its website',
      acme,
      { company_name: 'Anything', website_url: 'http://acme.example', city: 'ULM' },
    ],
    ['its website alone', acme, { company_name: 'Anything', website_url: 'http://acme.example/kontakt' }],
    ['no website', acme, withoutWebsite],
    ['no city', withoutWebsite, { company_name: 'Acme GmbH', country: 'DE' }],
    ['its name alone', acme, { company_name: 'acme  gmbh' }],
    ['no legal form', withoutWebsite, { company_name: 'ACME', city: 'Ulm' }],
    ['another legal form', withoutWebsite, { company_name: 'Acme GmbH & Co. KG', city: 'Ulm' }],
    ['the name of its country', withoutWebsite, { ...withoutWebsite, country: 'Deutschland' }],
    ['ß', { company_name: 'Groß', city: 'Gießen' }, { company_name: 'Gross', city: 'Giessen' }],
    ['umlauts', { company_name: 'Müller', city: 'Köln' }, { company_name: 'MUELLER', city: 'Koeln' }],
    ['a city without its accent', { ...withoutWebsite, city: 'Köln' }, { ...withoutWebsite, city: 'KOLN' }],
    ['its name and website, in a city that is written in another way', acme, { ...acme, city: 'Ulm am Main' }],
    [
      'its name and another host of its domain',
      acme,
      { ...acme, website_url: 'https://shop.acme.example', city: 'Bonn' },
    ],
    [
      'its id and another city',
      { ...acme, external_id: '7' },
      { ...acme, company_name: 'B', city: 'Bonn', external_id: '7' },
    ],
    ['its id and name', { ...acme, external_id: '7' }, { ...acme, website_url: 'https://acme.test', external_id: '7' }],
  ])('finds a company by %s', (_spelling, row, earlier) => {
    expect(take([row], earlier)).toBe(1);
    expect(take([earlier], row)).toBe(1);
  });

  it.each<[string, CompanyRow, CompanyRow]>([
    ['a branch of another name in another city', acme, { ...acme, company_name: 'Acme Bonn', city: 'Bonn' }],
    [
      'another name at another host of its domain',
      acme,
      { ...acme, company_name: 'B', website_url: 'https://b.acme.example' },
    ],
    [
      'a page of the same name at a shared host',
      { ...acme, website_url: 'https://linkedin.com/company/acme' },
      { ...acme, website_url: 'https://linkedin.com/company/acme', city: 'Bonn' },
    ],
    ['another website', acme, { ...acme, website_url: 'https://other.example' }],
    ['another city', withoutWebsite, { ...withoutWebsite, city: 'Bonn' }],
    ['another country', withoutWebsite, { ...withoutWebsite, country: 'Austria' }],
    ['the same number in another file', { ...acme, external_id: '7' }, { company_name: 'Beta', external_id: '7' }],
    ['a page of a shared site', acme, { company_name: 'Beta', website_url: 'https://linkedin.com/company/beta' }],
  ])('does not take %s for the company', (_difference, row, earlier) => {
    expect(take([row], earlier)).toBe(0);
    expect(take([earlier], row)).toBe(0);
  });

  it('counts every row once', () => {
    const index = createCompanyMatcher([acme, acme, withoutWebsite, { company_name: 'Beta' }]);
    expect([index.take(acme), index.take(acme), index.isEmpty()]).toEqual([3, 0, false]);
    expect([index.take({ company_name: 'Beta' }), index.isEmpty()]).toEqual([1, true]);
  });
});
