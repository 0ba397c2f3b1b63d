import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderFacts } from '../../src/ledger/order-store.ts';
import { onBothDatabases } from './both-databases.ts';

const toOrder = (orderId: string, status = 'IN_PROGRESS'): OrderFacts => ({
  orderId,
  runName: 'dach-weekly',
  kind: 'discovery',
  status,
  profileId: null,
  requestedCount: 10,
  externalIdsAreRecordIds: false,
});

onBothDatabases(({ open }) => {
  describe('orders.open', () => {
    it('counts orders that are neither certified nor ended, with the date of the oldest', async () => {
      const { orders, certificates } = await open();
      expect(await orders.open()).toEqual({ count: 0, oldest: null });

      const before = new Date().toISOString();
      await orders.save(toOrder('proved'));
      await orders.publish('proved', { total: 10, summaryJson: '{}' });
      for (const status of ['REJECTED', 'FAILED', 'CANCELLED']) await orders.save(toOrder(status, status));
      await orders.save(toOrder('never published', 'COMPLETED'));
      await orders.save(toOrder('waiting'));
      const between = new Date().toISOString();
      await orders.save(toOrder('published'));
      await orders.publish('published', { total: 10, summaryJson: '{}' });
      await orders.save(toOrder('published', 'COMPLETED'));
      const { count, oldest } = await orders.open();
      expect(count).toBe(3);
      expect(oldest && oldest >= before && oldest <= between).toBe(true);

      const proof = {
        at: between,
        reconciled: 10,
        total: 10,
        findingsJson: '[]',
        documentJson: '{}',
        path: '/out/certificate.json',
      };
      await certificates.save({ orderId: 'proved', ...proof });
      await certificates.save({ orderId: 'proved', ...proof, at: before });
      await orders.save(toOrder('waiting', 'CANCELLED'));
      const left = await orders.open();
      expect(left.count).toBe(1);
      expect(left.oldest && left.oldest >= between).toBe(true);
    });
  });

  describe('orders.lastOfRun', () => {
    it('is the last order of the run that did not end without success', async () => {
      const { orders } = await open();
      expect(await orders.lastOfRun('dach-weekly')).toBeNull();
      await orders.save({ ...toOrder('first', 'COMPLETED'), requestedCount: 20 });
      const between = new Date();
      await sleep(2); // the clock of an order counts milliseconds
      await orders.save(toOrder('second'));
      await orders.save({ ...toOrder('other run'), runName: 'leads' });
      await orders.save({ ...toOrder('rejected', 'REJECTED'), requestedCount: 5 });
      // Saving it again does not change its age.
      await orders.save({ ...toOrder('first', 'COMPLETED'), requestedCount: 20 });
      const last = await orders.lastOfRun('dach-weekly');
      expect(last).toMatchObject({ orderId: 'second', requestedCount: 10 });
      expect(last?.placedAt.getTime()).toBeGreaterThan(between.getTime());
    });
  });

  describe('condition', () => {
    it('answers, and returns its size', async () => {
      const { condition } = await open();
      await expect(condition.ask()).resolves.toBeUndefined();
      expect(await condition.bytes()).toBeGreaterThan(10_000);
    });
  });
});
