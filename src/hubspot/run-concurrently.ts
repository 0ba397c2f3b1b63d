/**
 * Runs `run` for all items, so many at a time, in order.
 * @returns result i belongs to item i
 * @throws the first failure, after the others, which are aborted then, have settled
 */
export async function runConcurrently<Item, Result>(
  items: readonly Item[],
  { concurrency, signal }: { concurrency: number; signal: AbortSignal | undefined },
  run: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failing = new AbortController();
  const either = signal === undefined ? failing.signal : AbortSignal.any([signal, failing.signal]);
  const results: Result[] = [];
  const failures: unknown[] = [];
  const queue = items.entries();

  async function work(): Promise<void> {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[index] = await run(item, either);
      } catch (error) {
        failures.push(error);
        failing.abort();
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
