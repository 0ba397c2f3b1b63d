/** The header with which a receiver requires its own key ("Setup rules", 2). */

/** RFC 9110, 5.6.2. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Printable ASCII without spaces at its ends: all that every HTTP program carries unchanged. */
const headerValue = /^[!-~](?:[ -~]*[!-~])?$/;
const longestName = 255;
const longestValue = 4_096;

/** The request's own headers, and those that belong to the connection (A72). */
const reserved = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const reservedPrefixes = ['webhook-', 'proxy-', 'sec-'];

/** Completes "The header name …" or "The header value …"; null when both can be sent. Repeats nothing of the value. */
export function keyHeaderProblem({ name, value }: { readonly name: string; readonly value: string }): string | null {
  const lower = name.toLowerCase();
  if (!headerName.test(name) || name.length > longestName) return 'name is not one of HTTP';
  if (reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))) {
    return 'name is taken: the request itself uses it';
  }
  if (value.length > longestValue) return `value is longer than ${longestValue} characters`;
  return headerValue.test(value) ? null : 'value is empty or holds what is not printable ASCII';
}
