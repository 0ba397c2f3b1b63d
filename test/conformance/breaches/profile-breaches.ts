import { answer, drop, invalidBody, merge, other, set, whenSent } from './answer-mutations.ts';
import type { Breach, BreachesByCheck } from './breached-deployment.ts';

const time = '2026-11-21T00:00:00.123456Z';
const id = '00000000-0000-4000-8000-000000000002';
const succeeded = merge({ status: 'SUCCEEDED', profile_id: id, error_code: null, error_message: null });
const failed = merge({ status: 'FAILED', profile_id: null, error_code: 'X', error_message: 'x' });

/** By field: a value that a service could take by mistake, and one that the check sends. */
const values: Readonly<Record<string, readonly [wrong: unknown, right: unknown]>> = {
  profile_name: [7, 'Machine makers'],
  ideal_customer_profile: [7, 'Machine makers'],
  target_countries: ['Germany', ['Germany', 'Austria']],
  seller_offering: [7, 'Machines'],
  seller_industry: [7, 'Machines'],
  target_cities: [7, ['A', 'B']],
  target_industries: [7, ['A', 'B']],
  excluded_industries: [7, ['A', 'B']],
  contact_roles: [7, ['A', 'B']],
  output_language: [7, 'Machines'],
  company_size_min: [1.5, 100_000],
  company_size_max: [1.5, 100_000],
};

export const profileBreaches: BreachesByCheck = {
  'profiles.create': [
    ['createProfile', set('status', 'RUNNING'), 'POST /api/v1/search-profile-creations: status must be PENDING'],
    ['createProfile', drop('message'), '202: message: must be string, found nothing'],
    ['createProfile', set('started_at', time), 'started_at must be null'],
    ['createProfile', set('message', ''), 'message must not be empty'],
  ],
  'profiles.replay': [
    [
      'createProfile #2+',
      other('profile_creation_id'),
      'a replay must give the same profile_creation_id, answered 202',
    ],
  ],
  'profiles.conflict': [
    ['createProfile 409', answer(202, {}), 'POST /api/v1/search-profile-creations: must answer 409, answered 202'],
  ],
  'profiles.create-refusals': [
    ['createProfile 422', answer(202, {}), 'profile_creation_id: must be string, found nothing'],
    ['createProfile 422', answer(202, {}), 'a missing Idempotency-Key must be refused with 422, answered 202'],
  ],
  'profiles.poll': [
    ['getProfileCreation', set('message', 'x'), 'message must be on the 202 answer only'],
    [
      'getProfileCreation status=PENDING',
      set('profile_id', id),
      'profile_id must be set when SUCCEEDED, and only then',
    ],
    ['getProfileCreation', set('error_code', 'X'), 'error_code must be set when FAILED'],
    ['getProfileCreation status=PENDING', set('finished_at', time), 'finished_at must be null until it has ended'],
    ['getProfileCreation', set('finished_at', null), 'finished_at must be set when it has ended'],
    ['getProfileCreation #1', set('status', 'RUNNING'), 'the status must go forward'],
    ['getProfileCreation', other('created_at'), 'created_at must stay'],
  ],
  'profiles.unknown-creation': [
    ['getProfileCreation 404', answer(200, {}), '200: profile_creation_id: must be string, found nothing'],
  ],
  'profiles.input': [
    ...Object.entries(values).flatMap(([field, [wrong, right]]): Breach[] => [
      [
        'createProfile 422',
        whenSent((sent) => sent[field] === wrong, answer(202, {})),
        `${field} ${JSON.stringify(wrong)} must be refused with 422`,
      ],
      [
        'createProfile',
        whenSent((sent) => JSON.stringify(sent[field]) === JSON.stringify(right), answer(422, invalidBody)),
        'POST /api/v1/search-profile-creations: must answer 202',
      ],
    ]),
    ['createProfile 422', answer(202, {}), 'an empty Idempotency-Key must be refused with 422'],
  ],
  'profiles.default-language': [
    ['getProfileCreation status=SUCCEEDED', failed, 'the second creation, in en: expected "SUCCEEDED", found "FAILED"'],
    ['getProfileCreation status=FAILED', succeeded, 'the second creation, in de: expected "FAILED", found "SUCCEEDED"'],
  ],
  'profiles.statuses': [
    [
      'getProfileCreation status=RUNNING',
      merge({ status: 'PENDING', started_at: null }),
      'statuses: expected ["PENDING","RUNNING","SUCCEEDED"]',
    ],
    ['getProfileCreation status=FAILED', succeeded, 'statuses: expected ["PENDING","RUNNING","FAILED"]'],
    ['getProfileCreation status=PENDING', set('started_at', time), 'fields of PENDING that are set'],
    ['getProfileCreation status=RUNNING', set('profile_id', id), 'fields of RUNNING that are set'],
    ['getProfileCreation status=SUCCEEDED', set('error_message', 'x'), 'fields of SUCCEEDED that are set'],
    ['getProfileCreation status=FAILED', set('error_code', null), 'fields of FAILED that are set'],
    ['getProfileCreation', set('message', 'x'), 'fields of PENDING that are set'],
    ...['profile_creation_id', 'profile_id', 'created_at', 'started_at', 'finished_at'].map((field): Breach => [
      'getProfileCreation status=SUCCEEDED',
      other(field),
      `values of ${field}: expected 1`,
    ]),
    ['getProfileCreation status=SUCCEEDED', set('finished_at', '2020-01-01T00:00:00.000000Z'), 'times in their order'],
    ['getProfileCreation #32', failed, 'a day later'],
    ['createProfile', set('message', ''), 'the 202 answer must carry a message'],
    ['createProfile', other('created_at'), 'the first read must be the 202 answer without message'],
  ],
  'profiles.final': [
    ['createOrder', answer(404, { code: 'PROFILE_NOT_FOUND', message: 'x' }), 'POST /api/v1/orders: must answer 201'],
    ['createProfile #3', other('created_at'), 'the answer to a replay'],
    ['createProfile #4', other('profile_creation_id'), 'the same key'],
    ['getProfileCreation status=FAILED', succeeded, 'expected ["FAILED","SUCCEEDED"], found ["SUCCEEDED","SUCCEEDED"]'],
    // The first read is that of the profile for the order.
    ['getProfileCreation #2+ status=SUCCEEDED', failed, 'expected ["FAILED","SUCCEEDED"], found ["FAILED","FAILED"]'],
  ],
};
