import { answerTooLarge } from '../base/http/http-answer.ts';
import { jsonLimits } from '../base/json/json-limits.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { ExplainedError } from '../base/text/explained-error.ts';
import { describeSystemCode } from '../base/failures/system-code.ts';

/** Describes a failed call or a failed row of a batch, without property values, bodies or addresses. */
export interface HubSpotErrorFacts {
  /**
   * `http`: HubSpot returned an error status (a row has the status of its batch). `connection`, `timeout`: no complete answer, outcome
   * unknown. `cancelled`: by the caller. `answer`: an unusable answer, see `code`. `postponed`: not sent, because the wait would be too long,
   * see `retryAfterSeconds`.
   */
  readonly kind: 'http' | 'connection' | 'timeout' | 'cancelled' | 'answer' | 'postponed';
  readonly method: string;
  readonly path: string;
  readonly status?: number | undefined;
  readonly category?: string | undefined;
  /** Code of HubSpot, of the system (`ECONNRESET`), or of prospect-sync for kind `answer`. */
  readonly code?: string | undefined;
  /** The exceeded limit of a 429: DAILY, TEN_SECONDLY_ROLLING or SECONDLY. */
  readonly policyName?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Of kind `timeout`. */
  readonly timeoutMs?: number | undefined;
  /** The call needs one of these scopes, and the token has none of them. */
  readonly requiredScopes?: readonly string[] | undefined;
  /** Portal id or account type, for the codes WRONG_PORTAL and WRONG_PORTAL_TYPE. */
  readonly portal?: { readonly expected: string; readonly found: string } | undefined;
  /** Internal name of the rejected property. */
  readonly property?: string | undefined;
  readonly traceIds?: readonly string[] | undefined;
  /** Id of the record that has the conflicting value, as HubSpot names it. */
  readonly existingId?: string | undefined;
  readonly correlationId?: string | undefined;
}

/** Code of prospect-sync: the portal lacks the properties in `property`. */
export const PROPERTY_MISSING = 'PROPERTY_MISSING';

/** The message contains only method, path, status and codes, so it may be logged. Exceptions of the SDK contain body and headers. */
export class HubSpotError extends ExplainedError {
  override readonly name = 'HubSpotError';
  readonly kind: HubSpotErrorFacts['kind'];
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly category: string | undefined;
  readonly code: string | undefined;
  readonly policyName: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly property: string | undefined;
  readonly requiredScopes: readonly string[];
  readonly traceIds: readonly string[];
  readonly existingId: string | undefined;
  readonly portal: HubSpotErrorFacts['portal'];
  readonly correlationId: string | undefined;

  constructor(facts: HubSpotErrorFacts) {
    const path = withoutPersonalData(facts.path);
    super(toPrintable(`${facts.method} ${path} ${toOutcome(facts)}${toDetail(facts)}`));
    this.kind = facts.kind;
    this.method = facts.method;
    this.path = path;
    this.status = facts.status;
    this.category = facts.category;
    this.code = facts.code;
    this.policyName = facts.policyName;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.property = facts.property;
    this.requiredScopes = facts.requiredScopes ?? [];
    this.traceIds = facts.traceIds ?? [];
    this.existingId = facts.existingId;
    this.portal = facts.portal;
    this.correlationId = facts.correlationId;
  }
}

/** Drops the query; a path segment may be an email address (communication preferences). */
function withoutPersonalData(path: string): string {
  const [withoutQuery = ''] = path.split(/[?#]/, 1);
  return withoutQuery
    .split('/')
    .map((segment) => (/@|%40/i.test(segment) ? '{email}' : segment))
    .join('/');
}

interface Explanation {
  readonly outcome: string;
  readonly remedy: string;
}

const doctor = 'run `prospect-sync doctor` for details';

/** Codes of prospect-sync, for kind `answer`. */
const explanations: ReadonlyMap<string, Explanation> = new Map([
  [
    'WRONG_PORTAL',
    {
      outcome: 'returned another portal than hubspot.portal_id, or than that of the ledger',
      remedy: 'check hubspot.token and hubspot.portal_id; a ledger belongs to one portal',
    },
  ],
  [
    'WRONG_PORTAL_TYPE',
    {
      outcome: 'returned another account type than hubspot.account_type',
      remedy: 'check hubspot.token and hubspot.account_type',
    },
  ],
  [
    PROPERTY_MISSING,
    {
      outcome: 'does not contain a required property',
      remedy: `create it in HubSpot, or remove it from the mapping; ${doctor}`,
    },
  ],
  [
    'PROPERTY_READ_ONLY',
    { outcome: 'contains a mapped property that is read-only', remedy: `remove it from the mapping; ${doctor}` },
  ],
  [
    'PROPERTY_TYPE_DIFFERS',
    {
      outcome: 'contains a property of another type than the written values',
      remedy: `map the field to another property, or give it a transform; ${doctor}`,
    },
  ],
  [
    'PROPERTY_OPTION_MISSING',
    {
      outcome: 'contains a property without the written options',
      remedy: `add the options in HubSpot, or change the mapping; ${doctor}`,
    },
  ],
  ['ANSWER_REDIRECTED', { outcome: 'returned a redirect, which is not followed', remedy: 'correct hubspot.base_url' }],
  ['ANSWER_TOO_LARGE', { outcome: `was answered ${answerTooLarge}`, remedy: 'check hubspot.base_url and proxies' }],
  [
    'ANSWER_BEYOND_LIMITS',
    {
      outcome: `was answered with ${jsonLimits} (100,000 values in an answer to a batch of objects)`,
      remedy: 'check hubspot.base_url and proxies',
    },
  ],
  ['PROPERTY_NOT_UNIQUE', { outcome: 'contains an identity property whose values are not unique', remedy: doctor }],
]);

function findExplanation({ kind, code = '' }: HubSpotErrorFacts): Explanation | undefined {
  return kind === 'answer' ? explanations.get(code) : undefined;
}

function toOutcome(facts: HubSpotErrorFacts): string {
  const { kind, status, code, policyName, timeoutMs } = facts;
  if (kind === 'http') return `failed with status ${status ?? 'unknown'}`;
  if (kind === 'connection') return `got no answer${code === undefined ? '' : `: ${describeSystemCode(code)}`}`;
  if (kind === 'timeout') return `timed out: hubspot.timeout is ${timeoutMs} ms`;
  if (kind === 'cancelled') return 'was cancelled';
  if (kind === 'postponed')
    return `was not sent: ${policyName === 'DAILY' ? dailyReserve : 'HubSpot requested a pause'}`;
  return findExplanation(facts)?.outcome ?? 'returned an unusable answer';
}

const dailyReserve = 'the remaining daily calls are reserved by hubspot.budget.daily_reserve_percent';

function toDetail(facts: HubSpotErrorFacts): string {
  const { kind, policyName, code, category, property, requiredScopes = [], portal, retryAfterSeconds } = facts;
  const reason = kind === 'connection' ? undefined : (policyName ?? code ?? category);
  const scopes = requiredScopes.length === 0 ? undefined : requiredScopes.join(' or ');
  const portals = portal && `expected ${portal.expected}, found ${portal.found}`;
  const words = [reason, property, scopes, portals].filter((word) => word !== undefined);
  const delay =
    kind === 'postponed' && retryAfterSeconds !== undefined
      ? `possible again in ${toWait(retryAfterSeconds)}`
      : undefined;
  const next = findExplanation(facts)?.remedy ?? delay;
  return `${words.length === 0 ? '' : ` (${words.join(': ')})`}${next === undefined ? '' : `; ${next}`}`;
}

function toWait(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
