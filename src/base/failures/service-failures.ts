import { retriedAutomatically, type FailureDescription } from './failure-description.ts';

const retriedFor14Days = 'No action needed; retried automatically for 14 days.';
const checkIdAndKey = 'It was deleted or belongs to another organization: check the id and the API key.';

/** Error codes of the service. */
export const serviceCodes = {
  UNAUTHORIZED: {
    description: 'The service does not accept the API key.',
    remedy: 'Set `service.api_key` to a valid key.',
  },
  AUTHORIZATION_ERROR: {
    description: 'The API key lacks a scope.',
    remedy: 'Add the scopes that the message names to the API key, then run again.',
  },
  API_KEY_ROUTE_FORBIDDEN: {
    description: 'API keys may not use this route of the service.',
    remedy: 'Remove the setting that needs it, or ask the support of the service.',
  },
  BLACKLIST_NOT_FOUND: {
    description: 'The blacklist does not exist in the service.',
    remedy: 'Run again; a deleted blacklist is created again.',
  },
  ORDER_RESULTS_NOT_READY: { description: 'The results are not available yet.', remedy: retriedAutomatically },
  ORDER_RESULTS_EMPTY: {
    description: 'The order has no results, so it cannot have an output.',
    remedy: 'No action needed; an order without results has no outputs.',
  },
  OUTPUT_IDEMPOTENCY_CONFLICT: {
    description: 'An output was requested with a key that belongs to another output.',
    remedy: 'Report this as a bug; prospect-sync creates the keys.',
  },
  OUTPUT_QUOTA_EXCEEDED: {
    description: 'The order has as many outputs as the service allows.',
    remedy: 'Use the existing outputs of the order: list and download them with `prospect-sync outputs ORDER`.',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    description: 'An earlier request used the same Idempotency-Key with another body.',
    remedy:
      'Check in the service whether the order exists, and continue it with `prospect-sync ingest ORDER`. Start the run again, which uses a new key, only if there is no order.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    description: 'The service is still processing an earlier request with the same Idempotency-Key.',
    remedy: retriedAutomatically,
  },
  PROFILE_NOT_FOUND: { description: 'The search profile does not exist in the service.', remedy: checkIdAndKey },
  PROFILE_CREATION_NOT_FOUND: {
    description: 'The profile creation does not exist in the service.',
    remedy: checkIdAndKey,
  },
  PROSPECT_SEARCH_NOT_FOUND: {
    description: 'The prospect search does not exist in the service.',
    remedy: checkIdAndKey,
  },
  ORDER_NOT_FOUND: { description: 'The order does not exist in the service.', remedy: checkIdAndKey },
  OUTPUT_NOT_FOUND: { description: 'The output does not exist in the service.', remedy: checkIdAndKey },
  EXPORT_JOB_NOT_FOUND: { description: 'The export does not exist in the service.', remedy: checkIdAndKey },
  EXPORT_NOT_READY: { description: 'The export is not available yet.', remedy: retriedAutomatically },
  COMPANY_NOT_FOUND: { description: 'The company does not exist in the service.', remedy: checkIdAndKey },
  METHOD_NOT_ALLOWED: {
    description: 'A path of the service does not have the method of a request.',
    remedy:
      'Check `service.base_url`, and that the service has the version that this release of prospect-sync was made for.',
  },
  ROUTE_NOT_FOUND: {
    description: 'The service does not have the requested path.',
    remedy: 'Correct `service.base_url`.',
  },
  REQUEST_TOO_LARGE: {
    description: 'The request is larger than the service accepts.',
    remedy: 'Order fewer companies in one run, or shorten the profile.',
  },
  RATE_LIMITED: { description: 'The rate limit of the service is exceeded.', remedy: retriedAutomatically },
  INTERNAL_ERROR: {
    description: 'The service reports an internal error.',
    remedy: `${retriedFor14Days} If it lasts, report it to the support of the service.`,
  },
} as const satisfies Record<string, FailureDescription>;

/** Other failures of calls to the service. */
export const serviceFailures = {
  ServiceUnreachable: {
    description: 'The connection to the service failed or was lost.',
    remedy: `${retriedFor14Days} If it lasts, check \`service.base_url\` and the network of the worker.`,
  },
  ServiceTimeout: {
    description: 'The service did not answer in time.',
    remedy: `${retriedFor14Days} If it lasts, report it to the support of the service.`,
  },
  ServiceFault: {
    description: 'The service answered with a server error, or asked to wait.',
    remedy: `${retriedFor14Days} If it lasts, report it to the support of the service.`,
  },
  ServiceUnreadable: {
    description: 'The answer is not JSON; another server than the service may have answered.',
    remedy: `${retriedFor14Days} If it lasts, check \`service.base_url\` and proxies in between.`,
  },
  ServiceRedirect: {
    description: 'The download of a file redirects to a forbidden address, or in a circle.',
    remedy: 'Download the file in the dashboard of the service, and report the order id to its support.',
  },
  ServiceApiRedirect: {
    description: 'The service answered an API call with a redirect, and redirects are never followed.',
    remedy: 'Set `service.base_url` to the final address.',
  },
  ServiceContract: {
    description: 'The answer of the service differs from its specification.',
    remedy:
      'Set what the message names, or report the findings of `prospect-sync conformance` to the support of the service. Continue an existing order with `prospect-sync ingest ORDER`.',
  },
  ServiceQuota: {
    description: 'An allowance of the account at the service is used up, or a payment is missing.',
    remedy:
      'Check plan, credits and payments of the organization in the dashboard of the service, then run again. It is not retried, since waiting does not help.',
  },
  ServiceForbidden: {
    description: 'The service does not allow this request for the API key or the organization.',
    remedy:
      'Check the scopes of the API key and the features of the plan in the dashboard of the service, then run again.',
  },
  ServiceNotFound: {
    description: 'Something that the request names does not exist in the service.',
    remedy: checkIdAndKey,
  },
  ServiceConflict: {
    description: 'The service rejected a request, because it conflicts with an earlier one.',
    remedy: 'Check the state in the service that the message names, then run again.',
  },
  ServiceNotImplemented: {
    description: 'The service does not have the requested function.',
    remedy: 'Correct `service.base_url`, or report the message to the support of the service.',
  },
  ServiceRefused: {
    description: 'The service rejected a request.',
    remedy: 'Correct the setting that the message names, then run again.',
  },
  RequestRefused: {
    description: 'A request breaks a rule of the specification. It was not sent.',
    remedy: 'Correct the setting that the message names, then run again.',
  },
} as const satisfies Record<string, FailureDescription>;
