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
export class HubSpotError extends Error {
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
    super(`${facts.method} ${path} ${toOutcome(facts)}${toDetail(facts)}`);
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
  return path.replace(/[?#].*$/s, '').replaceAll(/[^/]*(?:@|%40)[^/]*/gi, '{email}');
}

function toOutcome({ kind, status }: HubSpotErrorFacts): string {
  if (kind === 'http') return `failed with status ${status ?? 'unknown'}`;
  if (kind === 'connection') return 'got no answer';
  if (kind === 'timeout') return 'timed out';
  if (kind === 'cancelled') return 'was cancelled';
  if (kind === 'held') return 'was not sent';
  return 'got an answer that cannot be used';
}

function toDetail({ policyName, code, category, property, requiredScopes = [], portal }: HubSpotErrorFacts): string {
  const reason = policyName ?? code ?? category;
  const scopes = requiredScopes.length === 0 ? undefined : requiredScopes.join(' or ');
  const portals = portal && `expected ${portal.expected}, found ${portal.found}`;
  const wayOut = code === PROPERTY_MISSING ? '`prospect-sync doctor` says more' : undefined;
  const words = [reason, property, scopes, portals, wayOut].filter((word) => word !== undefined);
  return words.length === 0 ? '' : ` (${words.join(': ')})`;
}
