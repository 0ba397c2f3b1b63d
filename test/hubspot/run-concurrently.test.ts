import { runConcurrently } from '../../src/hubspot/batch-requests.ts';

describe('runConcurrently', () => {
  const items = Array.from({ length: 10 }, (_, index) => index);

  it('runs the given number of tasks at a time, and returns result i for item i', async () => {
    let running = 0;
    let most = 0;
    const results = await runConcurrently(items, { concurrency: 3, signal: undefined }, async (item) => {
      running += 1;
      most = Math.max(most, running);
      // Later tasks end earlier.
      for (let turn = 0; turn < 20 - item * 2; turn += 1) await Promise.resolve();
      running -= 1;
      return item * 2;
    });
    expect(results).toEqual(items.map((item) => item * 2));
    expect(most).toBe(3);
  });

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

  it('passes on the cancellation of its caller', async () => {
    const controller = new AbortController();
    const work = runConcurrently([1], { concurrency: 3, signal: controller.signal }, async (_item, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new RangeError('cancelled');
    });
    controller.abort();
    await expect(work).rejects.toThrow('cancelled');
  });

  it('returns nothing for no items', async () => {
    expect(await runConcurrently([], { concurrency: 3, signal: undefined }, async () => 1)).toEqual([]);
  });
});
