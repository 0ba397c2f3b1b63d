import { types } from 'node:util';
import { ExplainedError } from '../text/explained-error.ts';

/** No Temporal service can be had or used. `reason` says which step failed; the message says what to do. */
export class TemporalUnavailableError extends ExplainedError {
  override readonly name = 'TemporalUnavailableError';
  readonly reason: 'not-found' | 'not-started' | 'unreachable' | 'namespace' | 'search-attributes' | 'configuration';

  constructor(reason: TemporalUnavailableError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The innermost cause, in one line: `fetch failed` says less than the `getaddrinfo ENOTFOUND` beneath it. */
export function causeOf(error: unknown): string {
  let innermost = error;
  while (types.isNativeError(innermost) && innermost.cause !== undefined) innermost = innermost.cause;
  const text = types.isNativeError(innermost) ? innermost.message : String(innermost);
  return text.trim().replaceAll(/\s+/g, ' ');
}

/** `ECONNREFUSED`, `CERT_HAS_EXPIRED`. Not by instanceof: jest's Error is another than Node's own. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
