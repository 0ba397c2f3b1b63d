import * as fc from 'fast-check';
import {
  hostOf,
  ownDomain,
  ownerOf,
  builderDomains,
  builderNames,
  hostDomains,
  mailboxDomains,
  sharedNames,
} from '../../../src/service/contract/website-domain.ts';
import { anyWebUrl } from '../../helpers/random-text.ts';
import { runsOf } from '../../helpers/sample.ts';

/** An address with this domain in any spelling. */
const written = (domain: string) =>
  fc
    .record({
      scheme: fc.constantFrom('', 'http://', 'https://', 'HTTPS://'),
      prefix: fc.constantFrom('', 'www.', 'WWW.', 'www.www.'),
      upper: fc.boolean(),
      dot: fc.constantFrom('', '.'),
      port: fc.constantFrom('', ':443', ':8080'),
      path: fc.constantFrom('', '/', '/de/about?x=1#top'),
      space: fc.constantFrom('', ' '),
    })
    .map(({ scheme, prefix, upper, dot, port, path, space }) => {
      const host = upper ? domain.toUpperCase() : domain;
      return `${space}${scheme}${prefix}${host}${dot}${port}${path}${space}`;
    });

const label = fc.stringMatching(/^[a-z][a-z0-9-]{1,10}[a-z0-9]$/);

describe('ownDomain', () => {
  it.each([
    ['https://www.Acme.example/de', 'acme.example'],
    ['acme.co.uk', 'acme.co.uk'],
    ['https://acme.github.io', 'acme.github.io'],
    ['https://acme.jimdofree.com', 'acme.jimdofree.com'],
    ['acme.blogspot.de', 'acme.blogspot.de'],
    ['facebook.com.acme.example', 'facebook.com.acme.example'],
    ['my_shop.acme.de', 'my_shop.acme.de'],
    ['gmx.acme.de', 'gmx.acme.de'],
    ['amazon.acme.de', 'amazon.acme.de'],
    ['https://github.com/acme', null],
    ['https://de.linkedin.com/company/acme', null],
    ['WWW.FACEBOOK.COM/acme', null],
    ['mail.gmx.net', null],
    ['gmx.at', null],
    ['https://app.hubspot.com/contacts/1/company/2', null],
    ['https://app-eu1.hubspot.com/contacts/1/record/0-2/2', null],
    ['https://www.hubspot.com', 'hubspot.com'],
    ['yahoo.co.jp', null],
    ['https://www.amazon.de/shops/acme', null],
    ['https://jimdofree.com', null],
    ['blogspot.co.uk', null],
    ['wixsite.com', null],
    ['https://sharepoint.com', null],
    ['onmicrosoft.com', null],
    ['https://www.canva.com/design/1', null],
    ['https://acme.my.site.com', null],
    ['www.github.io', null],
    ['co.uk', null],
    ['192.168.0.1', null],
    ['http://[::1]/', null],
    ['acme', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('is for %j %j', (address, domain) => {
    expect(ownDomain(address)).toBe(domain);
  });

  it('is the same for every spelling of an address', () => {
    const domain = fc
      .tuple(label, fc.constantFrom('de', 'co.uk', 'example', 'github.io', 'wixsite.com', 'jimdofree.com'))
      .map((parts) => parts.join('.'))
      .filter((domain) => !domain.startsWith('www') && !sharedNames.has(domain.split('.')[0] ?? ''));
    fc.assert(
      fc.property(
        domain.chain((domain) => fc.tuple(fc.constant(domain), written(domain))),
        ([domain, address]) => {
          fc.pre(ownDomain(domain) !== null);
          expect(ownDomain(address)).toBe(domain);
        },
      ),
    );
  });

  it('is null for a mailbox provider or shared host, with or without a subdomain, in any spelling', () => {
    const names = [...sharedNames].flatMap((name) => [`${name}.com`, `${name}.de`, `${name}.co.uk`]);
    const shared = fc.constantFrom(...mailboxDomains, ...hostDomains, ...names);
    const host = fc.tuple(fc.option(label, { nil: null }), shared).map((parts) => parts.filter(Boolean).join('.'));
    fc.assert(
      fc.property(host.chain(written), (address) => {
        expect(ownDomain(address)).toBeNull();
      }),
      { numRuns: runsOf(1_000) },
    );
  });

  it.each([...builderDomains, ...[...builderNames].flatMap((name) => [`${name}.de`, `${name}.com`])])(
    'is null for %s itself, and the subdomain for a company on it',
    (builder) => {
      expect(ownDomain(`https://www.${builder}/acme`)).toBeNull();
      expect(ownDomain(`https://acme.${builder}/`)).toBe(`acme.${builder}`);
      expect(ownerOf(`shop.acme.${builder}`)).toBe(`acme.${builder}`);
    },
  );
});

describe('hostOf', () => {
  it('stays the same when it is applied again', () => {
    fc.assert(
      fc.property(fc.oneof(anyWebUrl, fc.domain(), fc.string()), (text) => {
        const host = hostOf(text);
        expect(host === null ? null : hostOf(host)).toBe(host);
      }),
    );
  });
});

describe('the lists of shared domains', () => {
  it('contain normalized domains, each in one list', () => {
    const all = [...mailboxDomains, ...hostDomains, ...builderDomains];
    expect(all.filter((domain, index) => all.indexOf(domain) !== index)).toEqual([]);
    expect(all.filter((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))).toEqual([]);
    const byName = all.filter((domain) => sharedNames.has(domain.split('.')[0] ?? ''));
    expect(byName).toEqual([]);
  });
});
