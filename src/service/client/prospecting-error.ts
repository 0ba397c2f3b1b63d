import type { FieldProblem } from '../reading/read-error.ts';
import { toPrintable } from '../../base/text/printable-text.ts';
import { ExplainedError } from '../../base/text/explained-error.ts';

/** Refused before sending, no answer, an error answer, or an unusable answer. */
export type ProspectingErrorKind =
  | 'request'
  | 'connection'
  | 'timeout'
  | 'cancelled'
  | 'http'
  /** A download was redirected to a forbidden address. */
  | 'redirect'
  /** An API call was redirected; redirects are not followed. */
  | 'api_redirect'
  | 'unreadable'
  | 'contract';

interface ProspectingFacts {
  readonly kind: ProspectingErrorKind;
  readonly method: string;
  readonly path: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly requiredScopes?: readonly string[] | undefined;
  readonly grantedScopes?: readonly string[] | undefined;
  /** Field names, rules and sizes, and the service's message without the sent values. */
  readonly detail?: string | undefined;
  readonly fields?: readonly FieldProblem[] | undefined;
  /** The body of an error answer. */
  readonly answer?: unknown;
  readonly location?: string | null | undefined;
  readonly cause?: unknown;
}

/** Thrown by every call of the service's client. Its message contains no values of requests or answers. */
export class ProspectingError extends ExplainedError {
  override readonly name = 'ProspectingError';
  readonly facts: Omit<ProspectingFacts, 'answer'>;
  readonly #answer: unknown;

  constructor({ answer, ...facts }: ProspectingFacts) {
    super(toPrintable(toMessage(facts)), facts.cause === undefined ? undefined : { cause: facts.cause });
    this.facts = facts;
    this.#answer = answer;
  }

  /** The body of an error answer. It may contain personal data: never put it into a message. */
  get answer(): unknown {
    return this.#answer;
  }

  /** True when the service may or may not have executed the call. */
  get isOutcomeUnknown(): boolean {
    const { kind, status } = this.facts;
    return (
      kind === 'connection' || kind === 'timeout' || kind === 'unreadable' || (kind === 'http' && (status ?? 0) >= 500)
    );
  }
}

/** True when the service answered that what a call names does not exist. */
export function isNotFound(error: unknown): error is ProspectingError {
  return error instanceof ProspectingError && error.facts.status === 404;
}

function toMessage({
  kind,
  method,
  path,
  status,
  code,
  requiredScopes,
  grantedScopes,
  detail,
}: ProspectingFacts): string {
  const call = `${method} ${path}`;
  const tail = detail === undefined ? '' : `: ${detail}`;
  if (kind === 'request') return `${call} was not sent${tail}`;
  if (kind === 'connection') return `${call} could not reach the service${tail}`;
  if (kind === 'timeout') return `${call} timed out${tail}`;
  if (kind === 'cancelled') return `${call} was cancelled`;
  if (kind === 'redirect') return `${call} was redirected to a forbidden address${tail}`;
  if (kind === 'api_redirect') return `${call} returned a redirect, which is not followed${tail}`;
  if (kind === 'unreadable') return `${call} returned unreadable JSON`;
  if (kind === 'contract') return `${call} returned an answer that breaks the contract${tail}`;
  const scopes =
    requiredScopes === undefined
      ? ''
      : `: the API key needs ${requiredScopes.join(', ')} and holds ${grantedScopes?.join(', ') || 'none'}`;
  return `${call} failed with status ${status}${code === undefined ? '' : ` (${code})`}${scopes}${tail}`;
}
