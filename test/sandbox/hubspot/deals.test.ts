import { openPortal } from './hubspot-harness.ts';

const deals = '/crm/v3/objects/deals';
const pipelines = '/crm/v3/pipelines/deals';
const calculated = 'properties=hs_is_closed,hs_is_closed_won,hs_is_closed_lost,hs_closed_won_date,closedate,pipeline';

describe('deals', () => {
  it('requires a name and a stage, and uses the default pipeline', async () => {
    const { call, create } = openPortal();
    for (const [properties, missing] of [
      [{ dealname: 'D' }, ['dealstage']],
      [{ amount: '1' }, ['dealname', 'dealstage']],
    ] as const) {
      const { status, body } = await call('POST', deals, { properties });
      expect(status).toBe(400);
      expect(body).toMatchObject({
        message: 'Error creating DEAL. Some required properties were not set.',
        context: { properties: missing },
      });
    }
    const [id] = await create('deals', { dealname: 'D', dealstage: 'contractsent' });
    const { body } = await call('GET', `${deals}/${id}`);
    expect(body.properties).toMatchObject({ dealname: 'D', dealstage: 'contractsent', pipeline: 'default' });
  });

  it.each([
    ['contractsent', 'false', 'false', 'false', null],
    ['closedwon', 'true', 'true', 'false', '2026-11-21T10:00:00.000Z'],
    ['closedlost', 'true', 'false', 'true', null],
  ])('calculates from the stage %s whether a deal is closed', async (dealstage, closed, won, lost, wonDate) => {
    const { call, create } = openPortal({ clock: () => new Date('2026-11-21T10:00:00.000Z') });
    const [id] = await create('deals', { dealname: 'D', dealstage });
    const { body } = await call('GET', `${deals}/${id}?${calculated}`);
    expect(body.properties).toMatchObject({
      hs_is_closed: closed,
      hs_is_closed_won: won,
      hs_is_closed_lost: lost,
      hs_closed_won_date: wonDate,
    });
  });

  it('sets the close date of a closed deal unless the write sets it, and keeps it', async () => {
    let now = '2026-11-21T10:00:00.000Z';
    const { call, create } = openPortal({ clock: () => new Date(now) });
    const [id, other] = await create(
      'deals',
      { dealname: 'D', dealstage: 'contractsent', closedate: '2026-12-31' },
      { dealname: 'E', dealstage: 'contractsent' },
    );
    now = '2026-11-22T10:00:00.000Z';
    await call('PATCH', `${deals}/${id}`, { properties: { dealstage: 'closedwon' } });
    await call('PATCH', `${deals}/${other}`, { properties: { dealstage: 'closedwon', closedate: '2026-10-01' } });
    now = '2026-11-23T10:00:00.000Z';
    await call('PATCH', `${deals}/${id}`, { properties: { amount: '5' } });
    const closedate = async (deal: string) => (await call('GET', `${deals}/${deal}?${calculated}`)).body.properties;
    expect(await closedate(id)).toMatchObject({
      closedate: '2026-11-22T10:00:00.000Z',
      hs_closed_won_date: '2026-11-22T10:00:00.000Z',
    });
    expect(await closedate(other)).toMatchObject({ closedate: '2026-10-01T00:00:00.000Z' });
  });

  it('reopens a deal when its stage is open', async () => {
    const { call, create, search } = openPortal();
    const [id] = await create(
      'deals',
      { dealname: 'D', dealstage: 'closedwon' },
      { dealname: 'E', dealstage: 'closedlost' },
    );
    const open = { filterGroups: [{ filters: [{ propertyName: 'hs_is_closed', operator: 'EQ', value: 'false' }] }] };
    expect((await search('deals', open)).body.total).toBe(0);
    await call('PATCH', `${deals}/${id}`, { properties: { dealstage: 'contractsent' } });
    expect((await search('deals', open)).body.results.map((deal) => deal.id)).toEqual([id]);
  });

  it('refuses writes of calculated properties', async () => {
    const { call } = openPortal();
    const properties = { dealname: 'D', dealstage: 'closedwon', hs_is_closed: 'false' };
    expect(await call('POST', deals, { properties })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'READ_ONLY_VALUE', context: { propertyName: ['hs_is_closed'] } }] },
    });
  });
});

describe('pipelines', () => {
  const resale = {
    label: 'Resale',
    displayOrder: 1,
    stages: [
      { label: 'Talking', displayOrder: 0, metadata: { probability: '0.5' } },
      { label: 'Signed', displayOrder: 1, metadata: { probability: '1.0' } },
    ],
  };

  it('lists the sales pipeline with its stages', async () => {
    const { call } = openPortal();
    const { status, body } = await call('GET', pipelines);
    expect(status).toBe(200);
    expect(body.results).toMatchObject([{ id: 'default', label: 'Sales Pipeline', archived: false }]);
    const stages = (await call('GET', `${pipelines}/default/stages`)).body.results;
    expect(stages.map(({ id }) => id)).toEqual([
      'appointmentscheduled',
      'qualifiedtobuy',
      'presentationscheduled',
      'decisionmakerboughtin',
      'contractsent',
      'closedwon',
      'closedlost',
    ]);
    expect(stages).toContainEqual(
      expect.objectContaining({ id: 'closedwon', metadata: { isClosed: 'true', probability: '1.0' } }),
    );
    expect((await call('GET', `${pipelines}/none`)).status).toBe(404);
    expect((await call('GET', '/crm/v3/pipelines/tickets')).status).toBe(501);
    expect((await call('GET', '/crm/pipelines/2026-09/deals')).status).toBe(200);
  });

  it('refuses a stage of another pipeline', async () => {
    const { call, create } = openPortal();
    const added = await call('POST', pipelines, resale);
    expect(added.status).toBe(201);
    const { id: pipeline, stages } = added.body as unknown as { id: string; stages: { id: string }[] };
    const [talking = '', signed = ''] = stages.map(({ id }) => id);
    const [deal] = await create('deals', { dealname: 'D', pipeline, dealstage: talking });
    const wrong = [
      { properties: { dealname: 'E', dealstage: talking } },
      { properties: { dealname: 'E', pipeline, dealstage: 'closedwon' } },
      { properties: { dealname: 'E', dealstage: 'nonsense' } },
    ];
    for (const body of wrong) {
      expect(await call('POST', deals, body)).toMatchObject({
        status: 400,
        body: { errors: [{ code: 'INVALID_OPTION' }] },
      });
    }
    expect((await call('PATCH', `${deals}/${deal}`, { properties: { dealstage: 'closedwon' } })).status).toBe(400);
    expect((await call('PATCH', `${deals}/${deal}`, { properties: { pipeline: 'default' } })).status).toBe(400);
    await call('PATCH', `${deals}/${deal}`, { properties: { dealstage: signed } });
    const { body } = await call('GET', `${deals}/${deal}?${calculated}`);
    expect(body.properties).toMatchObject({ hs_is_closed_won: 'true', pipeline });
    expect((await call('POST', pipelines, resale)).status).toBe(400);
  });

  it('needs the scope of deals', async () => {
    const { sandbox, portalId, callWith } = openPortal();
    const held = sandbox.createToken({ portalId, scopes: ['crm.objects.contacts.read'] });
    expect((await callWith(held, 'GET', pipelines)).status).toBe(403);
  });
});
