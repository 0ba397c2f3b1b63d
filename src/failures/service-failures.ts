import type { ErrorCode } from '../contract/index.ts';
import type { FailureDescription } from './failure-description.ts';

const itself = 'none needed: it is tried again by itself';
const idIsGone = 'it was deleted, or belongs to another organization: check the id and the API key';

/** Answers of the service that carry one of its codes. */
export const serviceCodes = {
  UNAUTHORIZED: {
    description: 'the service does not accept the API key',
    remedy: 'set service.api_key to a key that is valid',
  },
  AUTHORIZATION_ERROR: {
    description: 'the API key lacks a scope',
    remedy: 'give the API key the scopes that the message names, and run again',
  },
  API_KEY_ROUTE_FORBIDDEN: {
    description: 'API keys may not use this route of the service',
    remedy: 'take out the setting that needs it, or ask the service',
  },
  BLACKLIST_NOT_FOUND: {
    description: 'the service has no such blacklist',
    remedy: 'run again: a blacklist that was deleted is made anew',
  },
  ORDER_RESULTS_NOT_READY: { description: 'the results are not readable everywhere yet', remedy: itself },
  ORDER_RESULTS_EMPTY: {
    description: 'the order has no result, so that there is nothing to put out',
    remedy: 'none needed: an order without results needs no output',
  },
  OUTPUT_IDEMPOTENCY_CONFLICT: {
    description: 'an output was asked for by a key that stands for another one',
    remedy: 'report it: keys are made by this program',
  },
  OUTPUT_QUOTA_EXCEEDED: {
    description: 'the order has as many outputs as the service allows',
    remedy: 'use the outputs that it has',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    description: 'a request was sent before under the same key, and with other content',
    remedy:
      'look in the service whether the order exists: `prospect-sync ingest ORDER` goes on with it; run again, for a new key, only where there is none',
  },
  IDEMPOTENCY_KEY_IN_USE: { description: 'the same request is just being answered', remedy: itself },
  PROFILE_NOT_FOUND: { description: 'the service has no such profile', remedy: idIsGone },
  PROFILE_CREATION_NOT_FOUND: { description: 'the service has no such profile creation', remedy: idIsGone },
  PROSPECT_SEARCH_NOT_FOUND: { description: 'the service has no such prospect search', remedy: idIsGone },
  ORDER_NOT_FOUND: { description: 'the service has no such order', remedy: idIsGone },
  OUTPUT_NOT_FOUND: { description: 'the service has no such output', remedy: idIsGone },
  EXPORT_JOB_NOT_FOUND: { description: 'the service has no such export', remedy: idIsGone },
  EXPORT_NOT_READY: { description: 'an export is not ready everywhere yet', remedy: itself },
  COMPANY_NOT_FOUND: { description: 'the service has no such company', remedy: idIsGone },
  ROUTE_NOT_FOUND: {
    description: 'the service does not know the path that was asked for',
    remedy: 'correct service.base_url',
  },
  REQUEST_TOO_LARGE: {
    description: 'a request is larger than the service takes',
    remedy: 'order fewer companies in one run, or shorten the profile',
  },
  RATE_LIMITED: { description: 'the service wants fewer calls a minute', remedy: itself },
  INTERNAL_ERROR: {
    description: 'the service has a fault',
    remedy: `${itself} for 14 days; if it lasts, tell the service's support`,
  },
} as const satisfies Record<ErrorCode, FailureDescription>;

/** The other ways in which a call to the service can go wrong. */
export const serviceFailures = {
  ServiceUnreachable: {
    description: 'no connection to the service, or it was lost',
    remedy: `${itself} for 14 days; if it lasts, check service.base_url and the network of the worker`,
  },
  ServiceTimeout: {
    description: 'the service did not answer in time',
    remedy: `${itself} for 14 days; if it lasts, tell the service's support`,
  },
  ServiceFault: {
    description: 'the service answered with a fault of its own, or asked to wait',
    remedy: `${itself} for 14 days; if it lasts, tell the service's support`,
  },
  ServiceUnreadable: {
    description: 'the answer is no JSON: something else than the service may have answered',
    remedy: `${itself} for 14 days; if it lasts, check service.base_url and proxies between`,
  },
  ServiceRedirect: {
    description: 'the address of a file leads where no file is fetched from, or in a circle',
    remedy: "fetch the file from the service's dashboard; tell the service's support the order id",
  },
  ServiceApiRedirect: {
    description: 'an API call was answered with a redirect, which is never followed',
    remedy: 'correct service.base_url: it must be the address that answers itself',
  },
  ServiceContract: {
    description: 'the answer is not what the interface promises',
    remedy:
      'set what the message names, or tell the service what `prospect-sync conformance` finds; an order that exists goes on with `prospect-sync ingest ORDER`',
  },
  ServiceRefused: {
    description: 'the service refused a request',
    remedy: 'correct the setting that the message names, and run again',
  },
  RequestRefused: {
    description: 'a request breaks a rule of the interface, and was not sent',
    remedy: 'correct the setting that the message names, and run again',
  },
} as const satisfies Record<string, FailureDescription>;
