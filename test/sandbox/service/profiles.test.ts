import { createTestService, profileInput, unknownId } from './service-harness.ts';

const path = '/search-profile-creations';

describe('search profile creation', () => {
  it('progresses from PENDING to RUNNING to SUCCEEDED with the clock', async () => {
    const { ask, pass } = createTestService();
    const created = await ask('POST', path, profileInput(), { idempotencyKey: 'k' });
    expect(created.status).toBe(202);
    const { profile_creation_id, message } = created.body;
    const pending = {
      profile_creation_id,
      status: 'PENDING',
      profile_id: null,
      error_code: null,
      error_message: null,
      created_at: '2026-11-20T12:00:00.000000Z',
      started_at: null,
      finished_at: null,
    };
    expect(created.body).toEqual({ ...pending, message });
    const read = async () => (await ask('GET', `${path}/${profile_creation_id}`)).body;
    expect(await read()).toEqual(pending);
    pass(0.5);
    const started_at = '2026-11-20T12:00:00.500000Z';
    expect(await read()).toEqual({ ...pending, status: 'RUNNING', started_at });
    pass(1.5);
    const finished_at = '2026-11-20T12:00:02.000000Z';
    const profile_id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(await read()).toEqual({ ...pending, status: 'SUCCEEDED', profile_id, started_at, finished_at });
  });

  it('takes the configured time, and answers PENDING also with immediate progression', async () => {
    const { ask } = createTestService({ progression: { profiles: { after_seconds: 0 } } });
    const { body } = await ask('POST', path, profileInput(), { idempotencyKey: 'k' });
    expect(body.status).toBe('PENDING');
    expect((await ask('GET', `${path}/${body.profile_creation_id}`)).body.status).toBe('SUCCEEDED');
  });

  it('requires an Idempotency-Key of 1 to 255 characters', async () => {
    const { ask } = createTestService();
    for (const options of [{}, { idempotencyKey: '' }, { idempotencyKey: 'k'.repeat(256) }]) {
      const { status, body } = await ask('POST', path, profileInput(), options);
      expect(status).toBe(422);
      expect(body.detail[0].loc).toEqual(['header', 'Idempotency-Key']);
    }
  });

  it.each([
    ['no name', { profile_name: undefined }],
    ['no description', { ideal_customer_profile: '' }],
    ['no country', { target_countries: [] }],
    ['a company size of zero', { company_size_min: 0 }],
    ['sizes the wrong way round', { company_size_min: 10, company_size_max: 9 }],
    ['an unknown field', { sourcing_strategy: 'fast' }],
  ])('refuses %s', async (_, changes) => {
    const { ask } = createTestService();
    expect((await ask('POST', path, profileInput(changes), { idempotencyKey: 'k' })).status).toBe(422);
  });

  it('fails always, or for the first creations only, when the name requests it', async () => {
    const { ask, pass } = createTestService();
    const outcome = async (profile_name: string, idempotencyKey: string) => {
      const { body } = await ask('POST', path, profileInput({ profile_name }), { idempotencyKey });
      pass(2);
      return (await ask('GET', `${path}/${body.profile_creation_id}`)).body;
    };
    expect(await outcome('outcome:FAILED', 'a')).toMatchObject({
      status: 'FAILED',
      profile_id: null,
      error_code: 'PROFILE_GENERATION_FAILED',
      error_message: expect.any(String),
      started_at: expect.any(String),
      finished_at: expect.any(String),
    });
    const statuses: string[] = [];
    for (const key of ['b', 'c', 'd']) statuses.push((await outcome('Makers outcome:FAILED*2', key)).status);
    expect(statuses).toEqual(['FAILED', 'FAILED', 'SUCCEEDED']);
    expect((await outcome('stay:PENDING', 'e')).status).toBe('PENDING');
    expect((await outcome('stay:RUNNING', 'f')).status).toBe('RUNNING');
  });

  it('returns 404 for an unknown id', async () => {
    const { ask } = createTestService();
    const { status, body } = await ask('GET', `${path}/${unknownId}`);
    expect(status).toBe(404);
    expect(body).toEqual({
      code: 'PROFILE_CREATION_NOT_FOUND',
      message: expect.any(String),
      resource_type: 'profile_creation',
      identifier: unknownId,
    });
  });
});
