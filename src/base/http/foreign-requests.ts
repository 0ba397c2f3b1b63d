import { BlockList, isIP } from 'node:net';

/**
 * Detects requests to a local port that a foreign web page sent. With DNS rebinding the page uses its own host name, which
 * resolves to this machine: only the Host header shows it. Programs send no Origin header.
 */
export interface RequestSource {
  readonly host: string | null | undefined;
  readonly origin: string | null | undefined;
}

export interface AllowedSources {
  /** The server listens on the loopback address only. */
  readonly isLocalOnly: boolean;
  /** The only allowed Host, in lower case. */
  readonly host?: string;
  /** Allowed origins of pages, for example `http://127.0.0.1:8233`; `same`: only this server. */
  readonly origins: readonly string[] | 'same';
}

/** Why the request is refused; null when it is not. */
export function findRefusal({ host, origin }: RequestSource, allowed: AllowedSources): string | null {
  const { isLocalOnly, origins } = allowed;
  // Every browser sends a Host.
  if (isLocalOnly && host != null && !isLoopback(host.replace(/:\d{1,5}$/, '')))
    return 'Refused: the Host header does not name this machine. Use localhost or 127.0.0.1.';
  if (allowed.host !== undefined && host?.toLowerCase() !== allowed.host)
    return 'Refused: the Host header is not the configured one. A proxy must pass it on unchanged.';
  if (origin == null) return null;
  const isAllowed = origins === 'same' ? origin === `http://${host}` : origins.includes(origin);
  return isAllowed ? null : 'Refused: the request comes from a page of another origin.';
}

/** The 403 response to a foreign request; null when it is not refused. */
export function refuseForeign({ headers }: Request, allowed: AllowedSources): Response | null {
  const error = findRefusal({ host: headers.get('host'), origin: headers.get('origin') }, allowed);
  return error === null ? null : Response.json({ error }, { status: 403 });
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True when a URL would send keys and personal data unencrypted to another machine. */
export function isPlainHttpElsewhere({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}

/** True when a name or address is this machine. An IPv6 address may have brackets. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  return family === 0 ? host.toLowerCase() === 'localhost' : loopback.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
