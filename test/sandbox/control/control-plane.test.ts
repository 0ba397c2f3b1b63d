import { Ajv2020 } from 'ajv/dist/2020.js';
import { controlOperations } from '../../../sandbox/control/control-operations.ts';
import { unknownId } from '../service/service-harness.ts';
import { createTestControl } from './control-harness.ts';

describe('createControlPlane', () => {
  it('reports its health', async () => {
    const { control } = createTestControl();
    expect((await control.GET('/health')).data).toEqual({
      status: 'ok',
      cpu_seconds: expect.any(Number),
      resident_bytes: expect.any(Number),
      peak_resident_bytes: expect.any(Number),
    });
  });

  it('describes its operations in an OpenAPI document', async () => {
    const { order } = createTestControl();
    const { body } = await order('GET', '/openapi.json');
    const described = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method} ${path}`),
    );
    expect(described.toSorted()).toEqual(
      Object.values(controlOperations)
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    );
    expect(() =>
      new Ajv2020({ strict: false, validateFormats: false }).compile(body.components.schemas.AddFaultRequest),
    ).not.toThrow();
  });

  it('refuses requests of web pages and for foreign host names', async () => {
    const { plane } = createTestControl();
    const ask = async (url: string, headers = {}) => (await plane.fetch(new Request(url, { headers }))).status;
    expect(await ask('http://127.0.0.1:4030/health')).toBe(200);
    expect(await ask('http://evil.example:4030/health')).toBe(403);
    expect(await ask('http://127.0.0.1:4030/health', { origin: 'http://evil.example' })).toBe(403);
  });

  it('lists every assumption and the values in use', async () => {
    const { control } = createTestControl();
    const { data } = await control.GET('/assumptions');
    expect(data?.assumptions).toContainEqual({
      id: 'A01',
      about: expect.any(String),
      choice: expect.any(String),
      setting: expect.stringContaining('results_items'),
    });
    expect(data?.in_force).toMatchObject({ results_items: 'items', results_not_ready_status: '409' });
  });

  it.each([
    ['POST', '/organizations', {}, 422, 'name: must be string, found nothing'],
    ['POST', '/organizations', { name: 'A', x: 1 }, 422, 'x: no such field, found a value'],
    ['POST', '/keys', { organization_id: unknownId, scopes: ['everything'] }, 422, 'scopes[0]: must be one of'],
    ['POST', '/keys', { organization_id: unknownId, scopes: [], expires_at: 'soon' }, 422, 'expires_at: '],
    ['POST', `/orders/${unknownId}`, { status: 'DONE' }, 422, 'status: must be one of'],
    ['POST', `/orders/${unknownId}`, { status: 'ACCEPTED', publish: true }, 422, 'publish: belongs to COMPLETED only'],
    ['POST', '/organizations', '{', 422, 'not valid JSON'],
    ['POST', '/clock', { advance: '12 hours' }, 422, 'advance: must be an ISO 8601 duration such as PT12H'],
    ['POST', '/clock', { advance: 'P999999999D' }, 422, 'The clock ends with the year 9999'],
    ['POST', '/clock', { advance: 'PT1S', to: '2027-01-01T00:00:00Z' }, 422, 'to: cannot be given together'],
    ['POST', '/faults', { path: '/', times: 1 }, 422, 'no effect is given'],
    ['POST', '/faults', { path: '/', times: 0, status: 500 }, 422, 'times: above 0, found 0'],
    ['POST', '/faults', { path: '/', times: 1, commit: true }, 422, 'no effect is given'],
    ['POST', '/faults', { path: 'nope', times: 1, status: 500 }, 422, 'path: must begin with / or *'],
    ['POST', '/faults', { path: '/a?b=c', times: 1, status: 500 }, 422, 'path: must begin with / or *'],
    ['POST', '/faults', { path: '/', method: 'FOO', times: 1, status: 500 }, 422, 'method: must be one of GET'],
    ['POST', '/faults', { path: '/', times: 1, status: 500, reset: true }, 422, 'either an answer or a broken'],
    ['POST', '/faults', { path: '/', times: 1, status: 500, html: true, body: {} }, 422, 'together with body'],
    [
      'POST',
      '/faults',
      { path: '/', times: 1, status: 500, headers: { 'Content-Length': '3' } },
      422,
      'cannot be answered',
    ],
    ['POST', '/faults', { path: '/', times: 1, status: 500, organization_id: unknownId }, 404, 'ORGANIZATION_NOT'],
    ['POST', '/faults', { path: '/', times: 1, html: true }, 422, 'body, html and headers need a status'],
    ['POST', '/faults', { path: '/', times: 1, status: 204, html: true }, 422, 'cannot be answered with'],
    ['POST', '/faults', { path: '/', times: 1, status: 500, headers: { 'a b': 'c' } }, 422, 'cannot be answered with'],
    ['POST', '/faults', { path: '/', times: 1, preset: 'locked' }, 422, 'presets are for HubSpot only'],
    ['POST', '/faults', { path: '/', times: 1, portal_id: 7, preset: 'broken' }, 422, 'preset: must be one of'],
    ['POST', '/faults', { path: '/', times: 1, portal_id: 7, preset: 'locked', reset: true }, 422, 'either an answer'],
    ['POST', '/faults', { path: '/', times: 1, portal_id: 7, preset: 'locked' }, 404, 'PORTAL_NOT_FOUND'],
    ['POST', '/portals', { name: 'A', plan: 'gold' }, 422, 'plan: must be one of'],
    ['POST', '/portals', { name: 'A', time_zone: 'Mars/Olympus' }, 422, 'time_zone: must be an IANA name'],
    ['POST', '/portals', { name: 'A', rates: { burst: 0 } }, 422, 'rates.burst: '],
    ['POST', '/portals', { name: 'A', required_properties: { firms: ['name'] } }, 422, 'must name object types'],
    ['PATCH', '/portals/7', { plan: 'free' }, 404, 'PORTAL_NOT_FOUND'],
    ['POST', '/portals/7/tokens', { scopes: [] }, 404, 'PORTAL_NOT_FOUND'],
    ['POST', '/portals/7/reset', undefined, 404, 'PORTAL_NOT_FOUND'],
    ['POST', '/snapshots', { name: '../x' }, 422, 'name: must be 1 to 100 letters'],
    ['GET', '/journal?colour=red', undefined, 422, 'colour: no such field'],
    ['POST', '/keys', { organization_id: unknownId, scopes: [] }, 404, 'ORGANIZATION_NOT_FOUND'],
    ['POST', '/seed', { organization_id: unknownId }, 404, 'ORGANIZATION_NOT_FOUND'],
    ['PUT', '/progression', { organization_id: unknownId, orders: 'manual' }, 404, 'ORGANIZATION_NOT_FOUND'],
    ['PUT', '/drift', { organization_id: unknownId }, 404, 'ORGANIZATION_NOT_FOUND'],
    ['POST', `/orders/${unknownId}`, { status: 'ACCEPTED' }, 404, 'ORDER_NOT_FOUND'],
    ['POST', `/profile-creations/${unknownId}`, { status: 'FAILED' }, 404, 'PROFILE_CREATION_NOT_FOUND'],
    ['DELETE', '/keys/key_0', undefined, 404, 'KEY_NOT_FOUND'],
    ['DELETE', '/faults/fault-9', undefined, 404, 'FAULT_NOT_FOUND'],
    ['POST', '/snapshots/none/restore', undefined, 404, 'SNAPSHOT_NOT_FOUND'],
    ['GET', '/faults?portal_id=7', undefined, 404, 'PORTAL_NOT_FOUND'],
    ['GET', '/journal?portal_id=7', undefined, 404, 'PORTAL_NOT_FOUND'],
    ['GET', '/nowhere', undefined, 404, 'ROUTE_NOT_FOUND'],
  ])('explains the problem: %s %s %j', async (method, path, sent, status, words) => {
    const { order } = createTestControl();
    const answer = await order(method, path, sent);
    expect(JSON.stringify(answer.body)).toContain(words);
    expect(answer.status).toBe(status);
  });
});
