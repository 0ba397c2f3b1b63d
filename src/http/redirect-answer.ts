/** API calls never follow a redirect: it would carry method, body and key to an address that the other side chooses. */

/** The statuses that a download follows. */
export const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/** True for 3xx, and where `fetch` shows only that there was a redirect (`opaqueredirect`, status 0). */
export function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status <= 399);
}

/** `status 307 to another host`: nothing of the address itself, which may hold keys or names. */
export function describeRedirect({ status, headers }: Response, requested: string): string {
  const from = new URL(requested);
  const location = headers.get('location');
  const to = location === null ? null : URL.parse(location, from.href);
  const said = status === 0 ? 'status unknown' : `status ${status}`;
  return to === null ? said : `${said} to ${describeTarget(from, to)}`;
}

function describeTarget(from: URL, to: URL): string {
  if (to.hostname !== from.hostname) return 'another host';
  if (to.protocol !== from.protocol) return `${to.protocol === 'https:' ? 'https' : 'another scheme'} on the same host`;
  return to.port === from.port ? 'another path of the same host' : 'another port of the same host';
}
