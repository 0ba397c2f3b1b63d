/**
 * The points that the specification leaves open ("not shown"), with the decision of prospect-sync. openapi.json marks each with
 * `x-assumed`, and docs/assumptions.md lists them. The texts are part of openapi.json.
 */
import { behaviourAssumptions } from './behaviour-assumptions.ts';
import { outputAssumptions, requestAssumptions } from './request-assumptions.ts';
import { webhookAssumptions } from './webhook-assumptions.ts';

interface Assumption {
  /** Question that the specification leaves open. */
  readonly about: string;
  /** Assumption of prospect-sync. */
  readonly choice: string;
  /** Setting or file to change if the real service differs. */
  readonly setting: string;
}

const inContract = 'the schema that carries the mark, in src/service/contract/';

export const assumptions = {
  A01: {
    about: "the name of a results page's array of slots",
    choice:
      '`items`; the client takes the array whose items have input_position and status, under any name and in any wrapper',
    setting: '`service.results_items` in prospect-sync.yaml; `sandbox --assume results_items=NAME`',
  },
  A02: {
    about: 'the field of a company that holds its prospects',
    choice: '`company.prospects`, an array of prospect records',
    setting: inContract,
  },
  A03: {
    about: 'the response of order creation',
    choice: '201 with the order record; 200 is accepted too',
    setting: inContract,
  },
  A04: {
    about: 'status and body of ORDER_RESULTS_NOT_READY',
    choice: '409 with code, message and order_id; also answered while the order is active',
    setting: '`sandbox --assume results_not_ready_status=NUMBER`; the client goes by the code',
  },
  A05: {
    about: 'the 422 body',
    choice: '`detail`: a list of {loc, msg, type}; the client uses it for messages only',
    setting: inContract,
  },
  A06: {
    about: 'the prospect_search_id of a profile',
    choice: 'the profile_id itself',
    setting: '`prospectSearchIdOf` in src/service/contract/assumptions.ts',
  },
  A07: {
    about: 'the order_type of an enrichment order',
    choice: '`ENRICHMENT`',
    setting: '`orderTypes` in src/service/contract/assumptions.ts',
  },
  A08: {
    about: 'the profile reference in the order body',
    choice:
      '`profile_id`, required, because "an order starts from a profile_id"; ideal_customer_profile, seller_offering and target_countries are optional overrides',
    setting: inContract,
  },
  A09: {
    about: 'the fields of a submitted company row beside external_id',
    choice: 'company_name (required), website_url, city, country, with the limits of a blacklist entry',
    setting: inContract,
  },
  A10: {
    about: 'the remaining fields of the order record',
    choice: 'order_type, title, profile_id, features, created_at, updated_at',
    setting: inContract,
  },
  A11: {
    about: 'the remaining fields of the company record',
    choice: 'see Company in openapi.json; all but id may be null',
    setting: inContract,
  },
  A12: {
    about: 'the remaining fields of the prospect record',
    choice: 'see Prospect in openapi.json; all but id may be null',
    setting: inContract,
  },
  A13: {
    about: 'scopes of order, output and delivery routes',
    choice:
      'orders:read to read, orders:write to create, delivery:read for deliveries. The "blacklist scopes" of an order with blacklists are blacklists:read only, since such an order changes no blacklist; an empty list in a discovery order counts as no blacklists',
    setting:
      '`scopes` in src/service/contract/order-operations.ts, src/service/contract/output-operations.ts and src/service/contract/delivery-operations.ts; `scopesWithBlacklists` in src/service/contract/order-operations.ts',
  },
  A14: {
    about: 'error bodies of unknown ids other than blacklists',
    choice:
      '404 with a code for the resource (ORDER_NOT_FOUND, PROFILE_NOT_FOUND …), message, resource_type, identifier',
    setting: '`errorCodes` in src/service/contract/errors.ts',
  },
  A15: {
    about: 'the 409 body of a reused Idempotency-Key',
    choice: 'code IDEMPOTENCY_KEY_CONFLICT and message',
    setting: '`errorCodes` in src/service/contract/errors.ts',
  },
  A16: {
    about: 'a request with an Idempotency-Key whose first use is still being answered',
    choice: '409 with code IDEMPOTENCY_KEY_IN_USE; the client waits and sends the same request again',
    setting: '`errorCodes` in src/service/contract/errors.ts',
  },
  A17: {
    about: 'whether Idempotency-Key is required on order creation',
    choice: 'optional, always sent by the client',
    setting: inContract,
  },
  A18: {
    about: 'unknown fields and query keys in a request',
    choice: 'refused with 422',
    setting: '`sandbox --assume unknown_request_fields=ignore`',
  },
  A19: {
    about: 'rate limits',
    choice: 'none unless a fault rule sets them; the client obeys 429 with Retry-After',
    setting: 'none needed',
  },
  A20: {
    about: 'the 429 and 5xx bodies',
    choice: 'code and message, RATE_LIMITED or INTERNAL_ERROR; the client also accepts an empty body or one of a proxy',
    setting: inContract,
  },
  A21: {
    about: 'output statuses beside COMPLETED and FAILED',
    choice: 'PENDING and RUNNING',
    setting: '`outputStatuses` in src/service/contract/enum-values.ts',
  },
  A22: {
    about: 'the body of POST export, and where exports are listed',
    choice: 'output_type csv or xlsx, output_language; exports are in the list of outputs',
    setting: inContract,
  },
  A23: {
    about: 'status and shape of output responses',
    choice: '202 on creation, 200 on reading; the output record',
    setting: inContract,
  },
  A24: {
    about: 'the legacy deliveries listing',
    choice: 'companies, total, limit, offset, has_more',
    setting: inContract,
  },
  A25: {
    about: 'the website-markdown response',
    choice: 'markdown, observed_at, urls, content_fingerprint',
    setting: inContract,
  },
  A26: { about: 'smallest and largest limit of the outputs list', choice: '1 and 100', setting: inContract },
  A27: {
    about: 'the domain that is extracted from a URL for blacklist matching',
    choice: 'the host in lower case and punycode, without `www.`, port and trailing dot; subdomains stay distinct',
    setting: '`domainOf` in src/service/contract/matching.ts',
  },
  A28: {
    about: 'how company names and cities are compared',
    choice: 'Unicode NFKC, case folded, white space collapsed; no other change',
    setting: '`comparableName` in src/service/contract/matching.ts',
  },
  A29: {
    about: 'whether a lower tier is tried for an entry that has the key of a higher tier',
    choice: 'yes: the tiers are tried from highest to lowest, and the first that matches is reported',
    setting: '`createBlacklistIndex` in src/service/contract/matching.ts',
  },
  A30: {
    about: 'upper limits of profile and order texts',
    choice: 'none',
    setting:
      '`profileInputSchema` in src/service/contract/profile.ts; `orderInputSchema` in src/service/contract/order.ts',
  },
  A31: {
    about: 'requests to live pipeline routes',
    choice: '/api/v1/companies and /api/v1/prospects answer 403 API_KEY_ROUTE_FORBIDDEN',
    setting: '`closedRoutes` in src/service/contract/assumptions.ts',
  },
  A32: { about: 'company_size_min above company_size_max', choice: 'refused with 422', setting: inContract },
  A33: {
    about: 'entry_ids of a remove request that are not in the blacklist',
    choice: 'ignored with 204, so that a removal can be repeated',
    setting: 'none: the client reads the entries back',
  },
  A34: {
    about:
      'RESULT_LIMIT_EXCEEDED, "discovery only", against "only found companies, each with status ENRICHED" (Results rule 5)',
    choice:
      'PARTIAL slots after the requested quantity, counted as annotated and as available; no reasons in the summary',
    setting: 'none: the client counts any slot by its own status and reason',
  },
  A35: {
    about: 'what changes the updated_at of a blacklist',
    choice:
      'changes of name, description and entries; assignments do not, and neither does a PATCH without fields or with the present values',
    setting: 'none: the client does not read it',
  },
  A36: {
    about: 'the company of a DUPLICATE or BLOCKED slot',
    choice: "present, without prospects; a duplicate has the earlier row's company with its own source_id",
    setting: 'none: the client takes contacts from ENRICHED slots only',
  },
  A37: {
    about: 'the source_id of a discovered company',
    choice: 'a register number that the sandbox makes up, so that the first matching tier can be reached',
    setting: 'none: the client also reads null',
  },
  ...outputAssumptions,
  ...requestAssumptions,
  ...webhookAssumptions,
  ...behaviourAssumptions,
} as const satisfies Record<string, Assumption>;

export type AssumptionId = keyof typeof assumptions;

/** A07: the specification names DISCOVERY only. */
export const orderTypes = ['DISCOVERY', 'ENRICHMENT'] as const;

/** A06 */
export function prospectSearchIdOf(profile: { profile_id: string }): string {
  return profile.profile_id;
}

/** A31 */
export const closedRoutes = ['/api/v1/companies', '/api/v1/prospects'] as const;
