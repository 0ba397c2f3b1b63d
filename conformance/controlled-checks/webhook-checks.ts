import type { Check } from '../probe/check.ts';

const sender = 'a webhook receiver, and a server that sends replies on request';
const senderAndClock = `${sender}, and a clock that can be moved`;

/** No request to the service observes these clauses; test/specification/ checks them on the sender of the sandbox. */
export const webhookChecks: readonly Check[] = [
  {
    id: 'webhooks.setup',
    clause: 'Setup rules; Authentication 8',
    title: 'addresses, keys, actions and tests keep the setup rules',
    needs: 'the dashboard of the service',
    effect: 'read',
    run: null,
  },
  {
    id: 'webhooks.request',
    clause: 'Request sent to the receiver',
    title: 'the request has the five headers',
    needs: sender,
    effect: 'read',
    run: null,
  },
  {
    id: 'webhooks.body',
    clause: 'Request sent to the receiver, Body fields, Rules; Versioning',
    title: 'the body has every field',
    needs: sender,
    effect: 'read',
    run: null,
  },
  {
    id: 'webhooks.signature',
    clause: 'Signature',
    title: 'the request can be verified with the signing secret, by exactly the bytes that were sent',
    needs: sender,
    effect: 'read',
    run: null,
  },
  {
    id: 'webhooks.answers',
    clause: 'Receiver answers and retries',
    title: 'each answer of the receiver has its outcome',
    needs: senderAndClock,
    effect: 'read',
    run: null,
  },
  {
    id: 'webhooks.address-state',
    clause: 'Webhook receiver address',
    title: 'an address is paused, and becomes active again',
    needs: senderAndClock,
    effect: 'read',
    run: null,
  },
  {
    id: 'webhooks.limits',
    clause: 'Limits',
    title: 'text, time and retry limits of webhooks are kept',
    needs: senderAndClock,
    effect: 'read',
    run: null,
  },
];
