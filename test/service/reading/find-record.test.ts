import { findField, recordsIn, findRecordWith } from '../../../src/service/reading/find-record.ts';

const order = { order_id: 'x', status: 'COMPLETED' };

describe('findRecordWith', () => {
  it.each([
    ['bare', order, ''],
    ['in data', { data: order }, 'data'],
    ['in order', { order }, 'order'],
    ['in two wrappers', { data: { order } }, 'data.order'],
    ['in three wrappers', { response: { data: { order } } }, 'response.data.order'],
    ['in attributes', { data: { type: 'orders', attributes: order } }, 'data.attributes'],
    ['in a wrapper in upper case', { Data: { Order: order } }, 'Data.Order'],
    ['in a list of one', [order], ''],
    ['in a wrapper that is a list of one', { data: [order] }, 'data'],
    ['in a wrapper named after the creation', { order_creation: order }, 'order_creation'],
  ])('finds the record %s', (_, answer, path) => {
    expect(findRecordWith(answer, ['order_id', 'status'])).toEqual({ record: order, path });
  });

  it('returns the outermost record that has all fields', () => {
    expect(findRecordWith({ status: 'ok', data: order }, ['order_id', 'status'])).toEqual({
      record: order,
      path: 'data',
    });
    expect(findRecordWith({ status: 'ok', data: order }, ['status'])).toMatchObject({ path: '' });
  });

  it.each([
    ['a field is missing', { data: { status: 'x' } }],
    ['the record stands in no wrapper', { customer: order }],
    ['the record is one of several', [order, order]],
    ['it is four wrappers deep', { data: { data: { data: { data: order } } } }],
    ['the answer is empty', null],
    ['the answer is a text', '<html></html>'],
    ['the field belongs to the prototype', {}],
  ])('finds nothing when %s', (_, answer) => {
    expect(findRecordWith(answer, ['order_id', 'status'])).toBeNull();
    expect(findRecordWith(answer, ['toString'])).toBeNull();
  });
});

describe('findField', () => {
  it.each([
    ['at the top', { has_more: true, paging: { has_more: false } }, true],
    ['in any record', { paging: { has_more: true } }, true],
    ['two records deep', { meta: { paging: { has_more: true } } }, true],
    ['nowhere', { items: [] }, undefined],
    ['in no answer', null, undefined],
  ])('finds a field %s', (_, answer, expected) => {
    expect(findField(answer, 'has_more')).toBe(expected);
  });
});

describe('recordsIn', () => {
  it('lists the answer first, then the records of its wrappers', () => {
    const answer = { data: { order }, meta: { page: {} }, customer: { id: 1 } };
    expect(recordsIn(answer).map(({ path }) => path)).toEqual(['', 'data', 'meta', 'data.order', 'meta.page']);
  });
});
