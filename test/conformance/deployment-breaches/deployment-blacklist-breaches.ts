import { counted, foreignBlacklist, inBody, on, oneList, rows, type BreachesByCheck } from '../breach-changes.ts';
import type { Change, Seen } from '../conformance-harness.ts';

const lists = /\/v1\/blacklists$/;
const anyList = /\/v1\/blacklists(?:\/[^/]+)?$/;
const entries = /\/entries$/;
const inList = (change: (blacklists: Record<string, unknown>[]) => Record<string, unknown>[]) =>
  on(200, ({ body }) => ({ body: { blacklists: change(rows(body['blacklists'])) } }));

/** Lists what `find` takes from another request and its answer. */
function listing(find: (seen: Seen) => Record<string, unknown> | undefined) {
  let found: Record<string, unknown> | undefined;
  return (seen: Seen): Change => {
    found = find(seen) ?? found;
    const isList = seen.request.method === 'GET' && seen.status === 200 && 'blacklists' in seen.body;
    if (!isList || found === undefined) return undefined;
    return { body: { blacklists: [...rows(seen.body['blacklists']), { ...foreignBlacklist, ...found }] } };
  };
}

export const deploymentBlacklistBreaches: BreachesByCheck = {
  'authentication.missing-key': [
    [
      'an empty request_id',
      '401: request_id must not be empty',
      'GET',
      lists,
      on(401, ({ body }) => ({ body: { ...body, request_id: '' } })),
    ],
  ],
  'authentication.missing-key-write': [
    [
      'a refused creation that is carried out',
      'a blacklist was created',
      'ANY',
      lists,
      listing(({ request, status, sent }) =>
        request.method === 'POST' && status === 401 ? { name: sent['name'] } : undefined,
      ),
    ],
  ],
  'authentication.closed-routes': [
    [
      'a closed route without a message',
      '403: message must be string',
      'GET',
      /v1\/companies$/,
      on(403, ({ body }) => ({ body: { ...body, message: undefined } })),
    ],
  ],
  'headers.json-charset': [
    [
      'a name that loses its umlauts',
      'POST /api/v1/blacklists: name must come back as it was sent',
      'POST',
      lists,
      inBody(({ name }) => ({ name: String(name).replace('ö', 'o') })),
    ],
    [
      'a description that loses its quotes',
      'description must be as it was sent',
      'GET',
      oneList,
      inBody(({ description }) => ({ description: String(description).replace('‘', "'") })),
    ],
  ],
  'blacklists.list': [
    [
      'another blacklist than the one asked for',
      'GET /api/v1/blacklists/{blacklist_id}: must answer the blacklist asked for',
      'GET',
      anyList,
      ({ url }) =>
        lists.test(url.pathname)
          ? { body: { blacklists: [foreignBlacklist] } }
          : { status: 200, body: { ...foreignBlacklist, id: crypto.randomUUID() } },
    ],
  ],
  'blacklists.unknown-id': ['blacklist_id', 'identifier'].map(
    (field) =>
      [
        `a 404 with another ${field}`,
        `404: ${field} must be the id asked for`,
        'GET',
        oneList,
        on(404, ({ body }) => ({ body: { ...body, [field]: foreignBlacklist.id } })),
      ] as const,
  ),
  'blacklists.create': [
    ['another name', 'name must be as it was sent', 'POST', lists, inBody(() => ({ name: 'x' }))],
    ['another description', 'description must be as sent', 'POST', lists, inBody(() => ({ description: 'x' }))],
    ['a new blacklist with entries', 'entry_count must be 0', 'POST', lists, inBody(() => ({ entry_count: 1 }))],
    ['another name when it is read', 'must answer what was created', 'GET', oneList, inBody(() => ({ name: 'x' }))],
    ['a blacklist that is not listed', 'must list the new blacklist once', 'GET', lists, inList(() => [])],
  ],
  'blacklists.limits': [
    [
      'a long description that is cut',
      'a description of 2,000 characters must be kept whole',
      'GET',
      oneList,
      inBody(({ description }) => ({ description: String(description).slice(1) })),
    ],
    [
      'an empty description in place of null',
      'a description not sent must be null',
      'POST',
      lists,
      inBody(({ description }) => ({ description: description ?? '' })),
    ],
    ...['name', 'description'].map(
      (field) =>
        [
          `a long ${field} that a change cuts`,
          field === 'name' ? 'PATCH: a name of 500 characters' : 'PATCH: 2,000 characters',
          'PATCH',
          oneList,
          inBody((blacklist) => ({ [field]: String(blacklist[field]).slice(1) })),
        ] as const,
    ),
  ],
  'blacklists.create-refusals': [
    [
      'a refused creation that is carried out',
      'refused requests created 1 blacklists',
      'GET',
      lists,
      counted((seen, time) =>
        time === 3 ? inList((blacklists) => [...blacklists, { ...foreignBlacklist, name: '' }])(seen) : undefined,
      ),
    ],
    ...['a description that is a number', 'an empty body'].map(
      (what) =>
        [
          `${what} that is taken`,
          `${what} must be refused with 422`,
          'POST',
          lists,
          on(422, () => ({ status: 201, body: foreignBlacklist })),
        ] as const,
    ),
  ],
  'blacklists.patch': [
    ['a name that stays', 'PATCH with only name: name is not', 'PATCH', oneList, inBody(() => ({ name: 'x' }))],
  ],
  'blacklists.patch-refusals': [
    [
      'a refused change that is carried out',
      'PATCH: a refused change must change nothing',
      'GET',
      oneList,
      counted((seen, time) => (time === 3 ? inBody(() => ({ name: 'x' }))(seen) : undefined)),
    ],
  ],
  'blacklists.write-unknown-id': [
    ['PATCH', oneList, 200, foreignBlacklist] as const,
    ['POST', entries, 201, []] as const,
    ['DELETE', entries, 204, undefined] as const,
  ].map(
    ([method, path, status, body]) =>
      [
        `${method} of an unknown blacklist that is carried out`,
        `${method} /api/v1/blacklists/{blacklist_id}${path === entries ? '/entries' : ''}: must answer 404`,
        method,
        path,
        on(404, () => ({ status, body })),
      ] as const,
  ),
  'blacklists.delete': [
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
};
