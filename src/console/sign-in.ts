/** Who may see the console from other machines: users with a password, or those whom a trusted proxy names. */
import { isIP, type BlockList } from 'node:net';
import { auth } from 'hono/utils/basic-auth';
import { refuseForeign } from '../base/http/foreign-requests.ts';
import type { SignInConfig } from '../config/console-settings.ts';
import type { ConsoleAccess } from './console-access.ts';
import { createPasswordCheck, type CheckDependencies } from './password-check.ts';

/** A header that was sent twice has a comma. */
const userName = /^[^,\p{C}]{1,100}$/u;

export function createSignIn(settings: SignInConfig, dependencies: CheckDependencies): ConsoleAccess {
  const { publicUrl, users, userHeader, trustedProxies } = settings;
  const sources = { isLocalOnly: false, host: publicUrl.host, origins: [publicUrl.origin] };
  const check = createPasswordCheck(users, dependencies);

  async function findUser(request: Request, peer: string): Promise<string | Response> {
    if (userHeader !== null) {
      if (!isIn(peer, trustedProxies))
        return refuse(403, 'Refused: the connection does not come from a proxy in console.trusted_proxies.');
      const user = request.headers.get(userHeader)?.trim() ?? '';
      return userName.test(user) ? user : refuse(403, `Refused: the proxy has named no user in ${userHeader}.`);
    }
    const given = auth(request);
    if (given === undefined) return askToSignIn('Sign in with a name and a password.');
    const address = findClient(peer, request.headers.get('x-forwarded-for'), trustedProxies);
    const { username: name, password } = given;
    const result = await check({ name, password, address });
    if (result === 'right') return name;
    if (result === 'limited')
      return refuse(429, 'Too many wrong passwords: try again in a minute.', { 'retry-after': '60' });
    return askToSignIn('The name or the password is wrong.');
  }

  return async (request, peer) => {
    const foreign = refuseForeign(request, sources);
    if (foreign !== null) return { refusal: foreign };
    // A browser sends the Origin with every form.
    if (!['GET', 'HEAD'].includes(request.method) && !request.headers.has('origin'))
      return { refusal: refuse(403, 'Refused: the request does not say from which page it comes.') };
    const user = await findUser(request, peer);
    return typeof user === 'string' ? { user, root: '', request } : { refusal: user };
  };
}

function askToSignIn(error: string): Response {
  return refuse(401, error, { 'www-authenticate': 'Basic realm="prospect-sync", charset="UTF-8"' });
}

function refuse(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ error }, { status, headers });
}

/** The nearest address that is no trusted proxy: what stands left of it may be invented. */
function findClient(peer: string, forwarded: string | null, proxies: BlockList): string {
  const farther = (forwarded ?? '').split(',').map((address) => address.trim());
  const nearest = [peer, ...farther.toReversed()].filter((address) => address !== '');
  return nearest.find((address) => !isIn(address, proxies)) ?? peer;
}

/** An IPv4 address in its IPv6 form is in the networks of IPv4 too. */
function isIn(address: string, networks: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && networks.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
