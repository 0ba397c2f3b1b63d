import { createTestControl } from './control-harness.ts';

describe('the clock', () => {
  it('advances by a duration and to a time, for the whole sandbox', async () => {
    const { control, ask, createProfile, createOrder } = createTestControl();
    const id = await createOrder({ order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 });
    const moved = await control.POST('/clock', { body: { advance: 'PT12H' } });
    expect(moved.data).toEqual({ mode: 'frozen', now: '2026-11-21T00:00:02.000Z' });
    expect((await ask('GET', `/orders/${id}`)).body.status).toBe('COMPLETED');
    await control.POST('/clock', { body: { to: '2026-12-01T00:00:00+01:00' } });
    expect((await control.GET('/clock')).data).toEqual({ mode: 'frozen', now: '2026-11-30T23:00:00.000Z' });
  });

  it('never moves back', async () => {
    const { control } = createTestControl();
    const { response, error } = await control.POST('/clock', { body: { to: '2026-11-20T11:59:59Z' } });
    expect([response.status, error?.code]).toEqual([409, 'CLOCK_MOVES_FORWARD']);
  });

  it('freezes and resumes on request', async () => {
    const { control } = createTestControl();
    expect((await control.POST('/clock', { body: { mode: 'real' } })).data?.mode).toBe('real');
    const { data } = await control.POST('/clock', { body: { mode: 'frozen', advance: 'P1DT0.5S' } });
    expect(data?.mode).toBe('frozen');
    expect(data?.now).toMatch(/^2026-11-21T12:00:0/);
    expect((await control.GET('/clock')).data).toEqual(data);
  });
});

describe('progression', () => {
  it('can be immediate, by polls or manual for one organisation', async () => {
    const { control, ask, organizationId, service } = createTestControl();
    const set = async (body: object) =>
      control.PUT('/progression', { body: { organization_id: organizationId, ...body } });
    const { data } = await set({ profiles: 'immediate', orders: { after_polls: 3 } });
    expect(data).toEqual({ profiles: { after_seconds: 0 }, orders: { after_polls: 3 }, outputs: { after_seconds: 1 } });
    expect(service.progressions.forOrganization('another').orders).toEqual({ after_seconds: 4 });

    const input = { profile_name: 'P', ideal_customer_profile: 'I', target_countries: ['Germany'] };
    const create = async (key: string) =>
      (await ask('POST', '/search-profile-creations', input, { idempotencyKey: key })).body;
    const { profile_creation_id } = await create('a');
    const { profile_id } = (await ask('GET', `/search-profile-creations/${profile_creation_id}`)).body;
    const placed = (await ask('POST', '/orders', { order_type: 'DISCOVERY', profile_id, briefing_quantity: 1 })).body;
    const statuses = [];
    for (let poll = 0; poll < 4; poll += 1) statuses.push((await ask('GET', `/orders/${placed.order_id}`)).body.status);
    expect(statuses).toEqual(['ACCEPTED', 'IN_PROGRESS', 'COMPLETED', 'COMPLETED']);
    expect((await ask('GET', `/orders/${placed.order_id}/results`)).body.total).toBe(1);

    await set({ profiles: 'manual' });
    const held = await create('b');
    const read = async () => (await ask('GET', `/search-profile-creations/${held.profile_creation_id}`)).body.status;
    await control.POST('/clock', { body: { advance: 'P30D' } });
    expect(await read()).toBe('PENDING');
    const path = { profile_creation_id: held.profile_creation_id };
    await control.POST('/profile-creations/{profile_creation_id}', { params: { path }, body: { status: 'FAILED' } });
    expect(await read()).toBe('FAILED');
    const back = await control.POST('/profile-creations/{profile_creation_id}', {
      params: { path },
      body: { status: 'RUNNING' },
    });
    expect([back.response.status, await read()]).toEqual([409, 'FAILED']);
  });

  it('sets the status of an output', async () => {
    const { control, ask, organizationId, createProfile, finishOrder, advance } = createTestControl();
    const body = { organization_id: organizationId, outputs: 'manual' } as const;
    await control.PUT('/progression', { body });
    const order_id = await finishOrder({
      order_type: 'DISCOVERY',
      profile_id: await createProfile(),
      briefing_quantity: 1,
    });
    const { output_id } = (await ask('POST', `/orders/${order_id}/outputs`, { output_type: 'csv' })).body;
    const read = async () => (await ask('GET', `/orders/${order_id}/outputs/${output_id}`)).body.status;
    await advance(3_600);
    expect(await read()).toBe('PENDING');
    const step = async (status: 'RUNNING' | 'COMPLETED') => {
      const params = { path: { order_id, output_id: output_id.toUpperCase() } };
      return (await control.POST('/orders/{order_id}/outputs/{output_id}', { params, body: { status } })).response
        .status;
    };
    expect([await step('COMPLETED'), await read(), await step('RUNNING')]).toEqual([204, 'COMPLETED', 409]);
  });

  it('sets the status of an order', async () => {
    const { order, ask, createProfile, createOrder } = createTestControl();
    const id = await createOrder({ order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 });
    expect(await order('POST', `/orders/${id}`, { status: 'COMPLETED', publish: false })).toMatchObject({
      status: 200,
      body: { order_id: id, status: 'COMPLETED', results_published: false },
    });
    expect((await ask('GET', `/orders/${id}`)).body.status).toBe('COMPLETED');
    expect(await order('POST', `/orders/${id}`, { status: 'FAILED' })).toMatchObject({
      status: 409,
      body: { code: 'STEP_REFUSED', message: 'No step leads from COMPLETED to FAILED.' },
    });
  });
});
