import { types } from 'node:util';
import { ExplainedError } from '../base/text/explained-error.ts';
import { explainSystemText } from '../base/failures/system-code.ts';
import { withoutFullStop } from '../base/text/normalize-text.ts';

/** No Temporal service can be reached or used. `reason` is the failed step; the message explains what to do. */
export class TemporalUnavailableError extends ExplainedError {
  override readonly name = 'TemporalUnavailableError';
  readonly reason:
    | 'not-found'
    | 'not-started'
    | 'silent'
    | 'unreachable'
    | 'refused'
    | 'namespace'
    | 'search-attributes'
    | 'configuration';

  constructor(reason: TemporalUnavailableError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The message of the innermost cause, in one line without a full stop: `getaddrinfo ENOTFOUND` rather than `fetch failed`. */
export function causeOf(error: unknown): string {
  let innermost = error;
  while (types.isNativeError(innermost) && innermost.cause !== undefined) innermost = innermost.cause;
  const text = types.isNativeError(innermost) ? innermost.message : String(innermost);
  return explainSystemText(withoutFullStop(text.trim().replaceAll(/\s+/g, ' ')));
}
