import {
  assignedBlacklists,
  entryPages,
  foreignBlacklist,
  allBlacklists,
  onStatus,
  oneBlacklist,
  oneOrder,
  oneOutput,
  orders,
  outputs,
  results,
  row,
  rows,
  type BreachesByCheck,
} from '../breach-changes.ts';

const forbidden = { code: 'AUTHORIZATION_ERROR', message: 'x', required_scopes: [], user_scopes: [] };
const foundAnyway = onStatus(404, () => ({ status: 200, body: {} }));

/** Reads of what belongs to another organization. */
const foreignReads = [
  ['a blacklist', 'GET /api/v1/blacklists/{blacklist_id}', oneBlacklist],
  ['entries', 'GET /api/v1/blacklists/{blacklist_id}/entries', entryPages],
  ['an order', 'GET /api/v1/orders/{order_id}', oneOrder],
  ['results', 'GET /api/v1/orders/{order_id}/results', results],
  ['outputs', 'GET /api/v1/orders/{order_id}/outputs', outputs],
  ['an output', 'GET /api/v1/orders/{order_id}/outputs/{output_id}', oneOutput],
  ['a file', 'GET /api/v1/exports/jobs/{export_job_id}/download', /\/download$/],
  ['deliveries', 'GET /api/v1/deliveries/{prospect_search_id}/companies', /\/companies$/],
] as const;

export const keyBreaches: BreachesByCheck = {
  'authentication.missing-scope': [
    [
      'a read that needs no scope',
      'GET /api/v1/blacklists: expected [403,"AUTHORIZATION_ERROR"',
      'GET',
      allBlacklists,
      onStatus(403, () => ({ status: 200, body: { blacklists: [] } })),
    ],
    [
      'a deletion that needs no scope',
      'DELETE /api/v1/blacklists/{blacklist_id}: expected [403,"AUTHORIZATION_ERROR"',
      'DELETE',
      oneBlacklist,
      onStatus(403, () => ({ status: 204 })),
    ],
    [
      'a 403 with another code',
      'GET /api/v1/blacklists: expected [403,"AUTHORIZATION_ERROR"',
      'GET',
      allBlacklists,
      onStatus(403, ({ body }) => ({ body: { ...body, code: 'NO' } })),
    ],
    [
      'a 403 that names another scope',
      'PUT /api/v1/prospect-searches/{prospect_search_id}/blacklists: expected [403',
      'PUT',
      assignedBlacklists,
      onStatus(403, ({ body }) => ({ body: { ...body, required_scopes: ['admin'] } })),
    ],
    [
      'a 403 that does not list the scopes of the key',
      'POST /api/v1/search-profile-creations: expected [403',
      'POST',
      /creations$/,
      onStatus(403, ({ body }) => ({ body: { ...body, user_scopes: [] } })),
    ],
    [
      'a scope that does not suffice',
      'GET /api/v1/blacklists: must be allowed with blacklists:read, answered 403',
      'GET',
      allBlacklists,
      onStatus(200, () => ({ status: 403, body: forbidden })),
    ],
    [
      'an order with blacklists that needs no scope for blacklists',
      'POST /api/v1/orders: expected [403,"AUTHORIZATION_ERROR","string",["blacklists:read"',
      'POST',
      orders,
      onStatus(403, ({ sent }) => ('blacklist_ids' in sent ? { status: 201, body: {} } : undefined)),
    ],
  ],
  'authentication.expired-key': [
    [
      'an expired key that is accepted',
      'GET /api/v1/blacklists: must answer 401',
      'GET',
      allBlacklists,
      onStatus(401, () => ({ status: 200, body: { blacklists: [] } })),
    ],
    [
      'an expired key with another error',
      'an expired key: error must be UNAUTHORIZED',
      'GET',
      allBlacklists,
      onStatus(401, ({ body }) => ({ body: { ...body, error: 'EXPIRED' } })),
    ],
    [
      'a key that is refused before it expires',
      'GET /api/v1/blacklists: must answer 200',
      'GET',
      allBlacklists,
      ({ request }) => (request.headers.get('authorization')?.includes('sk_') ? { status: 500, body: {} } : undefined),
    ],
  ],
  'authentication.issued-scopes': [
    [
      'a withdrawn scope that unlocks something',
      'an older key: expected [403,"AUTHORIZATION_ERROR"]',
      'GET',
      allBlacklists,
      onStatus(403, () => ({ status: 200, body: { blacklists: [] } })),
    ],
  ],
  'authentication.other-organization': [
    ...foreignReads.map(
      ([what, about, path]) =>
        [`${what} of another organization`, `${about}: must answer 404`, 'GET', path, foundAnyway] as const,
    ),
    [
      'a blacklist of another organization that can be deleted',
      'DELETE /api/v1/blacklists/{blacklist_id}: must answer 404',
      'DELETE',
      oneBlacklist,
      onStatus(404, () => ({ status: 204 })),
    ],
    [
      'a 404 for another blacklist',
      '404: identifier and blacklist_id',
      'GET',
      oneBlacklist,
      onStatus(404, ({ body }) => ({ body: { ...row(body), identifier: foreignBlacklist.id } })),
    ],
    [
      'a list with blacklists of another organization',
      'blacklists of another organization',
      'GET',
      allBlacklists,
      onStatus(200, ({ body }) => ({ body: { blacklists: rows(body['blacklists']).concat(foreignBlacklist) } })),
    ],
  ],
};
