import { onDatabasesOfAll } from './both-databases.ts';
import { receipt } from './output-receipt.ts';

onDatabasesOfAll(({ open, newPlace }) => {
  describe('outputs', () => {
    it('keeps the last receipt for each destination of an order', async () => {
      const place = await newPlace();
      const { outputs } = await open(place);
      await outputs.save(receipt);
      const bytes = 5_000_000_000;
      const delivered = { ...receipt, state: 'delivered', path: '/out/a.csv', rows: 3, bytes, sha256: 's' } as const;
      await outputs.save(delivered);
      const other = { ...receipt, destination: 'Csv en' };
      await outputs.save(other);
      await outputs.save({ ...receipt, orderId: 'order-2' });
      expect(await outputs.get('order-1', 'csv en')).toEqual(delivered);
      expect(await outputs.get('order-1', 'xlsx en')).toBeUndefined();
      expect(await (await open(place)).outputs.list('order-1')).toEqual([other, delivered]);
    });
  });
});
