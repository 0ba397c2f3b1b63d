import type { ErrorCode } from '../contract/index.ts';
import type { Meaning } from './meaning.ts';

const itself = 'none needed: it is tried again by itself';
const idIsGone = 'it was deleted, or belongs to another organization: check the id and the API key';

/** Answers of the service that carry one of its codes. */
export const serviceCodes = {
  UNAUTHORIZED: {
    meaning: 'the service does not accept the API key',
    wayOut: 'set service.api_key to a key that is valid',
  },
  AUTHORIZATION_ERROR: {
    meaning: 'the API key lacks a scope',
    wayOut: 'give the API key the scopes that the message names, and run again',
  },
  API_KEY_ROUTE_FORBIDDEN: {
    meaning: 'API keys may not use this route of the service',
    wayOut: 'take out the setting that needs it, or ask the service',
  },
  BLACKLIST_NOT_FOUND: {
    meaning: 'the service has no such blacklist',
    wayOut: 'run again: a blacklist that was deleted is made anew',
  },
  ORDER_RESULTS_NOT_READY: { meaning: 'the results are not readable everywhere yet', wayOut: itself },
  ORDER_RESULTS_EMPTY: {
    meaning: 'the order has no result, so that there is nothing to put out',
    wayOut: 'none needed: an order without results needs no output',
  },
  OUTPUT_IDEMPOTENCY_CONFLICT: {
    meaning: 'an output was asked for by a key that stands for another one',
    wayOut: 'report it: keys are made by this program',
  },
  OUTPUT_QUOTA_EXCEEDED: {
    meaning: 'the order has as many outputs as the service allows',
    wayOut: 'use the outputs that it has',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    meaning: 'a request was sent before under the same key, and with other content',
    wayOut:
      'look in the service whether the order exists: `prospect-sync ingest ORDER` goes on with it; run again, for a new key, only where there is none',
  },
  IDEMPOTENCY_KEY_IN_USE: { meaning: 'the same request is just being answered', wayOut: itself },
  PROFILE_NOT_FOUND: { meaning: 'the service has no such profile', wayOut: idIsGone },
  PROFILE_CREATION_NOT_FOUND: { meaning: 'the service has no such profile creation', wayOut: idIsGone },
  PROSPECT_SEARCH_NOT_FOUND: { meaning: 'the service has no such prospect search', wayOut: idIsGone },
  ORDER_NOT_FOUND: { meaning: 'the service has no such order', wayOut: idIsGone },
  OUTPUT_NOT_FOUND: { meaning: 'the service has no such output', wayOut: idIsGone },
  EXPORT_JOB_NOT_FOUND: { meaning: 'the service has no such export', wayOut: idIsGone },
  EXPORT_NOT_READY: { meaning: 'an export is not ready everywhere yet', wayOut: itself },
  COMPANY_NOT_FOUND: { meaning: 'the service has no such company', wayOut: idIsGone },
  ROUTE_NOT_FOUND: {
    meaning: 'the service does not know the path that was asked for',
    wayOut: 'correct service.base_url',
  },
  REQUEST_TOO_LARGE: {
    meaning: 'a request is larger than the service takes',
    wayOut: 'order fewer companies in one run, or shorten the profile',
  },
  RATE_LIMITED: { meaning: 'the service wants fewer calls a minute', wayOut: itself },
  INTERNAL_ERROR: {
    meaning: 'the service has a fault',
    wayOut: `${itself} for 14 days; if it lasts, tell the service's support`,
  },
} as const satisfies Record<ErrorCode, Meaning>;

/** The other ways in which a call to the service can go wrong. */
export const serviceFailures = {
  ServiceUnreachable: {
    meaning: 'no connection to the service, or it was lost',
    wayOut: `${itself} for 14 days; if it lasts, check service.base_url and the network of the worker`,
  },
  ServiceTimeout: {
    meaning: 'the service did not answer in time',
    wayOut: `${itself} for 14 days; if it lasts, tell the service's support`,
  },
  ServiceFault: {
    meaning: 'the service answered with a fault of its own, or asked to wait',
    wayOut: `${itself} for 14 days; if it lasts, tell the service's support`,
  },
  ServiceUnreadable: {
    meaning: 'the answer is no JSON: something else than the service may have answered',
    wayOut: `${itself} for 14 days; if it lasts, check service.base_url and proxies between`,
  },
  ServiceRedirect: {
    meaning: 'the address of a file leads where no file is fetched from, or in a circle',
    wayOut: "fetch the file from the service's dashboard; tell the service's support the order id",
  },
  ServiceApiRedirect: {
    meaning: 'an API call was answered with a redirect, which is never followed',
    wayOut: 'correct service.base_url: it must be the address that answers itself',
  },
  ServiceContract: {
    meaning: 'the answer is not what the interface promises',
    wayOut:
      'set what the message names, or tell the service what `prospect-sync conformance` finds; an order that exists goes on with `prospect-sync ingest ORDER`',
  },
  ServiceRefused: {
    meaning: 'the service refused a request',
    wayOut: 'correct the setting that the message names, and run again',
  },
  RequestRefused: {
    meaning: 'a request breaks a rule of the interface, and was not sent',
    wayOut: 'correct the setting that the message names, and run again',
  },
} as const satisfies Record<string, Meaning>;
