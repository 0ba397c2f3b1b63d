import { isIP } from 'node:net';
import { trimEndOf } from '../untrusted/trim-end.ts';

/** Reserved names (RFC 6761, 6762, 8375, ICANN on .internal), and names without a dot, which only a private network knows. */
const privateName = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/**
 * Where a redirect of a download leads, or, as a text, why nobody goes there. Files may lie on any public https host.
 * Plain http is followed on the service's own host only, where the service itself is plain http. IP addresses and names
 * of private networks are refused on any host but the service's own: a file is not worth a request into somebody's
 * network. What a name resolves to is not looked at. Nothing of the address is in the answer: it is often a key in itself.
 */
export function fileAddress(location: string | null, from: URL, service: URL): URL | string {
  const url = location === null ? null : URL.parse(location, from.href);
  if (url === null) return 'without an address';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'to something else than http';
  if (url.username !== '' || url.password !== '') return 'to an address with a user name or a password';
  const isServiceHost = url.hostname === service.hostname;
  if (url.protocol === 'http:' && !(isServiceHost && service.protocol === 'http:')) return 'to plain http';
  if (!isServiceHost && isPrivate(url.hostname)) return 'to an IP address or a name of a private network';
  return url;
}

/** The parser of URLs has brought every spelling of an IP address (0x7f.1, 2130706433) to the usual one. */
function isPrivate(hostname: string): boolean {
  const name = trimEndOf(hostname, '.');
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || privateName.test(name);
}
