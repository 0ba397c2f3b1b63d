import { isIP } from 'node:net';
import { checkPublicUrl, parseAllowance } from './public-address.ts';

const nothing = parseAllowance([]);

/**
 * Where a redirect of a download leads, or, as a text, why it is not followed. Files may lie on the service's own origin and
 * on any public https host at its usual port: a file is no reason for a request into a private network. What a
 * name resolves to is checked when the connection is made (public-fetch.ts). The text holds nothing of the address, which
 * often is a key in itself.
 */
export function fileAddress(location: string | null, from: URL, service: URL): URL | string {
  const url = location === null ? null : URL.parse(location, from.href);
  if (url === null) return 'without an address';
  if (url.username !== '' || url.password !== '') return 'to an address that holds a user name or a password';
  if (url.origin === service.origin) return url;
  const refusal = checkPublicUrl(url.href, { allowed: nothing });
  if (refusal !== null) return `to an address that ${refusal.reason}`;
  if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return 'to an address that is an IP address';
  return url.port === '' ? url : 'to an address that names a port';
}
