import * as fc from 'fast-check';
import { checkPublicUrl, isPublicAddress, mayConnect, parseAllowance } from '../../../src/base/http/public-address.ts';
import { runsOf } from '../../helpers/sample.ts';

const nothing = parseAllowance([]);
const split = (words: string) => words.trim().split(/\s+/);

function refusal(text: string, entries: readonly string[] = []): string | null {
  const found = checkPublicUrl(text, { allowed: parseAllowance(entries) });
  return found === null ? null : `${found.error}: ${found.reason}`;
}

describe('isPublicAddress', () => {
  // The first and last address of each block, and their neighbours outside it.
  it.each(
    split(`
      0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255 127.0.0.1
      127.255.255.254 169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1
      192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.255 240.0.0.1
      255.255.255.255 168.63.129.16 :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:a00:1 ::ffff:0:7f00:1 64:ff9b::7f00:1
      64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:1ff:ffff:: 2001:db8::1 2002:7f00:1:: 3fff::1 3fff:fff:ffff::
      1fff:ffff:: 4000:: 5f00::1 8000::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1
      2606:4700::1111%eth0
    `),
  )('rejects %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it.each(
    split(`
      1.0.0.0 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15
      168.63.129.17 169.253.255.255 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255
      198.20.0.0 223.255.255.255 ::ffff:8.8.8.8 ::ffff:808:808 2001:200::1 2001:4860:4860::8888 2003::1
      2606:4700::1111 2a00:1450::1 3fff:1000::1
    `),
  )('accepts %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  it.each(['', 'localhost', '127.1', '8.8.8', '[2606:4700::1111]', '8.8.8.8 ', '08.8.8.8'])(
    'rejects %j, which is not an address',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  it('treats a mapped address like the one inside it', () => {
    const property = fc.property(fc.ipV4(), (ip) => {
      expect(isPublicAddress(`::ffff:${ip}`)).toBe(isPublicAddress(ip));
    });
    fc.assert(property, { numRuns: runsOf(500) });
  });
});

describe('checkPublicUrl', () => {
  it.each(
    split(`
      https://hooks.example.com/in?key=1 https://hooks.example.com:8443/ https://HOOKS.Example.COM./in
      https://münchen.example/in https://8.8.8.8/in https://[2606:4700::1111]/in https://localhost.example.com/in
      https://mylocalhost.example/in https://internal.example.com/in https://nothome.arpa/in
      https://lan.example.com/in https://wlan.example/in
    `),
  )('accepts %s', (text) => {
    expect(refusal(text)).toBeNull();
  });

  it.each(['', 'hooks.example.com', 'https://', 'https://exa mple.com/', 'https://[::1', 'https://256.1.1.1/', '/in'])(
    'rejects %j, which is not a URL',
    (text) => {
      expect(refusal(text)).toBe('invalid_address: is not a URL');
    },
  );

  it.each(['http://hooks.example.com/', 'ftp://hooks.example.com/', 'file:///etc/passwd', 'localhost:3000', 'data:,x'])(
    'rejects the scheme of %s',
    (text) => {
      expect(refusal(text)).toBe('invalid_address: does not begin with https://');
    },
  );

  it.each(['https://user@hooks.example.com/', 'https://:pass@hooks.example.com/', 'https://8.8.8.8@127.0.0.1/'])(
    'rejects the user information in %s',
    (text) => {
      expect(refusal(text)).toBe('invalid_address: contains a user name or a password');
    },
  );

  it.each([
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://①②⑦.⓪.⓪.①/',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https:127.0.0.1/',
    'https:\\\\127.0.0.1\\in',
    'https://12\t7.0.0.1/',
    'https://0/',
    'https://10.1.2.3:8443/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[0:0:0:0:0:ffff:7f00:1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
  ])('rejects the private IP address in %s', (text) => {
    expect(refusal(text)).toBe('private_address: is an IP address of a private or reserved network');
  });

  it.each([
    ['https://localhost/', 'names this machine'],
    ['https://LOCALHOST.:8443/', 'names this machine'],
    ['https://api.localhost/', 'names this machine'],
    ['https://receiver/', 'without a dot'],
    ['https://receiver./', 'without a dot'],
    ['https://printer.local/', 'only private networks use'],
    ['https://printer.local./', 'only private networks use'],
    ['https://metadata.google.internal/', 'only private networks use'],
    ['https://nas.home.arpa/', 'only private networks use'],
    ['https://home.arpa/', 'only private networks use'],
    ['https://localhost../', 'names this machine'],
    ['https://receiver.../', 'without a dot'],
    ['https://127.0.0.1../', 'private or reserved network'],
    ['https://nas.lan/', 'only private networks use'],
    ['https://nas.home/', 'only private networks use'],
    ['https://wiki.corp../', 'only private networks use'],
    ['https://hooks.default.svc/', 'only private networks use'],
    ['https://hidden.onion/', 'only private networks use'],
    ['https://wiki.intranet/', 'only private networks use'],
  ])('rejects the local name in %s', (text, words) => {
    expect(refusal(text)).toMatch(new RegExp(`^private_address: .*${words}`));
  });

  it('does not repeat the address', () => {
    const property = fc.property(fc.stringMatching(/^[a-z]{12}$/), (word) => {
      for (const text of [`https://${word}`, `ftp://${word}.example`, `https://${word}@a.example`, word]) {
        expect(refusal(text)).toMatch(/^(?:private|invalid)_address: /);
        expect(refusal(text)).not.toContain(word);
      }
    });
    fc.assert(property);
  });
});

describe('parseAllowance', () => {
  it.each([
    ['http://127.0.0.1:3000/in', '127.0.0.1/32'],
    ['https://127.0.0.1/in', '127.0.0.1/32'],
    ['http://2130706433/in', '127.0.0.0/8'],
    ['http://[::ffff:127.0.0.1]/in', '127.0.0.1/32'],
    ['http://[fd00::7]/in', 'fd00::/8'],
    ['http://localhost:3000/in', 'localhost:3000'],
    ['http://localhost:3000/in', 'LOCALHOST'],
    ['http://receiver/in', 'receiver:80'],
    ['https://receiver/in', 'receiver:443'],
    ['http://[::1]:3000/in', '[::1]:3000'],
    ['http://127.0.0.1:3000/in', '127.0.0.1'],
    ['http://printer.local/in', 'printer.local'],
  ])('allows %s with %s', (text, entry) => {
    expect(refusal(text)).not.toBeNull();
    expect(refusal(text, ['10.9.8.7/32', entry])).toBeNull();
  });

  it.each([
    ['http://127.0.0.2:3000/in', '127.0.0.1/32'],
    ['http://localhost/in', '127.0.0.1/32'],
    ['http://hooks.example.com/in', '127.0.0.1/32'],
    ['http://localhost:3001/in', 'localhost:3000'],
    ['http://receiver/in', 'receiver:443'],
    ['http://a.localhost:3000/in', 'localhost:3000'],
    ['http://user@127.0.0.1/in', '127.0.0.1/32'],
    ['ftp://127.0.0.1/in', '127.0.0.1/32'],
    ['http://[::1]/in', '127.0.0.1/32'],
    ['http://8.8.8.8/in', '127.0.0.1/32'],
  ])('still rejects %s with %s', (text, entry) => {
    expect(refusal(text, [entry])).not.toBeNull();
  });

  it.each([
    '',
    '127.0.0.1/33',
    '::1/129',
    '::1',
    '127.0.0.1/',
    '127.1/8',
    'localhost/8',
    'a b',
    'http://x',
    'x:99999',
    'a@b',
  ])('rejects the entry %j, and repeats it', (entry) => {
    expect(() => parseAllowance([entry])).toThrow(RangeError);
    expect(() => parseAllowance([entry])).toThrow(JSON.stringify(entry));
  });
});

describe('mayConnect', () => {
  const url = new URL('https://hooks.example.com/in');

  it('allows public addresses, allowed networks for any name, and any address of an allowed host', () => {
    expect(mayConnect(url, '8.8.8.8', nothing)).toBe(true);
    expect(mayConnect(url, '10.0.0.1', nothing)).toBe(false);
    expect(mayConnect(url, '10.0.0.1', parseAllowance(['10.0.0.0/8']))).toBe(true);
    expect(mayConnect(url, '::ffff:10.0.0.1', parseAllowance(['10.0.0.0/8']))).toBe(true);
    expect(mayConnect(url, '10.0.0.1', parseAllowance(['hooks.example.com:443']))).toBe(true);
    expect(mayConnect(url, '10.0.0.1', parseAllowance(['hooks.example.com:80', '11.0.0.0/8']))).toBe(false);
    expect(mayConnect(url, 'not an address', parseAllowance(['10.0.0.0/8']))).toBe(false);
  });
});
