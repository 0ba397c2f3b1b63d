import { applyFault } from '../../sandbox/faulty-response.ts';
import { createFaults, type Fault } from '../../sandbox/fault-rules.ts';

describe('createFaults', () => {
  const call = (method: string, path: string, more = {}) => ({ method, path, ...more });

  it('affects the given number of requests from the nth match on, then ends', () => {
    const faults = createFaults();
    faults.add({ path: '/a', call: 3, times: 2 });
    const spoiled = ['/a', '/b', '/a', '/a', '/b', '/a', '/a'].map(
      (path) => faults.take(call('GET', path)) !== undefined,
    );
    expect(spoiled).toEqual([false, false, false, true, false, true, false]);
    expect(faults.rules()).toEqual([]);
  });

  it.each([
    ['the start of the path', { path: '/api/v1/orders' }, call('GET', '/api/v1/orders/1'), true],
    ['not its middle', { path: '/orders' }, call('GET', '/api/v1/orders'), false],
    ['a star for anything', { path: '*/entries' }, call('POST', '/api/v1/blacklists/1/entries'), true],
    ['other signs as they are', { path: '/a.c' }, call('GET', '/abc'), false],
    ['a method in any case', { path: '/', method: 'post' }, call('POST', '/x'), true],
    ['another method', { path: '/', method: 'POST' }, call('GET', '/x'), false],
    ['an organisation', { path: '/', organization_id: 'A-1' }, call('GET', '/x', { organizationId: 'a-1' }), true],
    [
      'another organisation',
      { path: '/', organization_id: 'a-1' },
      call('GET', '/x', { organizationId: 'a-2' }),
      false,
    ],
    ['a key', { path: '/', api_key: 'k' }, call('GET', '/x', { apiKey: 'k' }), true],
    ['another key', { path: '/', api_key: 'k' }, call('GET', '/x', {}), false],
  ])('matches by %s', (_, match, request, expected) => {
    const faults = createFaults();
    faults.add({ ...match, times: 1 });
    expect(faults.take(request) !== undefined).toBe(expected);
  });

  it('applies rules in order, counts for each, and ignores removed rules', () => {
    const faults = createFaults();
    const first = faults.add({ path: '/', times: 1 });
    const second = faults.add({ path: '/', times: 5 });
    expect(faults.take(call('GET', '/'))?.fault_id).toBe(first.fault_id);
    expect(faults.take(call('GET', '/'))?.fault_id).toBe(second.fault_id);
    expect(faults.rules()).toMatchObject([{ fault_id: second.fault_id, calls: 1, left: 4 }]);
    expect([faults.remove(second.fault_id), faults.remove(second.fault_id)]).toEqual([true, false]);
    expect(faults.take(call('GET', '/'))).toBeUndefined();
  });
});

describe('answerFaulty', () => {
  const body = { entries: Array.from({ length: 50 }, (_, place) => place) };
  const answer = async (effect: Partial<Fault>) => {
    const proceed = jest.fn(async () => Response.json(body, { status: 201, headers: { 'x-own': '1' } }));
    const settled = await Promise.allSettled([applyFault({ path: '/', times: 1, ...effect }, proceed)]);
    return { settled: settled[0], carriedOut: proceed.mock.calls.length === 1 };
  };
  const answered = async (effect: Partial<Fault>) => {
    const { settled, carriedOut } = await answer(effect);
    if (settled?.status !== 'fulfilled') throw new Error('no answer');
    return { response: settled.value, carriedOut };
  };

  it.each([
    ['before it is carried out', {}, false],
    ['after it was committed', { commit: true }, true],
  ])('breaks the connection %s', async (_, more, expected) => {
    const { settled, carriedOut } = await answer({ reset: true, ...more });
    expect(settled).toMatchObject({ status: 'rejected', reason: { cause: { code: 'ECONNRESET' } } });
    expect(carriedOut).toBe(expected);
  });

  it.each([
    ['without carrying the request out', {}, false],
    ['after the commit', { commit: true }, true],
  ])('replaces the answer %s', async (_, more, expected) => {
    const { response, carriedOut } = await answered({
      status: 429,
      headers: { 'retry-after': '7' },
      body: { a: 1 },
      ...more,
    });
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([429, '7', { a: 1 }]);
    expect(carriedOut).toBe(expected);
  });

  it('answers an HTML page', async () => {
    const { response } = await answered({ status: 502, html: true });
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });

  it('changes the content type, and keeps headers and body', async () => {
    const { response, carriedOut } = await answered({ content_type: 'text/plain' });
    expect([response.status, response.headers.get('content-type'), response.headers.get('x-own')]).toEqual([
      201,
      'text/plain',
      '1',
    ]);
    expect(await response.json()).toEqual(body);
    expect(carriedOut).toBe(true);
  });

  it('truncates the body, so that it is not valid JSON', async () => {
    const { response } = await answered({ truncate: true });
    const text = await response.text();
    expect(JSON.stringify(body).startsWith(text)).toBe(true);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  it('breaks the connection in the middle of the body', async () => {
    const { response } = await answered({ truncate: true, reset: true });
    expect(response.status).toBe(201);
    await expect(response.text()).rejects.toThrow('fetch failed');
  });

  it('leaves an answer without a body unchanged, or breaks the connection', async () => {
    const proceed = async () => new Response(null, { status: 204 });
    const { status } = await applyFault({ path: '/', times: 1, truncate: true, drip_ms: 5 }, proceed);
    expect(status).toBe(204);
    await expect(applyFault({ path: '/', times: 1, truncate: true, reset: true }, proceed)).rejects.toThrow(
      'fetch failed',
    );
  });

  it('delays the answer and drips the body', async () => {
    const events: string[] = [];
    const mark = (event: string) => () => void events.push(event);
    // Timers of one process fire in the order of their times, however busy the machine is.
    setTimeout(mark('10 ms'), 10);
    const { response } = await answered({ delay_ms: 20, drip_ms: 60 });
    mark('answer')();
    setTimeout(mark('10 ms later'), 10);
    expect(await response.json()).toEqual(body);
    mark('end of the body')();
    expect(events).toEqual(['10 ms', 'answer', '10 ms later', 'end of the body']);
  });
});
