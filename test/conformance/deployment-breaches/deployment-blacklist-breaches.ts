import {
  allBlacklists,
  blacklistWithoutMicroseconds,
  entryPages,
  foreignBlacklist,
  inBody,
  listing,
  onNthAnswer,
  onStatus,
  oneBlacklist,
  rows,
  type BreachesByCheck,
} from '../breach-changes.ts';

const anyList = /\/v1\/blacklists(?:\/[^/]+)?$/;
const inList = (change: (blacklists: Record<string, unknown>[]) => Record<string, unknown>[]) =>
  onStatus(200, ({ body }) => ({ body: { blacklists: change(rows(body['blacklists'])) } }));

export const deploymentBlacklistBreaches: BreachesByCheck = {
  'blacklists.list': [
    [
      'timestamps without microseconds',
      'GET /api/v1/blacklists 200: blacklists[].created_at: must be ISO 8601 UTC with microseconds and Z',
      'GET',
      allBlacklists,
      onStatus(200, ({ body }) => ({
        body: { blacklists: rows(body['blacklists']).concat(blacklistWithoutMicroseconds) },
      })),
    ],
    [
      'another blacklist than the one asked for',
      'GET /api/v1/blacklists/{blacklist_id}: must answer the blacklist asked for',
      'GET',
      anyList,
      ({ url }) =>
        allBlacklists.test(url.pathname)
          ? { body: { blacklists: [foreignBlacklist] } }
          : { status: 200, body: { ...foreignBlacklist, id: crypto.randomUUID() } },
    ],
  ],
  'blacklists.unknown-id': [
    [
      'a 404 without blacklist_id',
      'GET /api/v1/blacklists/{blacklist_id} 404: blacklist_id: must be string, found nothing',
      'GET',
      oneBlacklist,
      onStatus(404, ({ body }) => ({ body: { ...body, blacklist_id: undefined } })),
    ],
    [
      'a 404 with another code',
      'GET /api/v1/blacklists/{blacklist_id}: code must be BLACKLIST_NOT_FOUND, answered 404 (NOT_FOUND)',
      'GET',
      oneBlacklist,
      onStatus(404, ({ body }) => ({ body: { ...body, code: 'NOT_FOUND' } })),
    ],
    ...['blacklist_id', 'identifier'].map(
      (field) =>
        [
          `a 404 with another ${field}`,
          `404: ${field} must be the id asked for`,
          'GET',
          oneBlacklist,
          onStatus(404, ({ body }) => ({ body: { ...body, [field]: foreignBlacklist.id } })),
        ] as const,
    ),
  ],
  'blacklists.malformed-id': [
    [
      'an id that is not a UUID answered with 500',
      'GET /api/v1/blacklists/{blacklist_id}: an id that is not a UUID must be refused with 422, answered 500 (INTERNAL_ERROR)',
      'GET',
      oneBlacklist,
      onStatus(422, () => ({ status: 500, body: { code: 'INTERNAL_ERROR', message: 'x' } })),
    ],
  ],
  'blacklists.create': [
    [
      'a creation answered 200',
      'POST /api/v1/blacklists: must answer 201, answered 200',
      'POST',
      allBlacklists,
      onStatus(201, () => ({ status: 200 })),
    ],
    ['another name', 'name must be as it was sent', 'POST', allBlacklists, inBody(() => ({ name: 'x' }))],
    ['another description', 'description must be as sent', 'POST', allBlacklists, inBody(() => ({ description: 'x' }))],
    [
      'a new blacklist with entries',
      'entry_count must be 0',
      'POST',
      allBlacklists,
      inBody(() => ({ entry_count: 1 })),
    ],
    [
      'another name when it is read',
      'must answer what was created',
      'GET',
      oneBlacklist,
      inBody(() => ({ name: 'x' })),
    ],
    ['a blacklist that is not listed', 'must list the new blacklist once', 'GET', allBlacklists, inList(() => [])],
  ],
  'blacklists.create-refusals': [
    [
      'an empty name that is accepted',
      'POST /api/v1/blacklists: an empty name must be refused with 422, answered 201',
      'POST',
      allBlacklists,
      onStatus(422, () => ({ status: 201, body: blacklistWithoutMicroseconds })),
    ],
    [
      'a refused creation that is carried out',
      'refused requests created 1 blacklists',
      'GET',
      allBlacklists,
      onNthAnswer(
        3,
        inList((blacklists) => [...blacklists, { ...foreignBlacklist, name: '' }]),
      ),
    ],
    ...['a description that is a number', 'an empty body'].map(
      (what) =>
        [
          `${what} that is taken`,
          `${what} must be refused with 422`,
          'POST',
          allBlacklists,
          onStatus(422, () => ({ status: 201, body: foreignBlacklist })),
        ] as const,
    ),
  ],
  'blacklists.limits': [
    [
      'a long name that is cut',
      'a name of 500 characters must be kept whole',
      'GET',
      oneBlacklist,
      inBody(({ name }) => ({ name: String(name).slice(0, 255) })),
    ],
    [
      'a long description that is cut',
      'a description of 2,000 characters must be kept whole',
      'GET',
      oneBlacklist,
      inBody(({ description }) => ({ description: String(description).slice(1) })),
    ],
    [
      'an empty description in place of null',
      'a description not sent must be null',
      'POST',
      allBlacklists,
      inBody(({ description }) => ({ description: description ?? '' })),
    ],
    ...['name', 'description'].map(
      (field) =>
        [
          `a long ${field} that a change cuts`,
          field === 'name' ? 'PATCH: a name of 500 characters' : 'PATCH: 2,000 characters',
          'PATCH',
          oneBlacklist,
          inBody((blacklist) => ({ [field]: String(blacklist[field]).slice(1) })),
        ] as const,
    ),
  ],
  'blacklists.patch': [
    [
      'PATCH that clears an omitted field',
      'PATCH with only name: description is not right',
      'PATCH',
      oneBlacklist,
      inBody(() => ({ description: null })),
    ],
    ['a name that stays', 'PATCH with only name: name is not', 'PATCH', oneBlacklist, inBody(() => ({ name: 'x' }))],
  ],
  'blacklists.patch-refusals': [
    [
      'PATCH that takes a null name',
      'PATCH /api/v1/blacklists/{blacklist_id}: a null name must be refused with 422, answered 200',
      'PATCH',
      oneBlacklist,
      onStatus(422, () => ({ status: 200, body: blacklistWithoutMicroseconds })),
    ],
    [
      'a refused change that is carried out',
      'PATCH: a refused change must change nothing',
      'GET',
      oneBlacklist,
      onNthAnswer(
        3,
        inBody(() => ({ name: 'x' })),
      ),
    ],
  ],
  'blacklists.delete': [
    [
      'a deletion answered 200 with a body',
      'DELETE /api/v1/blacklists/{blacklist_id}: must answer 204, answered 200',
      'DELETE',
      oneBlacklist,
      onStatus(204, () => ({ status: 200, body: { ok: true } })),
    ],
    [
      'a deleted blacklist that can be deleted again',
      'DELETE /api/v1/blacklists/{blacklist_id}: must answer 404, answered 204',
      'DELETE',
      oneBlacklist,
      onStatus(404, () => ({ status: 204, body: undefined })),
    ],
    [
      'a deleted blacklist that is listed',
      'lists a deleted blacklist',
      'ANY',
      anyList,
      listing(({ request, url, status }) =>
        request.method === 'DELETE' && status === 204 ? { id: url.pathname.split('/').at(-1) } : undefined,
      ),
    ],
  ],
  'blacklists.write-unknown-id': [
    [
      'an unknown blacklist that can be deleted',
      'DELETE /api/v1/blacklists/{blacklist_id}: must answer 404, answered 204',
      'DELETE',
      oneBlacklist,
      onStatus(404, () => ({ status: 204, body: undefined })),
    ],
    ...[
      ['PATCH', oneBlacklist, 200, foreignBlacklist] as const,
      ['POST', entryPages, 201, []] as const,
      ['DELETE', entryPages, 204, undefined] as const,
    ].map(
      ([method, path, status, body]) =>
        [
          `${method} of an unknown blacklist that is carried out`,
          `${method} /api/v1/blacklists/{blacklist_id}${path === entryPages ? '/entries' : ''}: must answer 404`,
          method,
          path,
          onStatus(404, () => ({ status, body })),
        ] as const,
    ),
  ],
};
