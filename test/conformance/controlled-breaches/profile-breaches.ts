import {
  countingAnswers,
  creations,
  inBody,
  inStatus,
  onStatus,
  onNthAnswer,
  oneCreation,
  orders,
  toTimestamp,
  type BreachesByCheck,
} from '../breach-changes.ts';

const time = '2026-11-21T00:00:00.123456Z';
const succeeded = () => ({
  status: 'SUCCEEDED',
  profile_id: crypto.randomUUID(),
  error_code: null,
  error_message: null,
});
const failed = { status: 'FAILED', profile_id: null, error_code: 'X', error_message: 'x' };

/** By field: a value that a service could take by mistake, and one that the check sends. */
const values: Readonly<Record<string, { readonly wrong: unknown; readonly right: unknown }>> = {
  profile_name: { wrong: 7, right: 'Machine makers' },
  ideal_customer_profile: { wrong: 7, right: 'Machine makers' },
  target_countries: { wrong: 'Germany', right: ['Germany', 'Austria'] },
  seller_offering: { wrong: 7, right: 'Machines' },
  seller_industry: { wrong: 7, right: 'Machines' },
  target_cities: { wrong: 7, right: ['A', 'B'] },
  target_industries: { wrong: 7, right: ['A', 'B'] },
  excluded_industries: { wrong: 7, right: ['A', 'B'] },
  contact_roles: { wrong: 7, right: ['A', 'B'] },
  output_language: { wrong: 7, right: 'Machines' },
  company_size_min: { wrong: 1.5, right: 100_000 },
  company_size_max: { wrong: 1.5, right: 100_000 },
};

export const profileBreaches: BreachesByCheck = {
  'profiles.input': [
    ...Object.entries(values).flatMap(([field, { wrong, right }]) => [
      [
        `a wrong ${field} that is taken`,
        `${field} ${JSON.stringify(wrong)} must be refused with 422`,
        'POST',
        creations,
        onStatus(422, ({ sent }) => (sent[field] === wrong ? { status: 202, body: {} } : undefined)),
      ] as const,
      [
        `a right ${field} that is refused`,
        'POST /api/v1/search-profile-creations: must answer 202',
        'POST',
        creations,
        onStatus(202, ({ sent }) =>
          JSON.stringify(sent[field]) === JSON.stringify(right) ? { status: 422, body: { detail: [] } } : undefined,
        ),
      ] as const,
    ]),
    [
      'an empty Idempotency-Key that is taken',
      'an empty Idempotency-Key must be refused with 422',
      'POST',
      creations,
      onStatus(422, ({ request }) =>
        request.headers.get('idempotency-key') === '' ? { status: 202, body: {} } : undefined,
      ),
    ],
  ],
  'profiles.default-language': [
    [
      'another default language',
      'the second creation, in en: expected "SUCCEEDED", found "FAILED"',
      'GET',
      oneCreation,
      inStatus('SUCCEEDED', () => failed),
    ],
    [
      'a language without effect',
      'the second creation, in de: expected "FAILED", found "SUCCEEDED"',
      'GET',
      oneCreation,
      inStatus('FAILED', succeeded),
    ],
  ],
  'profiles.statuses': [
    [
      'a creation that never runs',
      'statuses: expected ["PENDING","RUNNING","SUCCEEDED"]',
      'GET',
      oneCreation,
      inStatus('RUNNING', () => ({ status: 'PENDING', started_at: null })),
    ],
    [
      'a creation that never fails',
      'statuses: expected ["PENDING","RUNNING","FAILED"]',
      'GET',
      oneCreation,
      inStatus('FAILED', succeeded),
    ],
    [
      'started_at before it runs',
      'fields of PENDING that are set',
      'GET',
      oneCreation,
      inStatus('PENDING', () => ({ started_at: time })),
    ],
    [
      'a profile_id before it has ended',
      'fields of RUNNING that are set',
      'GET',
      oneCreation,
      inStatus('RUNNING', () => ({ profile_id: crypto.randomUUID() })),
    ],
    [
      'an error_message on success',
      'fields of SUCCEEDED that are set',
      'GET',
      oneCreation,
      inStatus('SUCCEEDED', () => ({ error_message: 'x' })),
    ],
    [
      'a failure without error_code',
      'fields of FAILED that are set',
      'GET',
      oneCreation,
      inStatus('FAILED', () => ({ error_code: null })),
    ],
    ['a message on a read', 'fields of PENDING that are set', 'GET', oneCreation, inBody(() => ({ message: 'x' }))],
    ...['profile_creation_id', 'profile_id'].map(
      (field) =>
        [
          `a ${field} that changes`,
          `values of ${field}: expected 1`,
          'GET',
          oneCreation,
          inStatus('SUCCEEDED', () => ({ [field]: crypto.randomUUID() })),
        ] as const,
    ),
    ...['created_at', 'started_at', 'finished_at'].map(
      (field) =>
        [
          `a ${field} that changes`,
          `values of ${field}: expected 1`,
          'GET',
          oneCreation,
          countingAnswers((seen, count) =>
            inBody((creation) => (creation[field] === null ? {} : { [field]: toTimestamp(count) }))(seen),
          ),
        ] as const,
    ),
    [
      'an end before the start',
      'times in their order',
      'GET',
      oneCreation,
      inStatus('SUCCEEDED', () => ({ finished_at: '2020-01-01T00:00:00.000000Z' })),
    ],
    [
      'a creation that changes after its end',
      'a day later',
      'GET',
      oneCreation,
      onNthAnswer(
        32,
        inBody(() => failed),
      ),
    ],
    ['an empty message', 'the 202 answer must carry a message', 'POST', creations, inBody(() => ({ message: '' }))],
    [
      'a read that differs from the 202 answer',
      'the first read must be the 202 answer without message',
      'POST',
      creations,
      inBody(() => ({ created_at: time })),
    ],
  ],
  'profiles.final': [
    [
      'a profile that no order takes',
      'POST /api/v1/orders: must answer 201',
      'POST',
      orders,
      onStatus(201, () => ({ status: 404, body: { code: 'PROFILE_NOT_FOUND', message: 'x' } })),
    ],
    [
      'a replay with another answer',
      'the answer to a replay',
      'POST',
      creations,
      onNthAnswer(
        3,
        inBody(() => ({ created_at: time })),
      ),
    ],
    [
      'a failed creation that starts again under its key',
      'the same key',
      'POST',
      creations,
      onNthAnswer(
        4,
        inBody(() => ({ profile_creation_id: crypto.randomUUID() })),
      ),
    ],
    [
      'a failed creation that succeeds later',
      'ends under the first and the second key: expected ["FAILED","SUCCEEDED"], found ["SUCCEEDED","SUCCEEDED"]',
      'GET',
      oneCreation,
      inStatus('FAILED', succeeded),
    ],
    [
      'a new key that does not help',
      'ends under the first and the second key: expected ["FAILED","SUCCEEDED"], found ["FAILED","FAILED"]',
      'GET',
      oneCreation,
      // The first read is that of the profile for the order.
      countingAnswers((seen, count) => (count > 1 ? inStatus('SUCCEEDED', () => failed)(seen) : undefined)),
    ],
  ],
};
