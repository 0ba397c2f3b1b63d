import * as fc from 'fast-check';
import { companySchema } from '../../../src/service/contract/result.ts';
import { toStrict, violations } from '../../../src/service/contract/index.ts';
import { companyAt, indexOfDomain, outlineAt, resolveRow } from '../../../sandbox/generated-data/company-generator.ts';

const index = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const seed = fc.integer({ min: 0, max: 1_000 });

describe('companyAt', () => {
  it('depends on seed and index only, and follows the contract', () => {
    const strict = toStrict(companySchema);
    fc.assert(
      fc.property(seed, index, (seed, index) => {
        const company = companyAt(seed, index);
        expect(violations(strict, company)).toEqual([]);
        expect(companyAt(seed, index)).toEqual(company);
      }),
    );
  });

  it('gives every index its own id, domain, people and, for 131,072 companies, its own name', () => {
    const companies = Array.from({ length: 5_000 }, (_, index) => companyAt(7, index));
    const people = companies.flatMap(({ prospects }) => prospects);
    expect(new Set(companies.map(({ id }) => id)).size).toBe(5_000);
    expect(new Set(companies.map(({ domain }) => domain)).size).toBe(5_000);
    expect(new Set(people.map(({ id }) => id)).size).toBe(people.length);
    expect(new Set(people.map(({ email }) => email)).size).toBe(people.length);
    const names = Array.from({ length: 131_072 }, (_, index) => outlineAt(7, index).name);
    expect(new Set(names).size).toBe(131_072);
  });

  it('differs between seeds', () => {
    expect(companyAt(1, 42)).not.toEqual(companyAt(2, 42));
    expect(companyAt(1, 42).id).not.toBe(companyAt(2, 42).id);
  });

  it('uses reserved domains only, with one to three people at the domain of their company', () => {
    fc.assert(
      fc.property(seed, index, (seed, index) => {
        const { domain, website_url, prospects, email } = companyAt(seed, index);
        expect(domain).toMatch(/^[a-z]+-\d{5,}\.example$/);
        expect(website_url).toBe(`https://www.${domain}`);
        expect([null, `info@${domain}`]).toContain(email);
        expect([1, 2, 3]).toContain(prospects.length);
        for (const person of prospects) expect(person.email).toMatch(new RegExp(`^[a-z]+\\.[a-z]+@${domain}$`));
      }),
    );
  });
});

describe('indexOfDomain', () => {
  it('returns the index of a generated domain, and null for any other domain', () => {
    fc.assert(
      fc.property(seed, index, (seed, index) => {
        const { domain } = outlineAt(seed, index);
        expect(indexOfDomain(seed, domain)).toBe(index);
        expect(indexOfDomain(seed, `x${domain}`)).toBeNull();
      }),
    );
    expect(indexOfDomain(1, 'acme.com')).toBeNull();
    expect(indexOfDomain(1, 'brightforge-99999999999.example')).toBeNull();
  });
});

describe('resolveRow', () => {
  it('keeps submitted values and recognises generated companies', () => {
    const known = companyAt(3, 99);
    const row = { company_name: 'As the client writes it', website_url: known.website_url, external_id: '4711' };
    expect(resolveRow(3, row)).toMatchObject({
      id: known.id,
      domain: known.domain,
      city: known.city,
      name: 'As the client writes it',
      source_id: '4711',
    });
  });

  it('generates other companies from their domain, each with its own id', () => {
    const strangers = Array.from({ length: 3_000 }, (_, place) =>
      resolveRow(1, { company_name: 'Acme', website_url: `https://acme-${place}.test/about` }),
    );
    expect(new Set(strangers.flatMap(({ id, prospects }) => [id, ...prospects.map(({ id }) => id)])).size).toBe(
      strangers.reduce((sum, { prospects }) => sum + 1 + prospects.length, 0),
    );
    expect(strangers[0]).toMatchObject({ domain: 'acme-0.test', website_url: 'https://acme-0.test/about' });
  });

  it('never generates an email address at a real domain', () => {
    const { email, prospects, domain } = resolveRow(1, { company_name: 'A', website_url: 'https://real.com' });
    expect(domain).toBe('real.com');
    const addresses = [email, ...prospects.map(({ email }) => email)].filter((address) => typeof address === 'string');
    expect(addresses.filter((address) => !address.endsWith('@real.com.example'))).toEqual([]);
  });

  it('resolves a row without a website to the same company every time', () => {
    const row = { company_name: 'Müller & Söhne', city: 'Köln' };
    expect(resolveRow(1, row)).toEqual(resolveRow(1, { ...row }));
    expect(resolveRow(1, row).id).not.toBe(resolveRow(1, { ...row, city: 'Bonn' }).id);
    expect(resolveRow(1, row).domain).toMatch(/^muller-sohne-[a-z0-9]+\.example$/);
  });
});
