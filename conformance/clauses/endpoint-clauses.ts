import { clientRule, type ClauseTable } from './clause.ts';

const assignments = [
  'assignments.replace',
  'assignments.duplicates',
  'assignments.refusals',
  'assignments.empty',
  'assignments.most',
];
const orders = ['orders.enrichment', 'orders.discovery', 'orders.replay', 'orders.input', 'orders.keys'];
const published = ['orders.enrichment-published', 'orders.discovery-published'];
const paging = ['results.enrichment-paging', 'results.discovery-paging', 'results.snapshot'];
const scopes = 'authentication.missing-scope';

/** "States and transitions" of profile creations and orders, "Endpoints". */
export const endpointClauses = {
  'Profile creation status': {
    PENDING: ['profiles.create', 'profiles.statuses'],
    RUNNING: ['profiles.poll', 'profiles.statuses'],
    SUCCEEDED: ['profiles.poll', 'profiles.statuses', 'profiles.final'],
    FAILED: ['profiles.statuses', 'profiles.final'],
  },
  'Order status': {
    RECEIVED: ['orders.statuses', 'orders.active-statuses'],
    ACCEPTED: ['orders.statuses', 'orders.active-statuses'],
    IN_PROGRESS: ['orders.statuses', 'orders.active-statuses'],
    COMPLETED: [...published, 'orders.statuses', 'orders.historical'],
    REJECTED: ['orders.statuses'],
    FAILED: ['orders.statuses'],
    CANCELLED: ['orders.statuses'],
    'poll only while the status is RECEIVED, ACCEPTED or IN_PROGRESS': clientRule,
  },
  'Order status, Transitions that are stated': {
    ACCEPTED: ['orders.statuses'],
    '(any active)': [...published, 'orders.statuses', 'orders.active-statuses'],
  },
  Blacklists: {
    'POST /api/v1/blacklists': ['blacklists.create', 'blacklists.create-refusals', scopes],
    'GET /api/v1/blacklists': ['blacklists.list', 'blacklists.create', scopes],
    'GET /api/v1/blacklists/{blacklist_id}': ['blacklists.list', 'blacklists.create', scopes],
    'PATCH /api/v1/blacklists/{blacklist_id}': ['blacklists.patch', 'blacklists.patch-refusals', scopes],
    'DELETE /api/v1/blacklists/{blacklist_id}': ['blacklists.delete', scopes],
    'POST /api/v1/blacklists/{blacklist_id}/entries': ['entries.add', 'entries.add-refusals', scopes],
    'GET /api/v1/blacklists/{blacklist_id}/entries': [
      'entries.page-size',
      'entries.page-refusals',
      'entries.count',
      scopes,
    ],
    'DELETE /api/v1/blacklists/{blacklist_id}/entries': [
      'entries.remove',
      'entries.remove-refusals',
      'entries.values',
      scopes,
    ],
    'GET /api/v1/prospect-searches/{prospect_search_id}/blacklists': [...assignments, scopes],
    'PUT /api/v1/prospect-searches/{prospect_search_id}/blacklists': [...assignments, scopes],
  },
  'Blacklists, Rules': {
    1: ['blacklists.delete', 'assignments.deletion', 'clean-up'],
    2: ['assignments.replace', 'assignments.unknown-blacklist'],
    3: ['entries.paging', 'entries.page-overlap', 'entries.count'],
    4: [
      'blacklists.unknown-id',
      'blacklists.write-unknown-id',
      'assignments.unknown-blacklist',
      'orders.unknown-blacklist',
      'authentication.other-organization',
    ],
    5: ['orders.discovery', 'orders.unknown-blacklist'],
  },
  'Search profile creation': {
    'POST /api/v1/search-profile-creations': [
      'profiles.create',
      'profiles.create-refusals',
      'profiles.conflict',
      scopes,
    ],
    'GET /api/v1/search-profile-creations/{profile_creation_id}': [
      'profiles.poll',
      'profiles.unknown-creation',
      scopes,
    ],
    'reuse an Idempotency-Key only with the same body': ['profiles.replay', 'profiles.conflict'],
  },
  Orders: {
    'POST /api/v1/orders': orders,
    'GET /api/v1/orders/{order_id}': [...published, 'orders.unknown-id', 'orders.malformed-id', 'orders.statuses'],
    'GET /api/v1/orders/{order_id}/results': [...paging, 'results.limits'],
    'POST /api/v1/orders/{order_id}/export': ['outputs.export', 'outputs.export-types', 'downloads.rows'],
    'POST /api/v1/orders/{order_id}/outputs': ['outputs.create-csv', 'outputs.create-xlsx', 'outputs.refusals', scopes],
    'GET /api/v1/orders/{order_id}/outputs': ['outputs.list', 'outputs.pages', scopes],
    'GET /api/v1/orders/{order_id}/outputs/{output_id}': [
      'outputs.csv-completed',
      'outputs.xlsx-completed',
      'outputs.statuses',
    ],
    'GET /api/v1/exports/jobs/{export_job_id}/download': [
      'downloads.csv',
      'downloads.xlsx',
      'downloads.unknown-job',
      'downloads.rows',
    ],
    'GET /api/v1/deliveries/{prospect_search_id}/companies': ['deliveries.list', 'deliveries.contacts', scopes],
    'GET /api/v1/deliveries/{prospect_search_id}/companies/{company_id}/website-markdown': [
      'deliveries.website-markdown',
      'deliveries.contacts',
      'deliveries.unknown-id',
    ],
    'only these fields are named': orders,
    'values COMPANY_DATA, CONTACTS, ANALYSIS), ideal_customer_profile (string), seller_offering (string), target_countries (array of string), blacklist_ids (array of UUID), briefing_quantity (integer, discovery only), companies (array, enrichment only':
      orders,
    'each row may carry external_id), webhook_url (write-only, for status notifications), profile reference (an order starts from a profile_id)':
      ['orders.enrichment', ...published],
  },
  'Orders, Results rules': {
    1: [...paging, 'results.limits', 'results.beyond-end', 'results.page-size'],
    2: [...paging, 'results.beyond-end'],
    3: ['results.enrichment-slots', 'results.discovery-slots'],
    4: ['results.enrichment-slots', 'orders.enrichment-published', 'results.every-status'],
    5: ['results.discovery-slots', 'results.fewer-than-requested'],
    6: ['results.enrichment-stable', 'results.discovery-stable', 'results.snapshot'],
    7: ['orders.before-publication', 'orders.statuses', 'orders.active-statuses'],
    8: ['results.withdrawn-parameter'],
  },
  'Orders, Export and output rules': {
    1: ['outputs.before-publication'],
    2: ['outputs.create-csv', 'outputs.create-xlsx', 'outputs.refusals', 'outputs.google-sheets'],
    3: ['outputs.create-csv', 'outputs.csv-completed', 'outputs.export', 'downloads.csv'],
    4: ['outputs.replay', 'outputs.key-conflict', 'outputs.keys'],
    5: ['outputs.quota'],
    6: ['outputs.google-sheets'],
    7: ['downloads.csv', 'downloads.rows'],
    8: { notObservable: 'it says that the body of POST export is not shown' },
    9: ['downloads.csv', 'downloads.xlsx'],
  },
} satisfies ClauseTable;
