import type { ClauseTable } from './clause.ts';

const keys = ['authentication.missing-key', 'authentication.wrong-key', 'authentication.missing-key-write'];
const unknownIds = [
  'assignments.unknown-search',
  'profiles.unknown-creation',
  'orders.unknown-id',
  'downloads.unknown-job',
  'deliveries.unknown-id',
];
const published = ['orders.enrichment-published', 'orders.discovery-published'];

/** "Authentication", "Errors", "Limits", "Versioning" and "Change history". */
export const generalClauses = {
  Authentication: {
    1: keys,
    2: { notObservable: 'keys are created in the dashboard of the service' },
    3: ['authentication.issued-scopes'],
    4: ['authentication.missing-scope'],
    5: [...keys, 'authentication.missing-scope', 'authentication.expired-key'],
    6: ['authentication.closed-routes'],
    7: [...unknownIds, 'authentication.other-organization'],
    8: ['webhooks.setup', 'webhooks.signature'],
  },
  Errors: {
    401: [...keys, 'authentication.expired-key'],
    '403 code (AUTHORIZATION_ERROR), message, required_scopes (array), user_scopes (array)': [
      'authentication.missing-scope',
    ],
    '403 code API_KEY_ROUTE_FORBIDDEN': ['authentication.closed-routes'],
    404: ['blacklists.unknown-id', 'blacklists.write-unknown-id', 'authentication.other-organization'],
    '409 code ORDER_RESULTS_EMPTY': ['outputs.empty-order'],
    '409 code OUTPUT_IDEMPOTENCY_CONFLICT': ['outputs.key-conflict', 'outputs.keys'],
    '409 code OUTPUT_QUOTA_EXCEEDED': ['outputs.quota'],
    '409 (profile creation)': ['profiles.conflict', 'profiles.final'],
    422: ['blacklists.create-refusals'],
    'n/a': ['orders.historical'],
    'retry a POST with the same idempotency key only with the same body': [
      'profiles.replay',
      'profiles.conflict',
      'orders.replay',
      'orders.conflict',
      'orders.keys',
    ],
  },
  'Errors, Validation errors (422)': {
    'blacklist name empty': ['blacklists.create-refusals'],
    'entries array empty': ['entries.add-refusals', 'entries.add'],
    'entry_ids array empty': ['entries.remove-refusals'],
    'website_url without http://, https:// or www.': ['entries.add-refusals'],
    'PATCH with name null': ['blacklists.patch-refusals'],
    'profile creation body invalid or Idempotency-Key header missing': ['profiles.create-refusals'],
  },
  Limits: {
    'blacklist name': ['blacklists.limits', 'blacklists.create-refusals', 'blacklists.timestamps'],
    'blacklist description': ['blacklists.limits', 'blacklists.create-refusals'],
    'entries per add request': ['entries.most', 'entries.add-refusals'],
    'entry field lengths': ['entries.longest', 'entries.add-refusals'],
    'entry ids per remove request': ['entries.remove', 'entries.remove-refusals'],
    'blacklist_ids per assignment': ['assignments.most', 'assignments.refusals', 'assignments.duplicates'],
    'entries page': ['entries.page-size', 'entries.page-refusals'],
    'results page': ['results.limits', 'results.page-size'],
    'outputs list page': ['outputs.list', 'outputs.pages'],
    'outputs per published order': ['outputs.quota'],
    reply_text: ['webhooks.limits'],
    'webhook timestamp tolerance': ['webhooks.limits'],
    'webhook answer time-out': ['webhooks.limits'],
    'answer text kept / read': ['webhooks.limits'],
    'webhook retry': ['webhooks.limits'],
    'paused address': ['webhooks.limits'],
    'dual signatures after rotation': ['webhooks.limits'],
    'failure emails': ['webhooks.limits'],
  },
  Versioning: {
    'within one api_version fields are never renamed or removed': ['webhooks.body'],
  },
  'Change history': {
    'The legacy deliveries listing remains available for CRM sync only': ['deliveries.list'],
    'New keys may only be issued the scopes listed under Authentication': ['authentication.issued-scopes'],
    'COMPLETED only when the immutable result set is published': [...published, 'orders.statuses'],
    'delivered prospect lists contain only delivered contacts (quality policy re-applied on read)': [
      'deliveries.contacts',
    ],
    'admin_notes and webhook_url removed from the order status response (webhook_url stays a write-only creation field)':
      published,
  },
} satisfies ClauseTable;
