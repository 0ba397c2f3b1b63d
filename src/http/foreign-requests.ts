/**
 * Requests to a port of this machine that a page of a foreign site may have sent. A page reaches ports of this machine
 * under a name of its own that leads here (DNS rebinding): the browser then takes the answers for the page's own, and
 * only the Host header tells. Programs send no Origin.
 */
export interface RequestSource {
  readonly host: string | null | undefined;
  readonly origin: string | null | undefined;
}

export interface AllowedSources {
  /** The server listens for this machine alone, which goes by the names of its loopback address. */
  readonly isLoopback: boolean;
  /** Where pages may come from, for example `http://127.0.0.1:8233`; `same`: from this server alone. */
  readonly origins: readonly string[] | 'same';
}

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

export function isLoopbackName(hostname: string): boolean {
  return loopbackHost.test(hostname.includes(':') ? `[${hostname}]` : hostname);
}

/** Why the request is refused; null when it is not. */
export function findRefusal({ host, origin }: RequestSource, { isLoopback, origins }: AllowedSources): string | null {
  // Every browser sends a Host.
  if (isLoopback && host != null && !loopbackHost.test(host))
    return 'Refused: the Host header is no name of this machine. Use localhost or 127.0.0.1.';
  if (origin == null) return null;
  const isAllowed = origins === 'same' ? origin === `http://${host}` : origins.includes(origin);
  return isAllowed ? null : 'Refused: the request comes from a page of another origin.';
}

/** As `findRefusal`, with the answer to send. */
export function refuseForeign({ headers }: Request, allowed: AllowedSources): Response | null {
  const error = findRefusal({ host: headers.get('host'), origin: headers.get('origin') }, allowed);
  return error === null ? null : Response.json({ error }, { status: 403 });
}
