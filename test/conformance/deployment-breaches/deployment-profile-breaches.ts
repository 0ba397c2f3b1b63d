import {
  assignedBlacklists,
  countingAnswers,
  creations,
  fault,
  foreignBlacklist,
  inBody,
  onStatus,
  oneCreation,
  rows,
  type BreachesByCheck,
} from '../breach-changes.ts';

export const deploymentProfileBreaches: BreachesByCheck = {
  'profiles.create': [
    [
      'a new creation with status RUNNING',
      'POST /api/v1/search-profile-creations: status must be PENDING',
      'POST',
      creations,
      onStatus(202, ({ body }) => ({ body: { ...body, status: 'RUNNING' } })),
    ],
    [
      'a creation without message',
      'POST /api/v1/search-profile-creations 202: message: must be string, found nothing',
      'POST',
      creations,
      onStatus(202, ({ body }) => ({ body: { ...body, message: undefined } })),
    ],
    [
      'a creation that has started',
      'started_at must be null',
      'POST',
      creations,
      inBody(({ created_at }) => ({ started_at: created_at })),
    ],
    ['an empty message', 'message must not be empty', 'POST', creations, inBody(() => ({ message: '' }))],
  ],
  'profiles.replay': [
    [
      'a replay that creates again',
      'POST /api/v1/search-profile-creations: a replay must give the same profile_creation_id, answered 202',
      'POST',
      creations,
      countingAnswers(({ body, status }, time) =>
        time > 1 && status === 202 ? { body: { ...body, profile_creation_id: crypto.randomUUID() } } : undefined,
      ),
    ],
  ],
  'profiles.conflict': [
    [
      'a reused key that is accepted',
      'POST /api/v1/search-profile-creations: must answer 409, answered 202',
      'POST',
      creations,
      onStatus(409, () => ({ status: 202, body: {} })),
    ],
  ],
  'profiles.create-refusals': [
    [
      'a missing Idempotency-Key that is accepted',
      'POST /api/v1/search-profile-creations 202: profile_creation_id: must be string, found nothing',
      'POST',
      creations,
      onStatus(422, ({ request }) => (request.headers.has('idempotency-key') ? undefined : { status: 202, body: {} })),
    ],
  ],
  'profiles.poll': [
    [
      'message on a read',
      'GET of the creation: message must be on the 202 answer only',
      'GET',
      oneCreation,
      inBody(() => ({ message: 'x' })),
    ],
    [
      'profile_id before SUCCEEDED',
      'GET of the creation: profile_id must be set when SUCCEEDED, and only then',
      'GET',
      oneCreation,
      inBody(({ status }) => (status === 'SUCCEEDED' ? {} : { profile_id: crypto.randomUUID() })),
    ],
    [
      'an error_code without a failure',
      'error_code must be set when FAILED',
      'GET',
      oneCreation,
      inBody(() => ({ error_code: 'X' })),
    ],
    [
      'a finished_at before the end',
      'finished_at must be null until it has ended',
      'GET',
      oneCreation,
      inBody(({ created_at, finished_at }) => ({ finished_at: finished_at ?? created_at })),
    ],
    [
      'an end without finished_at',
      'finished_at must be set when it has ended',
      'GET',
      oneCreation,
      inBody(() => ({ finished_at: null })),
    ],
    [
      'a status that goes back',
      'the status must go forward',
      'GET',
      oneCreation,
      countingAnswers((seen, time) =>
        time > 2 ? undefined : inBody(() => ({ status: ['RUNNING', 'PENDING'][time - 1] }))(seen),
      ),
    ],
    [
      'a created_at that moves',
      'created_at must stay',
      'GET',
      oneCreation,
      countingAnswers((seen, time) => inBody(() => ({ created_at: `2026-11-01T10:00:0${time % 10}.000000Z` }))(seen)),
    ],
  ],
  'profiles.unknown-creation': [
    [
      'an unknown creation that is found',
      'GET /api/v1/search-profile-creations/{profile_creation_id} 200: profile_creation_id: must be string, found nothing',
      'GET',
      oneCreation,
      onStatus(404, () => ({ status: 200, body: {} })),
    ],
  ],
  'assignments.replace': [
    [
      'an assignment that adds to the earlier one',
      'PUT assignments: after two lists exactly 2 must be assigned, found 3',
      'GET',
      assignedBlacklists,
      onStatus(200, ({ body }) => ({ body: { blacklists: rows(body['blacklists']).concat(foreignBlacklist) } })),
    ],
  ],
  'assignments.unknown-blacklist': [
    [
      'an assignment with an unknown blacklist that is accepted',
      'PUT /api/v1/prospect-searches/{prospect_search_id}/blacklists: must answer 404, answered 204',
      'PUT',
      assignedBlacklists,
      onStatus(404, () => ({ status: 204, body: undefined })),
    ],
  ],
  'assignments.duplicates': [
    [
      'duplicates that are kept',
      'PUT assignments: after one list sent twice exactly 1 must be assigned, found 2',
      'GET',
      assignedBlacklists,
      onStatus(200, ({ body }) => ({ body: { blacklists: rows(body['blacklists']).flatMap((list) => [list, list]) } })),
    ],
  ],
  'assignments.unknown-search': [
    [
      'an unknown search answered with 500',
      'GET /api/v1/prospect-searches/{prospect_search_id}/blacklists: answered 500 (INTERNAL_ERROR), must be 404',
      'GET',
      assignedBlacklists,
      onStatus(404, () => ({ status: 500, body: fault })),
    ],
  ],
  'assignments.refusals': [
    [
      '101 ids that are accepted',
      'PUT /api/v1/prospect-searches/{prospect_search_id}/blacklists: 101 ids must be refused with 422, answered 204',
      'PUT',
      assignedBlacklists,
      onStatus(422, () => ({ status: 204, body: undefined })),
    ],
  ],
  'assignments.deletion': [
    [
      'a deletion that removes other assignments',
      'PUT assignments: after a deletion exactly 1 must be assigned, found 0',
      'GET',
      assignedBlacklists,
      inBody(() => ({ blacklists: [] })),
    ],
  ],
  'assignments.empty': [
    [
      'an empty assignment that unassigns nothing',
      'PUT assignments: after an empty list exactly 0 must be assigned, found 1',
      'GET',
      assignedBlacklists,
      onStatus(200, () => ({ body: { blacklists: [foreignBlacklist] } })),
    ],
  ],
};
