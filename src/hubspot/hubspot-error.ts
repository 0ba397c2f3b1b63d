import { answerTooLarge } from '../http/bounded-body.ts';
import { jsonLimits } from '../json/json-limits.ts';
import { toPrintable } from '../text/printable-text.ts';
import { ExplainedError } from '../text/explained-error.ts';

/** What went wrong with one call, or with one row of a batch. Nothing here holds a property value, a body or an address. */
export interface HubSpotErrorFacts {
  /**
   * `http`: refused with a status (a row of a batch carries the status of its batch's answer); `connection`: no answer, outcome unknown;
   * `timeout`: no complete answer in time, outcome unknown; `cancelled`: the caller's signal; `answer`: answered, but not usably (see `code`);
   * `held`: not sent, since a limit or HubSpot's own request would have made it wait for longer than anybody should (`retryAfterSeconds`).
   */
  readonly kind: 'http' | 'connection' | 'timeout' | 'cancelled' | 'answer' | 'held';
  readonly method: string;
  readonly path: string;
  readonly status?: number | undefined;
  readonly category?: string | undefined;
  /** HubSpot's code, the system's (`ECONNRESET`), or one of ours for kind `answer`. */
  readonly code?: string | undefined;
  /** Which limit a 429 met: DAILY, TEN_SECONDLY_ROLLING or SECONDLY. */
  readonly policyName?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Scopes of which the token holds none, of a call that needs one of them. */
  readonly requiredScopes?: readonly string[] | undefined;
  /** What portal or kind of portal was expected, and what there is; of our codes WRONG_PORTAL and WRONG_PORTAL_TYPE. */
  readonly portal?: { readonly expected: string; readonly found: string } | undefined;
  /** Internal name of the property that was refused. */
  readonly property?: string | undefined;
  readonly traceIds?: readonly string[] | undefined;
  /** Id of the record that a conflict names as the one which holds the value already. */
  readonly existingId?: string | undefined;
  readonly correlationId?: string | undefined;
}

/** Our code for properties that are not in the portal; the error's `property` names them all. */
export const PROPERTY_MISSING = 'PROPERTY_MISSING';

/** The SDK's exceptions print body and headers; this one prints method, path, status and codes only, so that it may enter logs and histories. */
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

/** Queries carry cursors and property lists; a path segment may be an email address (communication preferences). */
function withoutPersonalData(path: string): string {
  const [withoutQuery = ''] = path.split(/[?#]/, 1);
  return withoutQuery
    .split('/')
    .map((segment) => (/@|%40/i.test(segment) ? '{email}' : segment))
    .join('/');
}

interface OwnFinding {
  readonly says: string;
  readonly remedy: string;
}

const doctor = '`prospect-sync doctor` says more';

/** Our codes for answers that are not what was meant, or that must not be read. */
const ownFindings: ReadonlyMap<string, OwnFinding> = new Map([
  [
    'WRONG_PORTAL',
    {
      says: 'shows another portal than hubspot.portal_id names',
      remedy: 'check hubspot.token and hubspot.portal_id',
    },
  ],
  [
    'WRONG_PORTAL_TYPE',
    {
      says: 'shows another kind of portal than hubspot.account_type names',
      remedy: 'check hubspot.token and hubspot.account_type',
    },
  ],
  [
    PROPERTY_MISSING,
    { says: 'does not list what is needed', remedy: `create it in HubSpot, or take it out of the mapping; ${doctor}` },
  ],
  [
    'PROPERTY_READ_ONLY',
    { says: 'lists as read-only what is mapped', remedy: `take it out of the mapping; ${doctor}` },
  ],
  [
    'PROPERTY_TYPE_DIFFERS',
    {
      says: 'lists as of another type what is written',
      remedy: `map the field to another property, or give it a transform; ${doctor}`,
    },
  ],
  [
    'PROPERTY_OPTION_MISSING',
    { says: 'lists without the options that are written', remedy: `add them in HubSpot, or map otherwise; ${doctor}` },
  ],
  [
    'ANSWER_REDIRECTED',
    { says: 'was answered with a redirect, which is not followed', remedy: 'correct hubspot.base_url' },
  ],
  [
    'ANSWER_TOO_LARGE',
    { says: `was answered ${answerTooLarge}`, remedy: 'check hubspot.base_url and proxies between' },
  ],
  [
    'ANSWER_BEYOND_LIMITS',
    {
      says: `was answered with ${jsonLimits} (100,000 where it answers a POST)`,
      remedy: 'check hubspot.base_url and proxies between',
    },
  ],
  ['PROPERTY_NOT_UNIQUE', { says: 'lists as not unique what records are found by', remedy: doctor }],
]);

function toFinding({ kind, code = '' }: HubSpotErrorFacts): OwnFinding | undefined {
  return kind === 'answer' ? ownFindings.get(code) : undefined;
}

function toOutcome(facts: HubSpotErrorFacts): string {
  const { kind, status, policyName } = facts;
  if (kind === 'http') return `failed with status ${status ?? 'unknown'}`;
  if (kind === 'connection') return 'got no answer';
  if (kind === 'timeout') return 'timed out';
  if (kind === 'cancelled') return 'was cancelled';
  if (kind === 'held') return `was not sent: ${policyName === 'DAILY' ? daySpent : 'HubSpot asked for a pause'}`;
  return toFinding(facts)?.says ?? 'got an answer that cannot be used';
}

/** Said also where nothing is left at all. */
const daySpent = "what is left of the day's calls is kept for others, as hubspot.budget.daily_reserve_percent says";

function toDetail(facts: HubSpotErrorFacts): string {
  const { kind, policyName, code, category, property, requiredScopes = [], portal, retryAfterSeconds } = facts;
  const reason = policyName ?? code ?? category;
  const scopes = requiredScopes.length === 0 ? undefined : requiredScopes.join(' or ');
  const portals = portal && `expected ${portal.expected}, found ${portal.found}`;
  const words = [reason, property, scopes, portals].filter((word) => word !== undefined);
  const held =
    kind === 'held' && retryAfterSeconds !== undefined ? `goes on in ${toWait(retryAfterSeconds)}` : undefined;
  const next = toFinding(facts)?.remedy ?? held;
  return `${words.length === 0 ? '' : ` (${words.join(': ')})`}${next === undefined ? '' : `; ${next}`}`;
}

function toWait(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
