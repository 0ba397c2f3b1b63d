import type { ClauseTable } from './clause.ts';

/** "Events", and the states of a receiver address. */
export const eventClauses = {
  'Webhook receiver address': {
    'active receiver answers 410': ['webhooks.address-state'],
    'active every delivery failed for three days in a row': ['webhooks.address-state'],
    paused: ['webhooks.address-state'],
  },
  'Setup rules': {
    1: ['webhooks.setup'],
    2: ['webhooks.setup'],
    3: ['webhooks.setup'],
    4: ['webhooks.setup'],
    5: { notObservable: 'it is advice about the address of the receiver' },
  },
  'Request sent to the receiver': {
    'content-type': ['webhooks.request'],
    'user-agent': ['webhooks.request'],
    'webhook-id': ['webhooks.request'],
    'webhook-timestamp': ['webhooks.request'],
    'webhook-signature': ['webhooks.request'],
  },
  'Request sent to the receiver, Body fields': {
    id: ['webhooks.body'],
    type: ['webhooks.body'],
    timestamp: ['webhooks.body'],
    api_version: ['webhooks.body'],
    test: ['webhooks.body'],
    data: ['webhooks.body'],
  },
  'Request sent to the receiver, Rules': {
    1: ['webhooks.body'],
    2: ['webhooks.body'],
    3: ['webhooks.body'],
    4: ['webhooks.body'],
  },
  Signature: {
    1: ['webhooks.signature'],
    2: ['webhooks.signature'],
    3: ['webhooks.signature'],
    4: ['webhooks.signature'],
    5: ['webhooks.signature'],
  },
  'Receiver answers and retries': {
    'The receiver must answer with any 2xx within 15 seconds': ['webhooks.answers'],
    '2xx': ['webhooks.answers'],
    '408, 429, 5xx, no answer within 15 seconds, address unreachable': ['webhooks.answers'],
    '3xx': ['webhooks.answers'],
    '401, 403': ['webhooks.answers'],
    '404': ['webhooks.answers'],
    '410': ['webhooks.answers'],
    '400 with a queue-is-full message from a workflow-automation tool': ['webhooks.answers'],
    'any other 4xx': ['webhooks.answers'],
    'invalid certificate': ['webhooks.answers'],
  },
} satisfies ClauseTable;
