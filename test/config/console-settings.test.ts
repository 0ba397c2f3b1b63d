import { hashPassword } from '../../src/base/password-hash.ts';
import { env as keys, head, read, refuse, rulesOf } from './config-harness.ts';

let env: Record<string, string>;
beforeAll(async () => {
  env = { ...keys, HASH: await hashPassword('correct horse') };
});

const withConsole = (settings: string) => `${head}runs: {}\nconsole: {${settings}}\n`;
const url = 'public_url: "https://console.example.com"';
const users = 'users: [{name: olga, password: {env: HASH}}]';

describe('console', () => {
  it('is for this machine only without settings', () => {
    expect(read(`${head}runs: {}\n`).console).toEqual({ signIn: null, personalData: 'shown' });
  });

  it('has users whose hashes are not shown, and networks of proxies', () => {
    const { signIn: settings, personalData } = read(
      withConsole(`${url}, ${users}, trusted_proxies: [127.0.0.1, "fd00::/8"]`),
      env,
    ).console;
    expect(personalData).toBe('masked');
    expect(settings?.publicUrl.host).toBe('console.example.com');
    expect(settings?.users.get('olga')?.reveal()).toBe(env['HASH']);
    expect(settings?.trustedProxies.check('fd00::1', 'ipv6')).toBe(true);
    expect(JSON.stringify([...(settings?.users ?? [])])).toBe('[["olga","***"]]');
  });

  it.each([
    ['a public_url alone', url, 'console: has no way to sign in'],
    ['users without a public_url', users, 'console: needs public_url'],
    [
      'users and a header',
      `${url}, ${users}, proxy_user_header: X-User, trusted_proxies: [::1]`.replace('::1', '"::1"'),
      'console.proxy_user_header: must not be set beside users',
    ],
    ['a header of any peer', `${url}, proxy_user_header: X-User`, 'console.proxy_user_header: needs trusted_proxies'],
    [
      'a proxy that is everybody',
      `${url}, ${users}, trusted_proxies: [0.0.0.0/0]`,
      'console.trusted_proxies[0]: must be an IP address or a network such as 10.1.0.0/16, and not all addresses',
    ],
    [
      'one name twice',
      `${url}, users: [{name: a, password: {env: HASH}}, {name: a, password: {env: HASH}}]`,
      'console.users[1].name: is the name of another user too',
    ],
    [
      'plain http to another machine',
      `public_url: "http://console.example.com", ${users}`,
      'console.public_url: must be https: plain http to another machine exposes passwords and pages on the network',
    ],
    ['a path', `public_url: "https://example.com/console", ${users}`, 'console.public_url: must be without a path'],
    [
      'a password in place of its hash',
      `${url}, users: [{name: a, password: {env: KEY}}]`,
      'console.users[0].password.env: environment variable KEY must hold a password hash; prospect-sync secrets hash-password makes it',
    ],
  ])('refuses %s', (_, settings, rule) => {
    expect(rulesOf(refuse(withConsole(settings), env))).toEqual([rule]);
  });

  it('accepts plain http to this machine, and elsewhere with allow_http', () => {
    for (const settings of ['public_url: "http://127.0.0.1:8788"', 'public_url: "http://console", allow_http: true'])
      expect(read(withConsole(`${settings}, ${users}`), env).console.signIn).not.toBeNull();
  });
});
