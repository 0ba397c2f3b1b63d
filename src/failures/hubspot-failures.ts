import type { FailureDescription } from './failure-description.ts';

const itself = 'none needed: it is tried again by itself';
const property = '`prospect-sync doctor` says which property it is and what it should be';

/** What can go wrong between this program and HubSpot. Codes in capitals are HubSpot's, or stand in the message as they are. */
export const hubspotFailures = {
  MISSING_SCOPES: {
    description: 'the CRM token lacks a scope',
    remedy: 'give the token the scopes of docs/hubspot.md; `prospect-sync doctor` names those that lack',
  },
  PROPERTY_MISSING: {
    description: 'a property of the mapping is not in the portal',
    remedy: 'create it in HubSpot or take it out of the mapping; `prospect-sync doctor` says more',
  },
  PROPERTY_NOT_UNIQUE: { description: 'a property of ours exists, and is not one of unique values', remedy: property },
  PROPERTY_TYPE_DIFFERS: { description: 'a property of ours exists with another type', remedy: property },
  PROPERTY_OPTION_MISSING: { description: 'a property of ours exists, and lacks an option', remedy: property },
  PROPERTY_READ_ONLY: { description: 'a mapped property can never be written', remedy: property },
  WRONG_PORTAL: {
    description: 'the token is of another portal than hubspot.portal_id names; nothing was written',
    remedy: 'correct the token or hubspot.portal_id',
  },
  WRONG_PORTAL_TYPE: {
    description: 'the portal is of another kind than hubspot.account_type names; nothing was written',
    remedy: 'correct the token or hubspot.account_type',
  },
  ANSWER_REDIRECTED: {
    description: 'an API call was answered with a redirect, which is never followed',
    remedy: 'correct hubspot.base_url: it must be the address that answers itself',
  },
  ANSWER_TOO_LARGE: {
    description: 'an answer has more than 32 MB, and was not read to its end',
    remedy: 'check hubspot.base_url and proxies between: something else than HubSpot may have answered',
  },
  ANSWER_BEYOND_LIMITS: {
    description:
      'an answer is JSON of more than 100 levels or 250,000 values (100,000 where it answers a POST), and was not read',
    remedy: 'check hubspot.base_url and proxies between: something else than HubSpot may have answered',
  },
  HubSpotUnauthorized: {
    description: 'HubSpot does not accept the token',
    remedy: 'set hubspot.token to one that is valid; `prospect-sync doctor` checks it',
  },
  HubSpotForbidden: {
    description: 'the token may not do this in HubSpot',
    remedy: '`prospect-sync doctor` says what the token may and what it has to',
  },
  HubSpotRefused: {
    description: 'HubSpot refused a request for the reason in the message',
    remedy: 'correct what it names; `prospect-sync doctor` checks token, scopes and properties',
  },
  HubSpotLimit: {
    description: 'the calls that HubSpot allows are used up, for a second, ten seconds or the day',
    remedy: 'none needed: it goes on when they are renewed; let other integrations call less if it is daily',
  },
  HubSpotUnreachable: {
    description: 'no connection to HubSpot, or it was lost',
    remedy: `${itself} for 14 days; if it lasts, check the network of the worker`,
  },
  HubSpotTimeout: {
    description: 'HubSpot did not answer in time',
    remedy: `${itself} for 14 days; if it lasts, look at HubSpot's status page`,
  },
  HubSpotFault: {
    description: 'HubSpot answered with a fault, or with something that cannot be used',
    remedy: `${itself} for 14 days; if it lasts, look at HubSpot's status page`,
  },
} as const satisfies Record<string, FailureDescription>;
