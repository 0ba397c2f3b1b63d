import * as fc from 'fast-check';
import { companyDomain, companyKey, contactEmail, contactKey, ownDomain } from '../../src/mapping/identity.ts';
import { company } from './fixtures.ts';

const domainOf = (website_url: string | null, domain: string | null = null) => companyDomain({ website_url, domain });

describe('companyDomain', () => {
  it.each([
    ['https://www.acme.example', 'acme.example'],
    ['http://acme.example/about?x=1#top', 'acme.example'],
    ['www.acme.example', 'acme.example'],
    ['acme.example', 'acme.example'],
    ['  HTTPS://WWW.Acme.Example:8443/ ', 'acme.example'],
    ['https://acme.example.', 'acme.example'],
    ['https://shop.acme.example', 'shop.acme.example'],
    ['https://acme.co.uk', 'acme.co.uk'],
    ['https://www.müller-bäcker.example', 'xn--mller-bcker-r8a91a.example'],
    ['https://acme.github.io', 'acme.github.io'],
  ])('reads %s', (website, domain) => {
    expect(domainOf(website)).toBe(domain);
  });

  it.each([
    null,
    '',
    'acme',
    'http://',
    'https://gmail.com',
    'https://mail.gmx.de',
    'www.web.de/~acme',
    'https://www.linkedin.com/company/acme',
    'https://de.linkedin.com/company/acme',
    'https://facebook.com/acme',
    'https://sites.google.com/view/acme',
    'https://linktr.ee/acme',
  ])('has none for %s', (website) => {
    expect(domainOf(website)).toBeNull();
  });

  it('prefers the domain that the service names to the website', () => {
    expect(domainOf('https://landing.example', 'acme.example')).toBe('acme.example');
    expect(domainOf('https://acme.example', null)).toBe('acme.example');
  });
});

describe('ownDomain', () => {
  it.each([
    ['https://www.Acme.example/de', 'acme.example'],
    ['acme.co.uk', 'acme.co.uk'],
    ['https://acme.github.io', 'acme.github.io'],
    ['https://github.com/acme', null],
    ['https://de.linkedin.com/company/acme', null],
    ['WWW.FACEBOOK.COM/acme', null],
    ['mail.gmx.net', null],
    ['facebook.com.acme.example', 'facebook.com.acme.example'],
    ['acme', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('is for %j %j', (address, domain) => {
    expect(ownDomain(address)).toBe(domain);
  });
});

describe('companyKey', () => {
  it('is the domain, or the id of a company without one of its own', () => {
    expect(companyKey(company({ domain: 'www.ACME.example' }))).toBe('acme.example');
    const shared = company({ domain: null, website_url: 'https://facebook.com/acme' });
    expect(companyKey(shared)).toBe(`id:${shared.id}`);
    expect(companyKey({ id: shared.id })).toBe(`id:${shared.id}`);
  });

  it('is the same for every way to write a website', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}[a-z0-9]$/);
    const scheme = fc.constantFrom('http://', 'https://', 'HTTPS://', '');
    const prefix = fc.constantFrom('www.', 'WWW.', '');
    const end = fc.constantFrom('', '/', '/about', ':443', '?a=b', '.');
    fc.assert(
      fc.property(label, scheme, prefix, end, (name, start, www, tail) => {
        const website_url = `${start}${www}${name}.example${tail}`;
        expect(companyKey(company({ domain: null, website_url }))).toBe(`${name}.example`);
      }),
    );
  });
});

describe('contactKey', () => {
  it('stays what it is from release to release: a new key makes a second contact', () => {
    expect(contactKey({ email: 'anna.abel@acme.example' })).toBe('3d7c54cb5ec8ea9d5e8dbdced434f4e5');
  });

  it('is a digest that never contains the address', () => {
    const words = fc.stringMatching(/^[a-z]{3,20}$/);
    fc.assert(
      fc.property(fc.emailAddress(), words, words, (email, first, last) => {
        for (const address of [email, `${first}.${last}@acme.example`]) {
          const key = contactKey({ email: address }) ?? '';
          expect(key).toMatch(/^[0-9a-f]{32}$/);
          expect(key).not.toContain(address.toLowerCase());
        }
      }),
    );
  });

  it('is the same for every way to write an address, and differs for every other', () => {
    const padding = fc.constantFrom('', ' ', '\t', '\n ');
    fc.assert(
      fc.property(fc.emailAddress(), fc.emailAddress(), padding, (one, other, space) => {
        expect(contactKey({ email: `${space}${one.toUpperCase()}${space}` })).toBe(contactKey({ email: one }));
        fc.pre(one.toLowerCase() !== other.toLowerCase());
        expect(contactKey({ email: other })).not.toBe(contactKey({ email: one }));
      }),
    );
  });

  it.each([null, '', '  '])('is none without an address (%j)', (email) => {
    expect(contactKey({ email })).toBeNull();
    expect(contactEmail({ email })).toBeNull();
  });
});
