import * as fc from 'fast-check';
import type { Company, CompanyRow, Slot } from '../../../src/service/contract/index.ts';
import { findRowMismatch } from '../../../src/service/contract/row-mismatch.ts';

const row: CompanyRow = {
  company_name: 'Nordwind Solar GmbH',
  website_url: 'https://nordwind.example',
  external_id: '7',
};

const find = (company: Partial<Company> | null, submitted: CompanyRow = row, changes: Partial<Slot> = {}) =>
  findRowMismatch({ status: 'ENRICHED', external_id: '7', company, ...changes } as Slot, submitted);

describe('findRowMismatch', () => {
  it.each<[string, Partial<Company> | null]>([
    ['the same name and domain', { name: 'Nordwind Solar GmbH', domain: 'nordwind.example' }],
    ['another name', { name: 'Sonne Holding', domain: 'nordwind.example' }],
    ['another domain, since the website has moved', { name: 'Nordwind Solar', website_url: 'https://sonne.example' }],
    ['a subdomain', { name: 'Sonne', website_url: 'https://shop.nordwind.example/de' }],
    ['another spelling of the name', { name: 'NORDWIND  Solar', domain: 'sonne.example' }],
    ['neither name nor domain', { id: '1' }],
    ['no company', null],
  ])('accepts a company with %s', (_, company) => {
    expect(find(company)).toBeNull();
  });

  it('finds a company with another name and another domain', () => {
    expect(find({ name: 'Kieler Werft AG', domain: 'werft.example' })).toBe('company_differs_from_row');
    const nameOnly = { company_name: 'Nordwind Solar GmbH' };
    expect(find({ name: 'Kieler Werft AG' }, nameOnly, { external_id: null })).toBe('company_differs_from_row');
  });

  it('finds another external id, a missing one, and another source id', () => {
    const company = { name: 'Nordwind Solar GmbH' };
    expect(find(company, row, { external_id: '8' })).toBe('external_id_differs');
    expect(find(company, row, { external_id: null })).toBe('external_id_differs');
    expect(find({ ...company, source_id: '8' })).toBe('external_id_differs');
    expect(find(company, { company_name: 'Nordwind Solar GmbH' })).toBe('external_id_differs');
  });

  it('does not compare the company of a duplicate, which is that of an earlier row', () => {
    expect(find({ name: 'Kieler Werft AG' }, row, { status: 'DUPLICATE' })).toBeNull();
  });

  it('accepts any name and address with its own spelling', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => /[\p{L}\p{N}]/u.test(text));
    fc.assert(
      fc.property(name, (text) => {
        const submitted = { company_name: text, external_id: '7' };
        expect(
          find({ name: ` ${text.toUpperCase().toLowerCase()} ` }, { ...submitted, company_name: text.toLowerCase() }),
        ).toBeNull();
        expect(find({ name: text }, submitted)).toBeNull();
      }),
    );
  });
});
