/**
 * What prospect-sync does about each clause that is neither an endpoint nor a field, for docs/service-coverage.md: by section, names of
 * clauses (separated by ` | `; `*` for all others) and the use, or `not used: <reason>`.
 */
const sender = 'not used: it concerns the sender of the service';
const receiver = '`prospect-sync receive`';
const checkedBefore = 'checked before the request is sent: `src/service/client/contract-calls.ts`';

export const ruleUsage: Readonly<Record<string, readonly (readonly [names: string, use: string])[]>> = {
  'What the service does': [
    ['it must not be used to reconcile an order', 'only `prospect-sync ingest` with `--legacy` reads the listing'],
    ['*', '`prospect-sync run` calls no other route'],
  ],
  'Blacklist matching': [
    [
      '*',
      '`prospect-sync exclusions preview` and the leak check match by the same tiers: `src/service/contract/matching.ts`',
    ],
  ],
  'Result slot (one item of the results)': [
    ['*', 'the code decides: `src/service/contract/reason-codes.ts`; the message is only shown'],
  ],
  'Reason codes': [
    [
      '*',
      'names and texts of `prospect-sync rows` and spreadsheets: `src/service/contract/reason-codes.ts`; an unknown code is kept',
    ],
  ],
  'Company and prospect records': [['*', '`contacts` chooses again among the delivered contacts']],
  'Profile creation status': [
    ['PENDING | RUNNING', 'polled: `polling.profile`'],
    ['SUCCEEDED', 'the order is placed'],
    ['FAILED', 'requested again with a new key: `activities/profile-activities.ts`'],
  ],
  'Order status': [
    [
      'RECEIVED | ACCEPTED | IN_PROGRESS | poll only while the status is RECEIVED, ACCEPTED or IN_PROGRESS',
      'polled: `polling.order_first`, `polling.order_max`',
    ],
    ['COMPLETED', 'the results are collected when they are published'],
    ['REJECTED | FAILED | CANCELLED', 'the run fails, and names the status: `activities/order-activities.ts`'],
  ],
  'Order status, Transitions that are stated': [['*', 'polled: `polling.order_first`']],
  'Webhook receiver address': [['*', `${sender}; ${receiver} never answers 410`]],
  'Blacklists, Rules': [
    ['1', '`prospect-sync exclusions delete` asks for a confirmation first'],
    ['2', '`exclusions.NAME.attach` sends the assignments of others with its own'],
    ['3', '`blacklists.entries`'],
    ['4', 'a deleted blacklist is created again by `prospect-sync exclusions sync`'],
    ['5', '`runs.NAME.exclusions`'],
  ],
  'Search profile creation': [['*', 'the key is derived from the content: `activities/profile-activities.ts`']],
  Orders: [['*', '`orders.place`; names that the specification leaves open: `service.requests`']],
  'Orders, Results rules': [
    ['1 | 2', '`results.page`; name of the array: `service.results_items`'],
    ['3', '`src/service/reading/read-slot.ts`'],
    ['4 | 5', '`prospect-sync reconcile` compares counts, positions and statuses'],
    ['6', '`prospect-sync reconcile` reads the pages again and compares the digest of each slot'],
    ['7', '`prospect-sync run` waits for both: `activities/order-activities.ts`'],
    ['8', 'not used: the parameter does not exist any more'],
  ],
  'Orders, Export and output rules': [
    ['1', '`prospect-sync run` requests outputs after publication'],
    ['2 | 8', '`runs.NAME.service_outputs`'],
    ['3', '`polling.output_first`, `polling.output_max`'],
    ['4', '`outputs.create` sends a key of order and destination, and adopts the output of another key'],
    ['5', 'a refusal lists the outputs of the order: `activities/request-service-output.ts`'],
    ['6', '`outputs.get`: the address of the spreadsheet is in the report'],
    ['7', '`prospect-sync reconcile` counts the rows of the files'],
    ['9', '`outputs.download`'],
  ],
  Authentication: [
    ['1 | 2', '`service.api_key`'],
    ['3 | 4 | 5', '`prospect-sync doctor` names a missing scope: `src/service/client/scope-probes.ts`'],
    ['6', 'not used: prospect-sync calls none of these routes'],
    ['7', 'a key of another organization is noticed before a purchase: `src/ledger/known-organization.ts`'],
    ['8', '`replies.secrets`, `replies.key`'],
  ],
  'Setup rules': [
    ['2', '`replies.key`'],
    ['3', '`prospect-sync replies list` shows a sample as test'],
    ['*', sender],
  ],
  'Request sent to the receiver': [
    ['webhook-id | webhook-timestamp | webhook-signature', `${receiver}: \`src/replies/webhook-signature.ts\``],
    ['*', 'not used: the signature counts'],
  ],
  'Request sent to the receiver, Rules': [
    ['1', 'an empty field is unknown: `src/replies/read-reply.ts`'],
    ['2', 'a cut text is marked in the note: `src/replies/reply-content.ts`'],
    ['3', 'unknown fields are kept: `src/replies/read-reply.ts`'],
    ['4', `${receiver} stores each id once`],
  ],
  Signature: [
    ['5', '`replies.secrets` takes several secrets'],
    ['*', `${receiver}: \`src/replies/webhook-signature.ts\``],
  ],
  'Receiver answers and retries': [
    ['The receiver must answer with any 2xx within 15 seconds | 2xx', `${receiver} answers when the reply is stored`],
    [
      '408, 429, 5xx, no answer within 15 seconds, address unreachable',
      `${receiver} answers 503 for what the sender shall repeat`,
    ],
    ['401, 403', `${receiver} answers 401 for a wrong signature`],
    ['*', sender],
  ],
  Errors: [
    [
      'retry a POST with the same idempotency key only with the same body',
      'the body of an order is stored before it is sent: `activities/place-order-once.ts`',
    ],
    [
      '409 code ORDER_RESULTS_EMPTY | 409 code OUTPUT_IDEMPOTENCY_CONFLICT | 409 code OUTPUT_QUOTA_EXCEEDED',
      '`activities/request-service-output.ts`',
    ],
    ['*', 'read from status and code: `src/worker/to-failure.ts`'],
  ],
  'Errors, Validation errors (422)': [['*', checkedBefore]],
  Limits: [
    ['results page | entries page | outputs list page', '`results.page`, `blacklists.entries`, `outputs.list`'],
    ['outputs per published order', 'a refusal lists the outputs of the order: `activities/request-service-output.ts`'],
    ['webhook timestamp tolerance | dual signatures after rotation', '`src/replies/webhook-signature.ts`'],
    ['webhook answer time-out | reply_text', receiver],
    ['answer text kept / read | webhook retry | paused address | failure emails', sender],
    ['*', checkedBefore],
  ],
  Versioning: [['*', 'unknown fields are kept, and shown by `prospect-sync doctor` with `--drift`']],
  'Change history': [
    ['The legacy deliveries listing remains available for CRM sync only', '`prospect-sync ingest` with `--legacy`'],
    [
      'New keys may only be issued the scopes listed under Authentication',
      '`prospect-sync doctor` checks the scopes of the key',
    ],
    [
      'COMPLETED only when the immutable result set is published',
      'a run waits for the publication too: `activities/order-activities.ts`',
    ],
    [
      'delivered prospect lists contain only delivered contacts (quality policy re-applied on read)',
      '`contacts` chooses again among the delivered contacts',
    ],
    ['*', 'not used: prospect-sync reads neither of the removed fields'],
  ],
};
