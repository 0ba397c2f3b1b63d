import { runConcurrently } from '../../src/hubspot/batch-requests.ts';

describe('runConcurrently', () => {
  const items = Array.from({ length: 10 }, (_, index) => index);

  it('cancels the other tasks after the first failure, waits for them, and starts no more', async () => {
    const ends: string[] = [];
    const started: number[] = [];
    const work = runConcurrently(items, { concurrency: 3, signal: undefined }, async (item, signal) => {
      started.push(item);
      if (item === 1) throw new RangeError('first');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ends.push(`${item} cancelled`);
      throw new RangeError(`${item} second`);
    });
    await expect(work).rejects.toThrow('first');
    expect(ends).toEqual(['0 cancelled', '2 cancelled']);
    expect(started).toEqual([0, 1, 2]);
  });
});
