/**
 * How a service may differ from the default sandbox and still follow the specification: the keys and values of
 * `sandbox --assume KEY=VALUE`. Field names accept any name; the tests use the listed ones.
 */
import { companyFields } from '../../../src/service/contract/company-fields.ts';
import type { FieldEntry } from '../../../src/service/contract/field-definition.ts';
import { prospectFields } from '../../../src/service/contract/prospect-fields.ts';
import { resultArrayNames } from '../../../src/service/contract/container-names.ts';
import { defaultRequestSettings, requestAlternatives } from '../../../src/service/contract/request-settings.ts';

export interface Alternative {
  readonly about: string;
  /** Default first. */
  readonly values: readonly string[];
  /** Accepts any other name. */
  readonly isOpen?: true;
}

/** The form of values and records. */
const forms = {
  key_case: { about: 'case of field names that are not shown', values: ['snake', 'camel', 'pascal', 'kebab'] },
  company_id: { about: 'ids of companies', values: ['uuid', 'integer', 'prefixed', 'missing'] },
  prospect_id: { about: 'ids of people', values: ['uuid', 'integer', 'prefixed', 'missing'] },
  employees: { about: 'the number of employees', values: ['number', 'range', 'min_max', 'text'] },
  scores: { about: 'scores', values: ['number', 'text', 'object'] },
  missing_values: { about: 'unknown values', values: ['null', 'empty', 'absent', 'dash'] },
  booleans: { about: 'booleans whose type is not shown', values: ['json', 'words', 'numbers'] },
  person_name: { about: 'names of people', values: ['both', 'two', 'full', 'nested'] },
  address: { about: 'street, postal code, city and country', values: ['flat', 'nested', 'location'] },
  website: { about: 'website and domain of a company', values: ['both', 'website', 'domain', 'without_scheme'] },
  person_email: { about: 'email addresses of people', values: ['text', 'object', 'list', 'channels'] },
  people: { about: 'the people of a company', values: ['list', 'items', 'beside'] },
  company_nesting: { about: 'the fields of a company', values: ['flat', 'attributes', 'profile'] },
  prospect_nesting: { about: 'the fields of a person', values: ['flat', 'attributes', 'person'] },
  timestamps: {
    about: 'timestamps of fields that are not shown',
    values: ['microseconds', 'seconds', 'epoch', 'epoch_ms'],
  },
} as const satisfies Record<string, Alternative>;

/** The form of answers around their content. */
const answers = {
  order_answer: {
    about: 'the answer to order creation',
    values: ['bare', 'order', 'data', 'data.order', 'id', 'id_only', 'location', 'link'],
  },
  order_created: { about: 'the first answer to order creation', values: ['arrives', '503', 'lost', 'replay_409'] },
  order_record: { about: 'the answer to GET order', values: ['bare', 'order', 'data'] },
  order_list: { about: 'the list of orders', values: ['orders', 'data', 'array', 'none'] },
  creation_answer: { about: 'answers to profile creations', values: ['bare', 'data', 'search_profile_creation'] },
  results_items: {
    about: 'the name of the array of slots',
    values: ['items', ...resultArrayNames.slice(1, 6), 'briefings'],
    isOpen: true,
  },
  results_wrapper: { about: 'the wrapper of a page of results', values: ['none', 'data', 'page'] },
  results_extra: { about: 'other arrays on a page of results', values: ['none', 'warnings', 'links'] },
  available_quantity: { about: 'available_briefing_quantity before publication', values: ['0', 'null', 'absent'] },
  discovery_reasons: { about: 'reasons in a discovery summary', values: ['empty', 'absent'] },
  slot_nulls: { about: 'optional fields of a slot without a value', values: ['absent', 'null'] },
  errors: { about: 'error bodies that are not shown', values: ['fastapi', 'problem', 'errors', 'nested', 'map'] },
  output_nulls: { about: 'facts of an output without a value', values: ['absent', 'null'] },
  discovery_files: { about: 'Result columns in files of discovery orders', values: ['plain', 'annotated'] },
  delivery_policy: { about: 'where the delivery policy is applied again', values: ['deliveries', 'results'] },
  replayed_creation: { about: 'the answer to a repeated creation', values: ['first', 'current'] },
  wrong_method: { about: 'status of a method that a path does not have', values: ['405', '404'] },
  results_not_ready_status: { about: 'status of ORDER_RESULTS_NOT_READY', values: ['409', '404', '425'], isOpen: true },
} as const satisfies Record<string, Alternative>;

const presence = ['optional', 'required', 'refused'] as const;
const { company_row: rowNames } = requestAlternatives;

/** The form of requests. */
const requests = {
  unknown_request_fields: { about: 'unknown fields of a request', values: ['refuse', 'ignore'] },
  null_description: { about: 'a null description of a new blacklist', values: ['refuse', 'accept'] },
  entry_id: { about: 'id and created_at in a submitted entry', values: ['refuse', 'ignore'] },
  empty_blacklists: { about: 'an empty blacklist_ids in an enrichment order', values: ['refuse', 'accept'] },
  profile_reference: named(
    'the profile in an order',
    defaultRequestSettings.profile_reference,
    requestAlternatives.profile_reference,
  ),
  enrichment_order_type: named(
    'the order type of an enrichment',
    'ENRICHMENT',
    requestAlternatives.enrichment_order_type,
  ),
  'row.company_name': named('the name in a submitted row', 'company_name', rowNames.company_name),
  'row.website_url': named('the website in a submitted row', 'website_url', rowNames.website_url),
  'row.city': named('the city in a submitted row', 'city', rowNames.city),
  'row.country': named('the country in a submitted row', 'country', rowNames.country),
  features: { about: 'features in an order', values: presence },
  ideal_customer_profile: { about: 'ideal_customer_profile in an order', values: presence },
  seller_offering: { about: 'seller_offering in an order', values: presence },
  target_countries: { about: 'target_countries in an order', values: presence },
} as const satisfies Record<string, Alternative>;

function named(about: string, own: string, others: readonly string[]): Alternative {
  return { about, values: [own, ...others], isOpen: true };
}

function fieldsOf(
  record: 'company' | 'prospect',
  table: Readonly<Record<string, FieldEntry>>,
): Record<string, Alternative> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([field, { names, specified }]) =>
      specified === true ? [] : [[`${record}.${field}`, named(`the name of ${record}.${field}`, field, names)]],
    ),
  );
}

export const alternatives: Readonly<Record<string, Alternative>> = {
  ...forms,
  ...answers,
  ...requests,
  ...fieldsOf('company', companyFields),
  ...fieldsOf('prospect', prospectFields),
};

/** Choices of whole services: `--assume style=b`. */
export const styles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  a: {},
  b: {
    key_case: 'camel',
    company_id: 'integer',
    prospect_id: 'integer',
    order_answer: 'data',
    order_record: 'data',
    creation_answer: 'data',
    errors: 'fastapi',
    timestamps: 'seconds',
  },
  c: {
    'company.name': 'firma',
    'company.prospects': 'ansprechpartner',
    'prospect.email': 'mail',
    'prospect.job_title': 'funktion',
    person_name: 'full',
    company_id: 'missing',
    prospect_id: 'missing',
    employees: 'range',
    missing_values: 'empty',
    website: 'without_scheme',
    order_answer: 'id_only',
    order_list: 'none',
    results_items: 'zeilen',
    errors: 'map',
  },
  d: {
    company_nesting: 'attributes',
    prospect_nesting: 'attributes',
    person_name: 'nested',
    person_email: 'channels',
    address: 'location',
    order_answer: 'location',
    order_record: 'data',
    results_items: 'data',
    results_extra: 'links',
    errors: 'errors',
    missing_values: 'absent',
  },
};
