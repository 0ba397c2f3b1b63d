import { fileAddress } from '../../../src/base/http/public-fetch.ts';

const service = new URL('https://api.service.com/api/v1/exports/jobs/j/download');
const local = new URL('http://127.0.0.1:8080/api/v1/exports/jobs/j/download');

const noHttps = 'to an address that does not begin with https://';

const lead = (location: string | null, of = service, from = of) => {
  const address = fileAddress(location, from, of);
  return typeof address === 'string' ? address : address.href;
};

describe('fileAddress', () => {
  it.each([
    ['https://files.storage.com/a?sig=1', 'https://files.storage.com/a?sig=1'],
    ['/files/a', 'https://api.service.com/files/a'],
    ['//cdn.service.com/a', 'https://cdn.service.com/a'],
    ['https://files.storage.com:443/a', 'https://files.storage.com/a'],
  ])('allows %s', (location, address) => expect(lead(location)).toBe(address));

  it('resolves a path against the redirecting host', () => {
    expect(lead('/b', service, new URL('https://files.storage.com/a'))).toBe('https://files.storage.com/b');
  });

  it('allows plain http on the origin of a local service, like the sandbox', () => {
    expect(lead('/files/a', local)).toBe('http://127.0.0.1:8080/files/a');
    expect(lead('http://127.0.0.1:8080/files/a', local)).toBe('http://127.0.0.1:8080/files/a');
  });

  it.each<[string | null, string]>([
    [null, 'without an address'],
    ['https://', 'without an address'],
    ['http://files.storage.com/a', noHttps],
    ['http://api.service.com/a', noHttps],
    ['file:///etc/passwd', noHttps],
    ['data:text/csv,a', noHttps],
    ['https://user:secret@files.storage.com/a', 'to an address that contains a user name or a password'],
    ['https://user:secret@api.service.com/a', 'to an address that contains a user name or a password'],
    ['https://8.8.8.8/a', 'to an address that is an IP address'],
    ['https://[2606:4700::1111]/a', 'to an address that is an IP address'],
    ['https://files.storage.com:8443/a', 'to an address that names a port'],
    ['https://api.service.com:6379/a', 'to an address that names a port'],
    ...[
      '10.0.0.1',
      '0x7f.1',
      '2130706433',
      '169.254.169.254',
      '[::1]',
      '[fd00::1]',
      '127.0.0.1.',
      '[::ffff:10.0.0.1]',
    ].map((host): [string, string] => [
      `https://${host}/a`,
      'to an address that is an IP address of a private or reserved network',
    ]),
    ...['localhost', 'a.localhost', 'LOCALHOST.'].map((host): [string, string] => [
      `https://${host}/a`,
      'to an address that names this machine',
    ]),
    ...['files.internal', 'printer.local', 'x.home.arpa', 'files.corp'].map((host): [string, string] => [
      `https://${host}/a`,
      'to an address that has a host name that only private networks use',
    ]),
    ['https://metadata/a', 'to an address that has a host name without a dot, which only a private network knows'],
  ])('rejects %s', (location, reason) => expect(lead(location)).toBe(reason));

  it.each([
    ['http://files.storage.com/a', noHttps],
    ['http://localhost:8080/a', noHttps],
    ['http://127.0.0.1:6379/a', noHttps],
    ['https://127.0.0.1/a', 'to an address that is an IP address of a private or reserved network'],
  ])('rejects %s for a local service', (location, reason) => expect(lead(location, local)).toBe(reason));
});
