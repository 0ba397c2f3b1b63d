/** The part of `assumptions` about webhooks. */
export const webhookAssumptions = {
  A60: {
    about: 'the order-status notification sent to webhook_url',
    choice:
      '{id, type `order.status_changed`, timestamp, api_version, data: {order_id, status, results_published}} for every status after RECEIVED; retried, and failed for good, like a reply',
    setting: '`composeOrderStatusBody` in sandbox/webhooks/order-notifications.ts',
  },
  A61: {
    about: 'what signs order-status notifications',
    choice: 'a secret of the organisation, rotated like that of an address',
    setting: '`orderSecrets` in sandbox/webhooks/send-attempt.ts',
  },
  A62: {
    about: 'who is notified when an order-status notification fails',
    choice: 'no one, and nothing is paused: it belongs to no action and no address',
    setting: '`applyDeliveryOutcome` in sandbox/webhooks/delivery-consequences.ts',
  },
  A63: {
    about: 'what a character of reply_text and of a kept answer is',
    choice: 'a Unicode code point',
    setting: '`truncateText` in sandbox/webhooks/truncate-text.ts',
  },
  A64: {
    about: 'the api_version of webhooks',
    choice: '`2026-11-01`',
    setting: '`webhookApiVersion` in src/service/contract/webhook-assumptions.ts',
  },
  A65: {
    about: '<product> in the user-agent of webhooks',
    choice: '`Prospecting`',
    setting: '`webhookProduct` in src/service/contract/webhook-assumptions.ts',
  },
  A66: {
    about: 'a secret that is rotated twice within 24 hours',
    choice: 'every old secret signs until 24 hours after its own replacement, the newest first; at most ten old ones',
    setting: '`rotateSecrets` in sandbox/webhooks/signing-secrets.ts',
  },
  A67: {
    about: 'the retries that "about 12 hours in all" means',
    choice:
      'waits of 1, 2, 4 … 128, 240, 240 minutes: eleven attempts over 12 hours 15 minutes; a Retry-After of up to 12 hours is obeyed, also beyond the 12 hours, and the attempt after it is the last: nearly 24 hours are possible; no jitter',
    setting: '`nextAttemptAt` in sandbox/webhooks/retry-schedule.ts',
  },
  A68: {
    about: 'deliveries that wait for a retry when their address is paused',
    choice: 'kept for 30 days from the pause, like replies that arrive during the pause',
    setting: '`applyDeliveryOutcome` in sandbox/webhooks/delivery-consequences.ts',
  },
  A69: {
    about: 'what "3 days of failures with at least 3 deliveries" counts',
    choice:
      'deliveries that failed for good: at least three without a successful one in between, the last at least three days after the first',
    setting: 'sandbox/webhooks/delivery-consequences.ts',
  },
  A70: {
    about: 'sending a failed delivery again by hand',
    choice: 'one attempt, not retried; it does not count towards a pause',
    setting: '`afterAttempt` in sandbox/webhooks/delivery-state.ts',
  },
  A71: {
    about: 'the form of app_url',
    choice: "the campaign's actions page with the reply's id in the query, on a reserved domain",
    setting: '`appUrl` in sandbox/webhooks/reply-body.ts',
  },
  A72: {
    about: "names that a receiver's key header may not have",
    choice:
      'those of the request itself (webhook-*, content-type, user-agent …) and of the connection (host, content-length, te, proxy-* …)',
    setting: 'sandbox/webhooks/receiver-addresses.ts',
  },
  A73: {
    about: 'who is notified that an address was paused',
    choice: 'the person who added the address',
    setting: '`recordPauseNotice` in sandbox/webhooks/delivery-consequences.ts',
  },
  A74: {
    about: 'what a member may do',
    choice: 'everything about actions, test samples included; not resuming a paused address',
    setting: '`requireAdmin` in sandbox/webhooks/webhook-inputs.ts',
  },
  A75: {
    about: 'which record the address of a reply belongs to',
    choice:
      'the prospect with that address in the most recently published order that has one, at any position; otherwise the company with that address or domain',
    setting: 'sandbox/webhooks/find-replier.ts',
  },
  A76: {
    about: 'deliveries that are not sent yet when their address is removed',
    choice: 'they fail, and cannot be sent again',
    setting: '`remove` in sandbox/webhooks/receiver-addresses.ts',
  },
} as const;

/** A64 */
export const webhookApiVersion = '2026-11-01';

/** A65 */
export const webhookProduct = 'Prospecting';
