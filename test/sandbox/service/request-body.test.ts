import { createTestService } from './service-harness.ts';

const url = 'http://service.test/api/v1/blacklists';

function createSender() {
  const { service, apiKey, ask } = createTestService();
  const send = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) => {
    const all = { authorization: `Bearer ${apiKey}`, ...headers };
    const response = await service.fetch(new Request(url, { method: 'POST', headers: all, body }));
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  return { ask, send };
}

describe('the body of a request', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'is taken as %s',
    async (type) => {
      const { send } = createSender();
      expect((await send('{"name":"A"}', { 'content-type': type })).status).toBe(201);
    },
  );

  it.each([
    ['text/plain', { 'content-type': 'text/plain' }, 'Content-Type: must be application/json'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'Content-Type'],
    ['something like JSON', { 'content-type': 'application/jsonp' }, 'Content-Type'],
    ['compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'Content-Encoding'],
  ])('is refused as %s, and nothing is created', async (_, headers, words) => {
    const { send, ask } = createSender();
    const { status, body } = await send('{"name":"A"}', headers);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(words)]);
    expect((await ask('GET', '/blacklists')).body).toEqual({ blacklists: [] });
  });

  it('is refused without a Content-Type', async () => {
    const { send } = createSender();
    const { status, body } = await send(new TextEncoder().encode('{"name":"A"}'), {});
    expect([status, body.detail[0].loc]).toEqual([422, ['header', 'Content-Type']]);
  });

  it.each([
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'body: is not valid UTF-8'],
    ['half a surrogate pair', String.raw`{"name":"\ud800x"}`, 'body: contains half a surrogate pair'],
    ['half a surrogate pair as a name', String.raw`{"name":"A","\udfff":1}`, 'body: contains half a surrogate pair'],
    ['no JSON', '{"name":', 'body: is not valid JSON'],
    ['no JSON with an escape', String.raw`{"name":"\ud83d`, 'body: is not valid JSON'],
    ['nothing', ' ', 'body: is required'],
  ])('is refused with %s', async (_, sent, words) => {
    const { send } = createSender();
    const { status, body } = await send(sent);
    expect([status, body.detail[0].msg]).toEqual([422, words]);
  });

  it('may contain surrogate pairs, escaped or not', async () => {
    const { send } = createSender();
    expect((await send(String.raw`{"name":"\ud83d\ude00 😀"}`)).body.name).toBe('😀 😀');
  });

  it('is not read beyond 400 MB', async () => {
    const { send } = createSender();
    const headers = { 'content-type': 'application/json', 'content-length': '500000000' };
    expect(await send('{"name":"A"}', headers)).toMatchObject({ status: 413, body: { code: 'REQUEST_TOO_LARGE' } });
  });
});

describe('the query of a request', () => {
  it.each([
    'limit=0x10',
    'limit=1e2',
    'limit=%201',
    'limit=',
    'limit=5&limit=6',
    'limit=99999999999999999',
    'cursor=7',
  ])('is refused with %s', async (query) => {
    const { ask } = createSender();
    const { body } = await ask('POST', '/blacklists', { name: 'A' });
    expect((await ask('GET', `/blacklists/${body.id}/entries?${query}`)).status).toBe(422);
  });

  it('is refused with the received number', async () => {
    const { ask } = createSender();
    const { body } = await ask('POST', '/blacklists', { name: 'A' });
    const { body: refused } = await ask('GET', `/blacklists/${body.id}/entries?limit=0`);
    expect(refused.detail[0]).toMatchObject({ loc: ['query', 'limit'], msg: 'limit: at least 1, found 0' });
  });
});
