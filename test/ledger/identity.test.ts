import * as fc from 'fast-check';
import { adoptionDomains, companyDomain, companyKey, contactEmail, contactKey } from '../../src/ledger/identity.ts';
import { company } from '../delivery/mapping/slot-builders.ts';

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
  ])('reads the domain of %s', (website, domain) => {
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
  ])('is null for %s', (website) => {
    expect(domainOf(website)).toBeNull();
  });

  it('prefers the domain from the service to that of the website', () => {
    expect(domainOf('https://landing.example', 'acme.example')).toBe('acme.example');
    expect(domainOf('https://acme.example', null)).toBe('acme.example');
  });
});

describe('companyKey', () => {
  it('is the domain, or the id of a company without its own domain', () => {
    expect(companyKey(company({ domain: 'www.ACME.example' }))).toBe('acme.example');
    const shared = company({ domain: null, website_url: 'https://facebook.com/acme' });
    expect(companyKey(shared)).toBe(`id:${shared.id}`);
    expect(companyKey({ id: shared.id })).toBe(`id:${shared.id}`);
  });

  it('is the same for every spelling of a website', () => {
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

describe('adoptionDomains', () => {
  it.each([
    ['https://www.acme.de', ['acme.de']],
    ['https://shop.acme.de', ['shop.acme.de', 'acme.de']],
    ['https://a.b.acme.co.uk', ['a.b.acme.co.uk', 'acme.co.uk']],
    ['https://shop.acme.wixsite.com', ['shop.acme.wixsite.com', 'acme.wixsite.com']],
    ['https://acme.github.io/shop', ['acme.github.io']],
    ['https://www.shop.acme.jimdofree.com', ['shop.acme.jimdofree.com', 'acme.jimdofree.com']],
    ['https://acme.jimdofree.com', ['acme.jimdofree.com']],
    ['https://shop.müller.de', ['shop.xn--mller-kva.de', 'xn--mller-kva.de']],
    ['https://wixsite.com/acme', []],
    ['https://mail.gmx.de', []],
    [null, []],
  ])('contains for %s the domains %j', (website_url, domains) => {
    expect(adoptionDomains({ website_url, domain: null })).toEqual(domains);
  });

  it('starts with the key, and contains only its parent domains', () => {
    const label = fc.stringMatching(/^[a-z]{3,8}$/);
    const host = fc.tuple(label, label, fc.constantFrom('de', 'co.uk', 'github.io', 'blogspot.com', 'test'));
    fc.assert(
      fc.property(host, fc.option(label, { nil: '' }), (parts, sub) => {
        const own = company({ domain: [sub, ...parts].filter(Boolean).join('.') });
        const [first, ...others] = adoptionDomains(own);
        expect(first).toBe(companyKey(own));
        for (const other of others) expect(first?.endsWith(`.${other}`)).toBe(true);
        expect(others.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('contactKey', () => {
  it('stays the same in every release, because a new key creates a second contact', () => {
    expect(contactKey({ email: 'anna.abel@acme.example' }, company())).toBe('3d7c54cb5ec8ea9d5e8dbdced434f4e5');
  });

  it('is a digest that never contains the address', () => {
    const words = fc.stringMatching(/^[a-z]{3,20}$/);
    fc.assert(
      fc.property(fc.emailAddress(), words, words, (email, first, last) => {
        for (const address of [email, `${first}.${last}@acme.example`]) {
          const key = contactKey({ email: address }, company()) ?? '';
          expect(key).toMatch(/^[0-9a-f]{32}$/);
          expect(key).not.toContain(address.toLowerCase());
        }
      }),
    );
  });

  it('is the same for every spelling of an address, and differs for another address', () => {
    const padding = fc.constantFrom('', ' ', '\t', '\n ');
    fc.assert(
      fc.property(fc.emailAddress(), fc.emailAddress(), padding, (one, other, space) => {
        expect(contactKey({ email: `${space}${one.toUpperCase()}${space}` }, company())).toBe(
          contactKey({ email: one }, company()),
        );
        fc.pre(one.toLowerCase() !== other.toLowerCase());
        expect(contactKey({ email: other }, company())).not.toBe(contactKey({ email: one }, company()));
      }),
    );
  });

  it.each([null, '', '  '])('is null without an address (%j) and without an id', (email) => {
    expect(contactKey({ email }, company())).toBeNull();
    expect(contactKey({ email, id: null }, company())).toBeNull();
    expect(contactEmail({ email })).toBeNull();
  });

  it('depends on contact and company when there is no address', () => {
    const key = (id: string, at = company()) => contactKey({ id, email: null }, at);
    expect(key('p1')).toMatch(/^[0-9a-f]{32}$/);
    expect(key('p1', company({ domain: 'WWW.acme.example', name: 'Renamed' }))).toBe(key('p1'));
    expect(key('p2')).not.toBe(key('p1'));
    expect(key('p1', company({ domain: 'other.example' }))).not.toBe(key('p1'));
    expect(contactKey({ id: 'p1', email: 'a@b.example' }, company())).toBe(
      contactKey({ email: 'a@b.example' }, company({ domain: 'other.example' })),
    );
  });
});
