import { openPortal } from './hubspot-harness.ts';

const notes = '/crm/v3/objects/notes';
const tasks = '/crm/v3/objects/tasks';
const hs_timestamp = '2026-11-21T10:00:00.000Z';

describe('notes and tasks', () => {
  it.each([
    ['NOTE', notes, { hs_note_body: 'Hello' }],
    ['TASK', tasks, { hs_task_subject: 'Call back' }],
  ])('requires the time of a %s', async (name, path, properties) => {
    const { call } = openPortal();
    const { status, body } = await call('POST', path, { properties });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      message: `Error creating ${name}. Some required properties were not set.`,
      context: { properties: ['hs_timestamp'] },
    });
    expect((await call('POST', path, { properties: { ...properties, hs_timestamp } })).status).toBe(201);
  });

  it('returns the creation time of a note under its own property names', async () => {
    const { call, create } = openPortal({ clock: () => new Date(hs_timestamp) });
    const [id] = await create('notes', { hs_timestamp: String(Date.parse(hs_timestamp)), hs_note_body: 'Hello' });
    const { body } = await call('GET', `${notes}/${id}`);
    expect(body.properties).toEqual({
      hs_createdate: hs_timestamp,
      hs_lastmodifieddate: hs_timestamp,
      hs_object_id: id,
    });
    const answer = await call('GET', `${notes}/${id}?properties=hs_note_body,hs_timestamp`);
    expect(answer.body.properties).toMatchObject({ hs_note_body: 'Hello', hs_timestamp });
  });

  it('accepts a body of at most 65,536 characters', async () => {
    const { call } = openPortal();
    const note = (length: number) =>
      call('POST', notes, { properties: { hs_timestamp, hs_note_body: 'x'.repeat(length) } });
    expect((await note(65_536)).status).toBe(201);
    expect((await note(65_537)).status).toBe(400);
  });

  it.each([
    ['hs_task_status', 'NOT_STARTED', 'DONE'],
    ['hs_task_priority', 'HIGH', 'high'],
    ['hs_task_type', 'TODO', 'LETTER'],
  ])('accepts only known values of %s', async (name, known, unknown) => {
    const { call } = openPortal();
    const task = (value: string) => call('POST', tasks, { properties: { hs_timestamp, [name]: value } });
    expect((await task(known)).status).toBe(201);
    expect(await task(unknown)).toMatchObject({ status: 400, body: { errors: [{ code: 'INVALID_OPTION' }] } });
  });

  it('writes batches', async () => {
    const { batch, search } = openPortal();
    const inputs = ['one', 'two'].map((hs_note_body) => ({ properties: { hs_timestamp, hs_note_body } }));
    expect((await batch('notes', 'create', inputs)).body.results).toHaveLength(2);
    const body = {
      filterGroups: [{ filters: [{ propertyName: 'hs_note_body', operator: 'CONTAINS_TOKEN', value: 'two' }] }],
    };
    expect((await search('notes', body)).body.total).toBe(1);
  });
});
