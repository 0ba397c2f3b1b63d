import { createTestService, profileInput } from './service-harness.ts';

const path = '/search-profile-creations';

describe('search profile creation', () => {
  it('is RUNNING after half a second, and SUCCEEDED after two', async () => {
    const { ask, pass } = createTestService();
    const { body } = await ask('POST', path, profileInput(), { idempotencyKey: 'k' });
    expect(body).toMatchObject({ status: 'PENDING', created_at: '2026-11-20T12:00:00.000000Z' });
    const read = async () => (await ask('GET', `${path}/${body.profile_creation_id}`)).body;
    pass(0.5);
    const started_at = '2026-11-20T12:00:00.500000Z';
    expect(await read()).toMatchObject({ status: 'RUNNING', started_at });
    pass(1.5);
    expect(await read()).toMatchObject({
      status: 'SUCCEEDED',
      profile_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      started_at,
      finished_at: '2026-11-20T12:00:02.000000Z',
    });
  });

  it('takes the configured time, and answers PENDING also with immediate progression', async () => {
    const { ask } = createTestService({ progression: { profiles: { after_seconds: 0 } } });
    const { body } = await ask('POST', path, profileInput(), { idempotencyKey: 'k' });
    expect(body.status).toBe('PENDING');
    expect((await ask('GET', `${path}/${body.profile_creation_id}`)).body.status).toBe('SUCCEEDED');
  });

  it.each([undefined, '', 'k'.repeat(256)])(
    'names the header of the Idempotency-Key %j in the refusal',
    async (key) => {
      const options = key === undefined ? {} : { idempotencyKey: key };
      const { status, body } = await createTestService().ask('POST', path, profileInput(), options);
      expect([status, body.detail[0].loc]).toEqual([422, ['header', 'Idempotency-Key']]);
    },
  );

  it.each([
    ['an empty description', { ideal_customer_profile: '' }],
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
    expect((await outcome('outcome:FAILED', 'a')).error_code).toBe('PROFILE_GENERATION_FAILED');
    const statuses: string[] = [];
    for (const key of ['b', 'c', 'd']) statuses.push((await outcome('Makers outcome:FAILED*2', key)).status);
    expect(statuses).toEqual(['FAILED', 'FAILED', 'SUCCEEDED']);
    expect((await outcome('stay:PENDING', 'e')).status).toBe('PENDING');
    expect((await outcome('stay:RUNNING', 'f')).status).toBe('RUNNING');
  });
});
