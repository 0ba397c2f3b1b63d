import { createTestService, profileInput } from '../sandbox/service/service-harness.ts';
import { byStatus, expectScope, timestamp, uuid } from './surroundings.ts';

const path = '/search-profile-creations';

/** A creation as the 202 answer shows it and as it reads at a moment, by name of its profile. */
async function start(profile_name = 'Makers') {
  const service = createTestService();
  const answer = await service.ask('POST', path, profileInput({ profile_name }), { idempotencyKey: 'k' });
  const read = async () => (await service.ask('GET', `${path}/${answer.body.profile_creation_id}`)).body;
  /** Polled every tenth of a second until nothing can change any more. */
  const watch = async () => {
    const seen = [await read()];
    for (let tenths = 0; tenths < 30; tenths += 1) {
      service.pass(0.1);
      seen.push(await read());
    }
    return seen;
  };
  return { ...service, answer, accepted: answer.body, read, watch };
}

const words = (seen: { status: string }[]) => [...new Set(seen.map(({ status }) => status))];

describe('Search profile creation request', () => {
  it('profile_creation_id: is the UUID to poll', async () => {
    const { accepted, read } = await start();
    expect(accepted.profile_creation_id).toMatch(uuid);
    expect((await read()).profile_creation_id).toBe(accepted.profile_creation_id);
  });

  it('status: is PENDING, RUNNING, then SUCCEEDED or FAILED', async () => {
    expect(words(await (await start()).watch())).toEqual(['PENDING', 'RUNNING', 'SUCCEEDED']);
    expect(words(await (await start('outcome:FAILED')).watch())).toEqual(['PENDING', 'RUNNING', 'FAILED']);
  });

  it('profile_id: is a UUID from SUCCEEDED on, null before and after a failure', async () => {
    const succeeded = byStatus(await (await start()).watch(), 'profile_id');
    expect(succeeded).toEqual({ PENDING: [null], RUNNING: [null], SUCCEEDED: [expect.stringMatching(uuid)] });
    const failed = byStatus(await (await start('outcome:FAILED')).watch(), 'profile_id');
    expect(failed).toEqual({ PENDING: [null], RUNNING: [null], FAILED: [null] });
  });

  it.each(['error_code', 'error_message'])('%s: is set on failure only', async (field) => {
    const succeeded = byStatus(await (await start()).watch(), field);
    expect(succeeded).toEqual({ PENDING: [null], RUNNING: [null], SUCCEEDED: [null] });
    const failed = byStatus(await (await start('outcome:FAILED')).watch(), field);
    expect(failed).toEqual({ PENDING: [null], RUNNING: [null], FAILED: [expect.any(String)] });
  });

  it('created_at: is the moment of the request in UTC', async () => {
    const { accepted, watch } = await start();
    expect(accepted.created_at).toMatch(timestamp);
    for (const { created_at } of await watch()) expect(created_at).toBe(accepted.created_at);
  });

  const ends = [
    ['Makers', 'SUCCEEDED'],
    ['outcome:FAILED', 'FAILED'],
  ] as const;
  const time = expect.stringMatching(timestamp);

  it.each(ends)('started_at: is null until the creation of %s runs', async (name, end) => {
    const readings = byStatus(await (await start(name)).watch(), 'started_at');
    expect(readings).toEqual({ PENDING: [null], RUNNING: [time], [end]: readings['RUNNING'] });
  });

  it.each(ends)('finished_at: is null until the creation of %s has %s', async (name, end) => {
    const seen = await (await start(name)).watch();
    expect(byStatus(seen, 'finished_at')).toEqual({ PENDING: [null], RUNNING: [null], [end]: [time] });
    const { created_at, started_at, finished_at } = seen.at(-1);
    expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.parse(started_at));
    expect(Date.parse(started_at)).toBeLessThanOrEqual(Date.parse(finished_at));
  });

  it('message: is on the 202 answer only', async () => {
    const { accepted, watch } = await start();
    expect(accepted.message).toEqual(expect.any(String));
    for (const creation of await watch()) expect(creation).not.toHaveProperty('message');
  });
});

describe('Search profile creation', () => {
  it('POST /api/v1/search-profile-creations: answers 202, PENDING, with nothing decided yet', async () => {
    const service = await start();
    expect(service.answer.status).toBe(202);
    expect(service.accepted).toEqual({
      profile_creation_id: expect.any(String),
      status: 'PENDING',
      profile_id: null,
      error_code: null,
      error_message: null,
      created_at: expect.any(String),
      started_at: null,
      finished_at: null,
      message: expect.any(String),
    });
    await expectScope(service, 'orders:write', 'POST', path, profileInput());
  });

  it('POST /api/v1/search-profile-creations: requires an Idempotency-Key and takes it for one body only', async () => {
    const { ask } = createTestService();
    expect((await ask('POST', path, profileInput())).status).toBe(422);
    const first = await ask('POST', path, profileInput(), { idempotencyKey: 'k' });
    expect((await ask('POST', path, profileInput(), { idempotencyKey: 'k' })).body).toEqual(first.body);
    const other = profileInput({ seller_industry: 'Machines' });
    expect((await ask('POST', path, other, { idempotencyKey: 'k' })).status).toBe(409);
    expect((await ask('POST', path, other, { idempotencyKey: 'l' })).status).toBe(202);
  });

  it('GET /api/v1/search-profile-creations/{profile_creation_id}: answers 200 without message', async () => {
    const service = await start();
    const own = `${path}/${service.accepted.profile_creation_id}`;
    const { status, body } = await service.ask('GET', own);
    const { message: _message, ...rest } = service.accepted;
    expect([status, body]).toEqual([200, rest]);
    await expectScope(service, 'orders:read', 'GET', own);
  });
});

describe('Search profile creation, POST body', () => {
  // One stand-in for all: only whether a body is accepted counts here.
  const { ask } = createTestService();
  let keys = 0;
  const create = async (changes: Record<string, unknown>) =>
    (await ask('POST', path, profileInput(changes), { idempotencyKey: `key ${(keys += 1)}` })).status;

  it.each(['profile_name', 'ideal_customer_profile'])('%s: is required text', async (field) => {
    expect(await create({ [field]: 'Machine makers' })).toBe(202);
    for (const value of [undefined, null, 7, ['Machine makers']]) expect(await create({ [field]: value })).toBe(422);
  });

  it('target_countries: is required and holds at least one text', async () => {
    expect(await create({ target_countries: ['Germany'] })).toBe(202);
    expect(await create({ target_countries: ['Germany', 'Austria'] })).toBe(202);
    for (const target_countries of [undefined, null, [], 'Germany', [7]])
      expect(await create({ target_countries })).toBe(422);
  });

  it.each(['seller_offering', 'seller_industry'])('%s: is text that may be left out', async (field) => {
    expect(await create({ [field]: 'Machines' })).toBe(202);
    expect(await create({ [field]: undefined })).toBe(202);
    for (const value of [7, ['Machines']]) expect(await create({ [field]: value })).toBe(422);
  });

  it.each(['target_cities', 'target_industries', 'excluded_industries', 'contact_roles'])(
    '%s: is a list of texts that may be left out',
    async (field) => {
      expect(await create({ [field]: ['A', 'B'] })).toBe(202);
      expect(await create({ [field]: undefined })).toBe(202);
      for (const value of ['A', [7], 7]) expect(await create({ [field]: value })).toBe(422);
    },
  );

  it('output_language: is text that may be left out', async () => {
    expect(await create({ output_language: 'de' })).toBe(202);
    expect(await create({ output_language: undefined })).toBe(202);
    for (const output_language of [7, ['de']]) expect(await create({ output_language })).toBe(422);
  });

  it.each([
    ['en', 'SUCCEEDED'],
    ['de', 'FAILED'],
  ])('output_language: left out is en: the same content as "%s" is %s at the second try', async (language, end) => {
    const { ask, pass } = createTestService();
    const again = profileInput({ profile_name: 'outcome:FAILED*1' });
    await ask('POST', path, again, { idempotencyKey: 'first' });
    const second = { ...again, output_language: language };
    const { body } = await ask('POST', path, second, { idempotencyKey: 'second' });
    pass(60);
    expect((await ask('GET', `${path}/${body.profile_creation_id}`)).body.status).toBe(end);
  });

  it.each(['company_size_min', 'company_size_max'])('%s: is a positive integer that may be left out', async (field) => {
    for (const value of [1, 100_000, undefined]) expect(await create({ [field]: value })).toBe(202);
    for (const value of [0, -1, 1.5, '10']) expect(await create({ [field]: value })).toBe(422);
  });
});

describe('Profile creation status', () => {
  it('PENDING: is the status of the 202 answer; polling shows it goes on', async () => {
    const { accepted, watch } = await start();
    expect(accepted.status).toBe('PENDING');
    expect((await watch()).at(-1).status).not.toBe('PENDING');
  });

  it('RUNNING: has no profile yet; polling shows how it ends', async () => {
    const seen = await (await start()).watch();
    const running = seen.filter(({ status }) => status === 'RUNNING');
    expect(running.length).toBeGreaterThan(0);
    for (const { profile_id, finished_at } of running) expect([profile_id, finished_at]).toEqual([null, null]);
  });

  it('SUCCEEDED: has a profile from which an order can be created', async () => {
    const { ask, watch, pass, read } = await start();
    const { status, profile_id } = (await watch()).at(-1);
    expect(status).toBe('SUCCEEDED');
    const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 1 };
    expect((await ask('POST', '/orders', order)).status).toBe(201);
    pass(86_400);
    expect(await read()).toMatchObject({ status, profile_id });
  });

  it('FAILED: is final under its key; a new key creates anew', async () => {
    const { ask, accepted, watch, pass, read } = await start('outcome:FAILED*1');
    expect((await watch()).at(-1).status).toBe('FAILED');
    const again = async (idempotencyKey: string) =>
      (await ask('POST', path, profileInput({ profile_name: 'outcome:FAILED*1' }), { idempotencyKey })).body;
    expect((await again('k')).profile_creation_id).toBe(accepted.profile_creation_id);
    const { profile_creation_id } = await again('l');
    expect(profile_creation_id).not.toBe(accepted.profile_creation_id);
    pass(60);
    expect((await ask('GET', `${path}/${profile_creation_id}`)).body.status).toBe('SUCCEEDED');
    expect((await read()).status).toBe('FAILED');
  });
});
