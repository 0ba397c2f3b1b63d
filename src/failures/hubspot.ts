import type { Meaning } from './meaning.ts';

const itself = 'none needed: it is tried again by itself';
const property = '`prospect-sync doctor` says which property it is and what it should be';

/** What can go wrong between this program and HubSpot. Codes in capitals are HubSpot's, or stand in the message as they are. */
export const hubspotFailures = {
  MISSING_SCOPES: {
    meaning: 'the CRM token lacks a scope',
    wayOut: 'give the token the scopes of docs/hubspot.md; `prospect-sync doctor` names those that lack',
  },
  PROPERTY_MISSING: {
    meaning: 'a property of the mapping is not in the portal',
    wayOut: 'create it in HubSpot or take it out of the mapping; `prospect-sync doctor` says more',
  },
  PROPERTY_NOT_UNIQUE: { meaning: 'a property of ours exists, and is not one of unique values', wayOut: property },
  PROPERTY_TYPE_DIFFERS: { meaning: 'a property of ours exists with another type', wayOut: property },
  PROPERTY_OPTION_MISSING: { meaning: 'a property of ours exists, and lacks an option', wayOut: property },
  PROPERTY_READ_ONLY: { meaning: 'a mapped property can never be written', wayOut: property },
  WRONG_PORTAL: {
    meaning: 'the token is of another portal than hubspot.portal_id names; nothing was written',
    wayOut: 'correct the token or hubspot.portal_id',
  },
  WRONG_PORTAL_TYPE: {
    meaning: 'the portal is of another kind than hubspot.account_type names; nothing was written',
    wayOut: 'correct the token or hubspot.account_type',
  },
  ANSWER_REDIRECTED: {
    meaning: 'an API call was answered with a redirect, which is never followed',
    wayOut: 'correct hubspot.base_url: it must be the address that answers itself',
  },
  ANSWER_TOO_LARGE: {
    meaning: 'an answer has more than 32 MB, and was not read to its end',
    wayOut: 'check hubspot.base_url and proxies between: something else than HubSpot may have answered',
  },
  ANSWER_BEYOND_LIMITS: {
    meaning:
      'an answer is JSON of more than 100 levels or 250,000 values (100,000 where it answers a POST), and was not read',
    wayOut: 'check hubspot.base_url and proxies between: something else than HubSpot may have answered',
  },
  HubSpotUnauthorized: {
    meaning: 'HubSpot does not accept the token',
    wayOut: 'set hubspot.token to one that is valid; `prospect-sync doctor` checks it',
  },
  HubSpotForbidden: {
    meaning: 'the token may not do this in HubSpot',
    wayOut: '`prospect-sync doctor` says what the token may and what it has to',
  },
  HubSpotRefused: {
    meaning: 'HubSpot refused a request for the reason in the message',
    wayOut: 'correct what it names; `prospect-sync doctor` checks token, scopes and properties',
  },
  HubSpotLimit: {
    meaning: 'the calls that HubSpot allows are used up, for a second, ten seconds or the day',
    wayOut: 'none needed: it goes on when they are renewed; let other integrations call less if it is daily',
  },
  HubSpotUnreachable: {
    meaning: 'no connection to HubSpot, or it was lost',
    wayOut: `${itself} for 14 days; if it lasts, check the network of the worker`,
  },
  HubSpotTimeout: {
    meaning: 'HubSpot did not answer in time',
    wayOut: `${itself} for 14 days; if it lasts, look at HubSpot's status page`,
  },
  HubSpotFault: {
    meaning: 'HubSpot answered with a fault, or with something that cannot be used',
    wayOut: `${itself} for 14 days; if it lasts, look at HubSpot's status page`,
  },
} as const satisfies Record<string, Meaning>;
