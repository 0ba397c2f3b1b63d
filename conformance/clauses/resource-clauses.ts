import { clientRule, type ClauseTable } from './clause.ts';

const profileInput = ['profiles.create', 'profiles.create-refusals', 'profiles.input'];
const creation = ['profiles.create', 'profiles.poll', 'profiles.statuses'];
const entryText = ['entries.add', 'entries.longest', 'entries.add-refusals', 'entries.values'];
const slots = ['results.enrichment-slots', 'results.discovery-slots', 'results.every-status'];
const summaries = [
  'results.enrichment-summary',
  'results.discovery-summary',
  'results.every-status',
  'results.fewer-than-requested',
];
const published = ['orders.enrichment-published', 'orders.discovery-published'];
const outputs = ['outputs.create-csv', 'outputs.csv-completed', 'outputs.create-xlsx', 'outputs.xlsx-completed'];

/** "What the service does", "Resources and their fields". */
export const resourceClauses = {
  'What the service does': {
    'it must not be used to reconcile an order': clientRule,
    'Client integrations only submit orders, poll status and read results': ['authentication.closed-routes'],
  },
  'Blacklist matching': {
    1: ['blacklists.matching'],
    2: ['blacklists.matching'],
    3: ['blacklists.matching'],
    4: ['blacklists.matching'],
  },
  Blacklist: {
    id: ['blacklists.create'],
    name: ['blacklists.limits', 'blacklists.create-refusals', 'blacklists.patch-refusals'],
    description: ['blacklists.limits', 'blacklists.patch', 'blacklists.create-refusals', 'blacklists.patch-refusals'],
    entry_count: ['blacklists.create', 'entries.add', 'entries.most', 'entries.remove', 'entries.count'],
    created_at: ['blacklists.patch', 'blacklists.timestamps'],
    updated_at: ['blacklists.patch', 'blacklists.timestamps'],
  },
  'Blacklist entry': {
    id: ['entries.add', 'entries.most', 'entries.timestamps'],
    company_name: ['entries.longest', 'entries.add-refusals', 'entries.values'],
    website_url: entryText,
    city: entryText,
    country: entryText,
    external_id: entryText,
    reason: entryText,
    created_at: ['entries.add', 'entries.timestamps'],
  },
  'Search profile creation request': {
    profile_creation_id: creation,
    status: creation,
    profile_id: creation,
    error_code: creation,
    error_message: creation,
    created_at: creation,
    started_at: creation,
    finished_at: creation,
    message: creation,
  },
  'Order (fields the interface names)': {
    order_id: ['orders.enrichment', 'orders.discovery'],
    status: [...published, 'orders.statuses'],
    briefing_quantity: [...published, 'orders.statuses'],
    available_briefing_quantity: [...published, 'orders.statuses'],
    results_published: ['orders.before-publication', ...published, 'orders.statuses'],
    result_summary: ['orders.before-publication', ...summaries, 'orders.statuses'],
  },
  'Result slot (one item of the results)': {
    input_position: slots,
    external_id: slots,
    status: slots,
    reason_codes: [...slots, 'results.reason-codes'],
    reasons: [...slots, 'results.reason-codes'],
    duplicate_of_input_position: slots,
    company: slots,
    delivered_at: slots,
    'code (string), message (English text, may change between releases), detail (optional string, present only when a fact stands behind the reason)':
      [...slots, 'results.reason-codes'],
  },
  'Result summary (on every results page, and as result_summary on the order)': {
    requested_count: summaries,
    fully_enriched_count: summaries,
    annotated_count: summaries,
    reasons: summaries,
  },
  'Reason codes': {
    POLICY_ELIGIBLE: ['results.order-codes'],
    HISTORICAL_DELIVERY_CONFIRMED: ['results.order-codes'],
    HISTORICAL_POLICY_EXCLUDED: ['results.reason-codes'],
    WEBSITE_UNREACHABLE: ['results.reason-codes'],
    WEBSITE_MOVED: ['results.reason-codes'],
    WEBSITE_BLOCKED: ['results.reason-codes'],
    WEBSITE_EMPTY: ['results.reason-codes'],
    NO_PEOPLE_FOUND: ['results.reason-codes'],
    NO_EMAIL_FOUND: ['results.reason-codes'],
    NOT_PROCESSED: ['results.reason-codes'],
    REQUIRED_CONTACT_PATH_MISSING: ['results.reason-codes'],
    COMPANY_SCORE_BELOW_MINIMUM: ['results.reason-codes'],
    PROSPECT_SCORE_BELOW_MINIMUM: ['results.reason-codes'],
    UNRESOLVED_IDENTITY: ['results.reason-codes'],
    DUPLICATE_OF_SLOT: ['results.order-codes'],
    BLOCKED_FOR_REVIEW: ['results.reason-codes'],
    RESULT_LIMIT_EXCEEDED: ['results.order-codes'],
  },
  'Company and prospect records': {
    'Delivered-company prospect lists contain only delivered contacts': ['deliveries.contacts'],
  },
  'Output (optional export of a published result set)': {
    output_id: outputs,
    export_job_id: [...outputs, 'downloads.csv', 'downloads.xlsx', 'downloads.rows'],
    status: [...outputs, 'outputs.statuses'],
    created: ['outputs.create-csv', 'outputs.replay', 'outputs.keys'],
    result_count: ['outputs.csv-completed', 'outputs.digest'],
    result_sha256: ['outputs.csv-completed', 'outputs.digest'],
    idempotency_key: ['outputs.create-csv', 'outputs.replay', 'outputs.keys'],
    location: ['outputs.google-sheets'],
  },
  'Search profile creation, POST body': {
    profile_name: profileInput,
    ideal_customer_profile: profileInput,
    target_countries: profileInput,
    seller_offering: profileInput,
    seller_industry: profileInput,
    target_cities: profileInput,
    target_industries: profileInput,
    excluded_industries: profileInput,
    contact_roles: profileInput,
    output_language: [...profileInput, 'profiles.default-language'],
    company_size_min: profileInput,
    company_size_max: profileInput,
  },
} satisfies ClauseTable;
