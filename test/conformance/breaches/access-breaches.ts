import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/index.ts';
import {
  answer,
  append,
  compute,
  drop,
  fault,
  foreignBlacklist,
  header,
  other,
  rows,
  set,
  whenSent,
} from './answer-mutations.ts';
import type { Breach, BreachesByCheck } from './breached-deployment.ts';

const noBlacklists = { blacklists: [] };
const forbidden = { code: 'AUTHORIZATION_ERROR', message: 'x', required_scopes: [], user_scopes: [] };

/** Reads that must not find what belongs to another organization. */
const foreignReads = [
  'getBlacklist',
  'listEntries',
  'getOrder',
  'listResults',
  'listOutputs',
  'getOutput',
  'downloadExport',
  'listDeliveredCompanies',
] as const;

export const accessBreaches: BreachesByCheck = {
  'authentication.missing-key': [
    ['listBlacklists 401', answer(200, noBlacklists), 'GET /api/v1/blacklists: must answer 401, answered 200'],
    ['getOrder 401', drop('request_id'), '401: request_id: must be string, found nothing'],
    ['listBlacklists 401', set('request_id', ''), '401: request_id must not be empty'],
  ],
  'authentication.wrong-key': [['listBlacklists 401', set('error', 'NO'), '401: error must be UNAUTHORIZED']],
  'authentication.missing-key-write': [
    ['deleteBlacklist 401', answer(204), 'DELETE /api/v1/blacklists/{blacklist_id}: must answer 401, answered 204'],
    ['listBlacklists', listRefusedBlacklist(), 'a blacklist was created'],
  ],
  'authentication.closed-routes': [
    ['closedRoute 403', answer(200, {}), 'must answer 403 (API_KEY_ROUTE_FORBIDDEN), answered 200'],
    ['closedRoute 403', set('code', 'AUTHORIZATION_ERROR'), 'answered 403 (AUTHORIZATION_ERROR)'],
    ['closedRoute 403', drop('message'), '403: message must be string'],
  ],
  'headers.json-errors': [
    ['getOrder 404', header('content-type', 'text/html'), 'the answer 404 must be application/json'],
  ],
  'headers.json-charset': [
    ['getBlacklist', without('name', '🏭'), 'GET /api/v1/blacklists/{blacklist_id}: name must be as it was sent'],
    ['createBlacklist', without('name', 'ö'), 'POST /api/v1/blacklists: name must come back as it was sent'],
    ['getBlacklist', without('description', '‘'), 'description must be as it was sent'],
  ],
  'authentication.missing-scope': [
    ['listBlacklists 403', answer(200, noBlacklists), 'GET /api/v1/blacklists: expected [403,"AUTHORIZATION_ERROR"'],
    ['deleteBlacklist 403', answer(204), 'DELETE /api/v1/blacklists/{blacklist_id}: expected [403,"AUTHORIZATION_ERR'],
    ['listBlacklists 403', set('code', 'NO'), 'GET /api/v1/blacklists: expected [403,"AUTHORIZATION_ERROR"'],
    ['assignBlacklists 403', set('required_scopes', ['admin']), 'PUT /api/v1/prospect-searches/{prospect_search_id}/b'],
    ['createProfile 403', set('user_scopes', []), 'POST /api/v1/search-profile-creations: expected [403'],
    ['listBlacklists', answer(403, forbidden), 'must be allowed with blacklists:read, answered 403'],
    [
      'createOrder 403',
      whenSent((sent) => 'blacklist_ids' in sent, answer(201, {})),
      'POST /api/v1/orders: expected [403,"AUTHORIZATION_ERROR","string",["blacklists:read"',
    ],
  ],
  'authentication.expired-key': [
    ['listBlacklists 401', answer(200, noBlacklists), 'GET /api/v1/blacklists: must answer 401'],
    ['listBlacklists 401', set('error', 'EXPIRED'), 'an expired key: error must be UNAUTHORIZED'],
    ['listBlacklists #2+', answer(500, fault), 'GET /api/v1/blacklists: must answer 200'],
  ],
  'authentication.issued-scopes': [
    ['listBlacklists 403', answer(200, noBlacklists), 'an older key: expected [403,"AUTHORIZATION_ERROR"]'],
  ],
  'authentication.other-organization': [
    ...foreignReads.map((name): Breach => [
      `${name} 404`,
      answer(200, {}),
      `${toAbout(operations[name])}: must answer 404`,
    ]),
    ['deleteBlacklist 404', answer(204), 'DELETE /api/v1/blacklists/{blacklist_id}: must answer 404'],
    ['getBlacklist 404', other('identifier'), '404: identifier and blacklist_id'],
    ['listBlacklists', append('blacklists', foreignBlacklist), 'blacklists of another organization'],
  ],
};

function toAbout({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

function without(member: string, character: string) {
  return compute(`loses ${character} of`, member, (text: string) => text.replace(character, '?'));
}

/** Lists the blacklist whose creation was refused before. */
function listRefusedBlacklist() {
  return compute('a refused creation in', 'blacklists', (list, { earlier }) => {
    const refused = earlier.find(({ status, sent }) => status === 401 && 'name' in sent);
    return refused ? [...rows(list), { ...foreignBlacklist, name: refused.sent['name'] }] : list;
  });
}
