import type { FieldProblem } from '../shape/read-error.ts';
import { toPrintable } from '../text/printable-text.ts';
import { ExplainedError } from '../text/explained-error.ts';

/** What went wrong with a call: refused before sending, no answer, an error answer, or an answer that cannot be used. */
export type ProspectingErrorKind =
  | 'request'
  | 'connection'
  | 'timeout'
  | 'cancelled'
  | 'http'
  /** Of a file: to an address where none is fetched from. */
  | 'redirect'
  /** Of an API call: none is followed. */
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
  readonly heldScopes?: readonly string[] | undefined;
  /** Field names, rules and sizes, and the service's own text without the values that were sent. */
  readonly detail?: string | undefined;
  readonly fields?: readonly FieldProblem[] | undefined;
  /** The body of an error answer. */
  readonly answer?: unknown;
  readonly location?: string | null | undefined;
  readonly cause?: unknown;
}

/** Every failure of the service's client. Its message holds no value of any request or answer. */
export class ProspectingError extends ExplainedError {
  override readonly name = 'ProspectingError';
  readonly facts: Omit<ProspectingFacts, 'answer'>;
  readonly #answer: unknown;

  constructor({ answer, ...facts }: ProspectingFacts) {
    super(toPrintable(toMessage(facts)), facts.cause === undefined ? undefined : { cause: facts.cause });
    this.facts = facts;
    this.#answer = answer;
  }

  /** The body of an error answer, which may hold values of customers: for looking things up, never for a message. */
  get answer(): unknown {
    return this.#answer;
  }

  /** True when nobody can say whether the service did what was asked. */
  get isOutcomeUnknown(): boolean {
    const { kind, status } = this.facts;
    return (
      kind === 'connection' || kind === 'timeout' || kind === 'unreadable' || (kind === 'http' && (status ?? 0) >= 500)
    );
  }
}

function toMessage({ kind, method, path, status, code, requiredScopes, heldScopes, detail }: ProspectingFacts): string {
  const call = `${method} ${path}`;
  const tail = detail === undefined ? '' : `: ${detail}`;
  if (kind === 'request') return `${call} was not sent${tail}`;
  if (kind === 'connection') return `${call} could not reach the service${tail}`;
  if (kind === 'timeout') return `${call} had no answer in time${tail}`;
  if (kind === 'cancelled') return `${call} was cancelled`;
  if (kind === 'redirect') return `${call} was redirected where no file is fetched from${tail}`;
  if (kind === 'api_redirect') return `${call} was answered with a redirect, which is not followed${tail}`;
  if (kind === 'unreadable') return `${call} was answered, but not with readable JSON`;
  if (kind === 'contract') return `${call} was answered against the contract${tail}`;
  const scopes =
    requiredScopes === undefined
      ? ''
      : `: the API key needs ${requiredScopes.join(', ')} and holds ${heldScopes?.join(', ') || 'none'}`;
  return `${call} failed with status ${status}${code === undefined ? '' : ` (${code})`}${scopes}${tail}`;
}
