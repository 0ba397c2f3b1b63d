import {
  inBody,
  listing,
  allBlacklists,
  onStatus,
  oneBlacklist,
  oneOrder,
  type BreachesByCheck,
} from '../breach-changes.ts';

export const deploymentAccessBreaches: BreachesByCheck = {
  'authentication.missing-key': [
    [
      'a 401 without request_id',
      'GET /api/v1/blacklists 401: request_id: must be string, found nothing',
      'GET',
      /./,
      onStatus(401, ({ body }) => ({ body: { ...body, request_id: undefined } })),
    ],
    [
      'a read without a key',
      'GET /api/v1/blacklists: must answer 401, answered 200',
      'GET',
      allBlacklists,
      onStatus(401, () => ({ status: 200, body: { blacklists: [] } })),
    ],
    [
      'an empty request_id',
      '401: request_id must not be empty',
      'GET',
      allBlacklists,
      onStatus(401, ({ body }) => ({ body: { ...body, request_id: '' } })),
    ],
  ],
  'authentication.wrong-key': [
    [
      'a 401 with code in place of error',
      'GET /api/v1/blacklists 401: error must be UNAUTHORIZED',
      'GET',
      /./,
      onStatus(401, ({ body }) => ({ body: { ...body, error: 'NO' } })),
    ],
  ],
  'authentication.missing-key-write': [
    [
      'a deletion without a key',
      'DELETE /api/v1/blacklists/{blacklist_id}: must answer 401, answered 204',
      'DELETE',
      /\/blacklists\/[^/]+$/,
      onStatus(401, () => ({ status: 204, body: undefined })),
    ],
    [
      'a refused creation that is carried out',
      'a blacklist was created',
      'ANY',
      allBlacklists,
      listing(({ request, status, sent }) =>
        request.method === 'POST' && status === 401 ? { name: sent['name'] } : undefined,
      ),
    ],
  ],
  'authentication.closed-routes': [
    [
      'a closed route that is open',
      'GET /api/v1/companies: must answer 403 (API_KEY_ROUTE_FORBIDDEN), answered 200',
      'GET',
      /v1\/companies$/,
      () => ({ status: 200, body: {} }),
    ],
    [
      'a closed route with another code',
      'GET /api/v1/companies: must answer 403 (API_KEY_ROUTE_FORBIDDEN), answered 403 (AUTHORIZATION_ERROR)',
      'GET',
      /v1\/companies$/,
      onStatus(403, ({ body }) => ({ body: { ...body, code: 'AUTHORIZATION_ERROR' } })),
    ],
    [
      'a closed route without a message',
      '403: message must be string',
      'GET',
      /v1\/companies$/,
      onStatus(403, ({ body }) => ({ body: { ...body, message: undefined } })),
    ],
  ],
  'headers.json-errors': [
    [
      'an error in HTML',
      'GET /api/v1/orders/{order_id}: the answer 404 must be application/json',
      'GET',
      oneOrder,
      onStatus(404, () => ({ headers: { 'content-type': 'text/html' } })),
    ],
  ],
  'headers.json-charset': [
    [
      'a name that loses its emoji',
      'GET /api/v1/blacklists/{blacklist_id}: name must be as it was sent',
      'GET',
      oneBlacklist,
      inBody(({ name }) => ({ name: String(name).replace('🏭', '?') })),
    ],
    [
      'a name that loses its umlauts',
      'POST /api/v1/blacklists: name must come back as it was sent',
      'POST',
      allBlacklists,
      inBody(({ name }) => ({ name: String(name).replace('ö', 'o') })),
    ],
    [
      'a description that loses its quotes',
      'description must be as it was sent',
      'GET',
      oneBlacklist,
      inBody(({ description }) => ({ description: String(description).replace('‘', "'") })),
    ],
  ],
};
