import { slotStatuses } from '../../../src/service/contract/index.ts';
import { countDelivered, toDeliveryFindings, type OrderKind } from '../../../src/proof/checks/order-checks.ts';

describe('countDelivered', () => {
  it('counts slots with a company, also with unknown statuses', () => {
    const byStatus = Object.fromEntries(slotStatuses.map((status, index) => [status, 10 ** index]));
    expect(countDelivered({ ...byStatus, REVIEWED: 3 })).toBe(1 + 10 + 3);
    expect(countDelivered({})).toBe(0);
  });
});

describe('toDeliveryFindings', () => {
  const find = (
    ordered: number,
    delivered: number,
    minDeliveredPercent: number | null,
    kind: OrderKind = 'enrichment',
  ) =>
    toDeliveryFindings({ kind, ordered, delivered, minDeliveredPercent }).map(({ code, count }) => `${code} ${count}`);

  it.each([
    [40, 0, null, ['nothing_delivered 40']],
    [0, 0, null, ['nothing_delivered 0']],
    [40, 7, null, []],
    [40, 7, 80, ['fewer_delivered_than_expected 33']],
    [40, 31, 80, ['fewer_delivered_than_expected 9']],
    [40, 32, 80, []],
    [0, 5, 80, []],
    [3, 1, 33.3, []],
  ])('for %d ordered and %d delivered with at least %s %% expected: %j', (ordered, delivered, percent, expected) => {
    expect(find(ordered, delivered, percent)).toEqual(expected);
  });

  it('require all companies of a discovery, unless the run accepts fewer', () => {
    expect(find(40, 39, null, 'discovery')).toEqual(['fewer_delivered_than_ordered 1']);
    expect(find(40, 40, null, 'discovery')).toEqual([]);
    expect(find(40, 39, 90, 'discovery')).toEqual([]);
  });
});
