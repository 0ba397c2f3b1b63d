import { findOrderIds } from '../../../src/service/reading/find-record.ts';

const orderId = '7c1e0a4f-52b8-4c1d-9a77-3f2b6d8e1a90';
const profileId = '1aec8482-143e-42e1-be33-4f35ade98b61';
const other = 'db6d797f-ea0d-4e12-8d7a-d1eda5347025';

interface Given {
  answer?: unknown;
  location?: string | null;
  setting?: string | null;
  sent?: string[];
}

function find({ answer = null, location = null, setting, sent = [] }: Given) {
  return findOrderIds({ answer, location, setting, sent });
}

describe('findOrderIds', () => {
  it.each([
    ['order_id', { order_id: orderId }, 'order_id'],
    ['orderId', { orderId }, 'orderId'],
    ['order_uuid', { order_uuid: orderId }, 'order_uuid'],
    ['order_reference', { order_reference: orderId }, 'order_reference'],
    ['order_id in data', { data: { order_id: orderId } }, 'data.order_id'],
    ['order_id in two wrappers', { data: { order: { order_id: orderId } } }, 'data.order.order_id'],
    ['order_id in a list of one', [{ order_id: orderId }], 'order_id'],
    ['id of an order', { order: { id: orderId } }, 'order.id'],
    ['id of an order creation', { orderCreation: { uuid: orderId } }, 'orderCreation.uuid'],
    ['a link to the order', { links: { self: `https://api.example/api/v1/orders/${orderId}/results` } }, 'links.self'],
    ['a link in a list', { links: [{ rel: 'self', href: `/api/v1/orders/${orderId}` }] }, 'links.href'],
  ])('is certain of %s', (_, answer, at) => {
    expect(find({ answer })).toEqual([{ orderId, at, isCertain: true }]);
  });

  it.each([
    ['id', { id: orderId }, 'id'],
    ['uuid', { uuid: orderId }, 'uuid'],
    ['order', { order: orderId }, 'order'],
    ['reference', { reference: orderId }, 'reference'],
    ['id in data', { data: { id: orderId, type: 'orders' } }, 'data.id'],
    ['any other field', { job: { ticket: orderId } }, 'job.ticket'],
    ['a text', orderId, ''],
  ])('is not certain of %s', (_, answer, at) => {
    expect(find({ answer })).toEqual([{ orderId, at, isCertain: false }]);
  });

  it.each([
    `/api/v1/orders/${orderId}`,
    `https://api.example/api/v1/orders/${orderId}?x=1`,
    `/Orders/${orderId.toUpperCase()}`,
  ])('reads the Location header %s', (location) => {
    for (const answer of [null, '', {}, { status: 'RECEIVED' }]) {
      expect(find({ answer, location })).toEqual([{ orderId, at: 'Location', isCertain: true }]);
    }
  });

  it('ignores a Location header of another resource', () => {
    expect(find({ location: `/api/v1/jobs/${orderId}` })).toEqual([]);
  });

  it('prefers the setting, then order_id, then Location, then other fields', () => {
    const answer = { job: { number: orderId }, order_id: other, id: profileId };
    const location = '/api/v1/orders/00000000-0000-4000-8000-000000000001';
    expect(find({ answer, location, setting: 'job.number' })).toEqual([
      { orderId, at: 'job.number', isCertain: true },
      { orderId: other, at: 'order_id', isCertain: true },
      { orderId: '00000000-0000-4000-8000-000000000001', at: 'Location', isCertain: true },
      { orderId: profileId, at: 'id', isCertain: false },
    ]);
  });

  it('lists the same id once, at its likeliest place', () => {
    const answer = { id: orderId, data: { order_id: orderId }, self: `/orders/${orderId}` };
    expect(find({ answer, location: `/orders/${orderId}` })).toEqual([
      { orderId, at: 'data.order_id', isCertain: true },
    ]);
  });

  it('ignores a setting whose field is missing', () => {
    expect(find({ answer: { order_id: orderId }, setting: 'job.number' })).toEqual([
      { orderId, at: 'order_id', isCertain: true },
    ]);
  });

  it('ignores ids that were sent', () => {
    const answer = { id: profileId, profile_id: profileId, job: { ticket: orderId } };
    expect(find({ answer, sent: [profileId] })).toEqual([{ orderId, at: 'job.ticket', isCertain: false }]);
  });

  it.each([
    [{ order_id: profileId }, undefined, 'order_id'],
    [{ job: { number: profileId } }, 'job.number', 'job.number'],
  ])('accepts an id that was sent when a field names it as the order id (%j)', (answer, setting, at) => {
    const found = find({ answer, sent: [profileId], ...(setting === undefined ? {} : { setting }) });
    expect(found).toEqual([{ orderId: profileId, at, isCertain: true }]);
  });

  it('converts the id to lower case', () => {
    expect(find({ answer: { order_id: orderId.toUpperCase() } })).toMatchObject([{ orderId }]);
  });

  it.each([
    null,
    undefined,
    '',
    '<html></html>',
    {},
    [],
    { order_id: 4711 },
    { order_id: 'A-4711' },
    { order_id: null },
    { message: `The order ${orderId} was received` },
  ])('finds nothing in %j', (answer) => {
    expect(find({ answer })).toEqual([]);
  });
});
