import { fileAddress } from '../../src/prospecting/file-address.ts';

const service = new URL('https://api.service.com/api/v1/exports/jobs/j/download');
const local = new URL('http://127.0.0.1:8080/api/v1/exports/jobs/j/download');

const lead = (location: string | null, of = service, from = of) => {
  const address = fileAddress(location, from, of);
  return typeof address === 'string' ? address : address.href;
};

describe('fileAddress', () => {
  it.each([
    ['https://files.storage.com/a?sig=1', 'https://files.storage.com/a?sig=1'],
    ['/files/a', 'https://api.service.com/files/a'],
    ['//cdn.service.com/a', 'https://cdn.service.com/a'],
  ])('goes to %s', (location, address) => expect(lead(location)).toBe(address));

  it('takes a path for one of the host that said so', () => {
    expect(lead('/b', service, new URL('https://files.storage.com/a'))).toBe('https://files.storage.com/b');
  });

  it('goes to another port of a service that is plain http itself, as a stand-in is', () => {
    expect(lead('http://127.0.0.1:9090/files/a', local)).toBe('http://127.0.0.1:9090/files/a');
    expect(lead('/files/a', local)).toBe('http://127.0.0.1:8080/files/a');
  });

  it.each<[string | null, string]>([
    [null, 'without an address'],
    ['https://', 'without an address'],
    ['http://files.storage.com/a', 'to plain http'],
    ['http://api.service.com/a', 'to plain http'],
    ['file:///etc/passwd', 'to something else than http'],
    ['data:text/csv,a', 'to something else than http'],
    ['https://user:secret@files.storage.com/a', 'to an address with a user name or a password'],
    ...['10.0.0.1', '0x7f.1', '2130706433', '8.8.8.8', '169.254.169.254', '[::1]', '[fd00::1]', '127.0.0.1.'].map(
      (host): [string, string] => [`https://${host}/a`, 'to an IP address or a name of a private network'],
    ),
    ...['localhost', 'a.localhost', 'metadata', 'files.internal', 'printer.local', 'x.home.arpa', 'LOCALHOST.'].map(
      (host): [string, string] => [`https://${host}/a`, 'to an IP address or a name of a private network'],
    ),
  ])('does not go to %s', (location, reason) => expect(lead(location)).toBe(reason));

  it('does not go from a local service to plain http elsewhere', () => {
    expect(lead('http://files.storage.com/a', local)).toBe('to plain http');
    expect(lead('http://localhost:8080/a', local)).toBe('to plain http');
  });
});
