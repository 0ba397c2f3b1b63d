import { toCompanyRowFromCrm } from '../../../src/companies/sources/enrichment-companies.ts';
import { companyRowProblems, toCompanyRowFromFile } from '../../../src/companies/sources/table-companies.ts';
import { entryProblems, toEntryFromCrm, toEntryFromFile } from '../../../src/companies/sources/blacklist-entry.ts';

const record = (properties: Record<string, string | null>) => ({ id: '501', properties });

describe('toEntryFromCrm', () => {
  it('uses name, website, city, country and the record id', () => {
    const properties = {
      name: ' Acme ',
      domain: 'acme.example',
      website: 'www.acme.example/de',
      city: 'Bern',
      country: '',
    };
    expect(toEntryFromCrm(record(properties), 'Customer')).toEqual({
      company_name: 'Acme',
      website_url: 'https://acme.example',
      city: 'Bern',
      reason: 'Customer',
      external_id: '501',
    });
  });

  it.each([null, '', undefined])('uses the domain when the website is %j', (website) => {
    const properties = { name: 'Acme', domain: 'acme.example', ...(website === undefined ? {} : { website }) };
    expect(toEntryFromCrm(record(properties), null)).toEqual({
      company_name: 'Acme',
      website_url: 'https://acme.example',
      external_id: '501',
    });
  });

  it('does not use a page on a shared host as the website of a company', () => {
    const website = 'https://www.facebook.com/acme';
    expect(toEntryFromCrm(record({ name: 'Acme', domain: 'acme.example', website }), null)).toMatchObject({
      website_url: 'https://acme.example',
    });
    for (const domain of [null, '', 'gmail.com']) {
      expect(toEntryFromCrm(record({ name: 'Acme', domain, website }), null)).toEqual({
        company_name: 'Acme',
        external_id: '501',
      });
    }
    expect(toEntryFromCrm(record({ name: null, domain: 'facebook.com', website }), null)).toBeNull();
  });

  it('uses the website when the domain belongs to a mailbox provider', () => {
    const properties = { name: 'Acme', domain: 'gmx.de', website: 'HTTP://acme.example/de' };
    expect(toEntryFromCrm(record(properties), null)).toMatchObject({ website_url: 'http://acme.example/de' });
  });

  it.each([
    ['WWW.Acme.example', 'www.Acme.example'],
    ['HTTPS://Acme.example', 'https://Acme.example'],
    ['Http://acme.example', 'http://acme.example'],
    ['Acme.example', 'https://Acme.example'],
    ['anna.abel@acme.example', 'https://acme.example'],
    ['acme.example/@team', 'https://acme.example/@team'],
  ])('writes the prefix of %s like the service', (domain, website_url) => {
    expect(toEntryFromCrm(record({ name: 'Acme', domain }), null)).toMatchObject({ website_url });
    const entry = toEntryFromFile({ company_name: 'Acme', website_url: domain }, null);
    expect(entry).toMatchObject({ website_url });
    expect(entryProblems(entry)).toEqual([]);
  });

  it('uses the domain as the name of a company without one', () => {
    expect(toEntryFromCrm(record({ name: null, domain: 'www.Acme.example' }), null)).toMatchObject({
      company_name: 'acme.example',
    });
  });

  it('returns null for a company without name and domain', () => {
    expect(toEntryFromCrm(record({ name: ' ', domain: null, city: 'Bern' }), null)).toBeNull();
  });
});

describe('toEntryFromFile', () => {
  it('uses the known columns, and prefers the reason of the row', () => {
    const row = { company_name: ' Acme ', website_url: 'acme.example', city: ' ', external_id: 'c-1', note: 'Geheim' };
    expect(toEntryFromFile(row, 'Customer')).toEqual({
      company_name: 'Acme',
      website_url: 'https://acme.example',
      external_id: 'c-1',
      reason: 'Customer',
    });
    expect(toEntryFromFile({ company_name: 'Acme', reason: 'Rival' }, 'Customer')).toMatchObject({ reason: 'Rival' });
  });
});

describe('entryProblems', () => {
  it('is empty for a valid entry', () => {
    expect(entryProblems(toEntryFromFile({ company_name: 'Acme', website_url: 'HTTP://acme.example' }, null))).toEqual(
      [],
    );
  });

  it('contains rules and sizes, never values', () => {
    const row = { company_name: '', website_url: 'ftp://geheim.example', city: 'Geheim'.repeat(50) };
    expect(entryProblems(toEntryFromFile(row, null))).toEqual([
      'company_name: at least 1 character, found an empty text',
      'website_url: must start with http://, https:// or www., found 20 characters',
      'city: at most 255 characters, found 300 characters',
    ]);
    expect(entryProblems(toEntryFromFile({ company_name: 'A', website_url: 'www.a:geheim@b.example' }, null))).toEqual([
      'website_url: a user name or a password is in the address; remove it',
    ]);
  });
});

describe('toCompanyRowFromFile and toCompanyRowFromCrm', () => {
  it('return entries without a reason', () => {
    expect(toCompanyRowFromFile({ company_name: 'Acme', reason: 'Rival', external_id: '' })).toEqual({
      company_name: 'Acme',
    });
    const row = toCompanyRowFromCrm(record({ name: 'Acme', domain: 'acme.example' }));
    expect(row).toEqual({ company_name: 'Acme', website_url: 'https://acme.example', external_id: '501' });
    expect(companyRowProblems({ company_name: 'Acme' })).toEqual([]);
    expect(companyRowProblems({ company_name: '' })).toEqual([
      'company_name: at least 1 character, found an empty text',
    ]);
  });
});
