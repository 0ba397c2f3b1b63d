import type { FailureDescription } from './failure-description.ts';

const checkProperty = 'Run `prospect-sync doctor`: it names the property and what is expected.';
const checkProxy = 'Check `hubspot.base_url` and proxies in between; another server than HubSpot may have answered.';
const retriedFor14Days = 'No action needed; retried automatically for 14 days.';

/** Failures of calls to HubSpot. Codes in capitals are codes of HubSpot, or appear in messages as they are. */
export const hubspotFailures = {
  MISSING_SCOPES: {
    description: 'The HubSpot token lacks a scope.',
    remedy: 'Add the scopes of docs/hubspot.md to the token; `prospect-sync doctor` names the missing ones.',
  },
  PROPERTY_MISSING: {
    description: 'A property of the mapping does not exist in HubSpot.',
    remedy: 'Create it in HubSpot or remove it from the mapping; `prospect-sync doctor` shows the details.',
  },
  PROPERTY_NOT_UNIQUE: {
    description: 'A property of prospect-sync exists in HubSpot, but does not require unique values.',
    remedy: checkProperty,
  },
  PROPERTY_TYPE_DIFFERS: {
    description: 'A property of prospect-sync exists in HubSpot with another type.',
    remedy: checkProperty,
  },
  PROPERTY_OPTION_MISSING: {
    description: 'A property of prospect-sync exists in HubSpot, but lacks an option.',
    remedy: checkProperty,
  },
  PROPERTY_READ_ONLY: { description: 'A mapped property is read-only in HubSpot.', remedy: checkProperty },
  WRONG_PORTAL: {
    description:
      'The token belongs to another portal than `hubspot.portal_id`, or than that to which the ledger has written. Nothing was written.',
    remedy:
      'Correct the token or `hubspot.portal_id`. For another portal, use another ledger: `--data-dir` or `ledger`.',
  },
  WRONG_PORTAL_TYPE: {
    description: 'The portal has another account type than `hubspot.account_type`. Nothing was written.',
    remedy: 'Correct the token or `hubspot.account_type`.',
  },
  ANSWER_REDIRECTED: {
    description: 'HubSpot answered an API call with a redirect, and redirects are never followed.',
    remedy: 'Set `hubspot.base_url` to the final address.',
  },
  ANSWER_TOO_LARGE: {
    description: 'An answer has more than 32 MB. It was not read to its end.',
    remedy: checkProxy,
  },
  ANSWER_BEYOND_LIMITS: {
    description:
      'An answer is JSON with more than 100 levels, 250,000 values (100,000 in an answer to a batch of objects) or 8 MB in one text. It was not read.',
    remedy: checkProxy,
  },
  HubSpotUnauthorized: {
    description: 'HubSpot does not accept the token.',
    remedy: 'Set `hubspot.token` to a valid token; `prospect-sync doctor` checks it.',
  },
  HubSpotForbidden: {
    description: 'HubSpot denied permission for a request.',
    remedy: 'Run `prospect-sync doctor`: it names the required scopes and the missing ones.',
  },
  HubSpotRefused: {
    description: 'HubSpot rejected a request for the reason in the message.',
    remedy: 'Correct what the message names; `prospect-sync doctor` checks token, scopes and properties.',
  },
  HubSpotLimit: {
    description: 'A rate limit of HubSpot is exceeded: per second, per ten seconds or per day.',
    remedy:
      'No action needed; retried automatically when the limit renews. If it is the daily limit, let other integrations send fewer requests.',
  },
  HubSpotUnreachable: {
    description: 'The connection to HubSpot failed or was lost.',
    remedy: `${retriedFor14Days} If it lasts, check the network of the worker.`,
  },
  HubSpotTimeout: {
    description: 'HubSpot did not answer in time.',
    remedy: `${retriedFor14Days} If it lasts, check the status page of HubSpot.`,
  },
  HubSpotFault: {
    description: 'HubSpot answered with a server error, or with an answer that cannot be read.',
    remedy: `${retriedFor14Days} If it lasts, check the status page of HubSpot.`,
  },
} as const satisfies Record<string, FailureDescription>;
