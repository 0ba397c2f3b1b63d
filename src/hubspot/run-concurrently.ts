/**
 * Runs `run` for all items in order, up to `concurrency` at a time.
 * @returns result i belongs to item i
 * @throws the first error, after the other calls were aborted and have settled
 */
export async function runConcurrently<Item, Result>(
  items: readonly Item[],
  { concurrency, signal }: { concurrency: number; signal: AbortSignal | undefined },
  run: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const abortOthers = new AbortController();
  const combined = signal === undefined ? abortOthers.signal : AbortSignal.any([signal, abortOthers.signal]);
  const results: Result[] = [];
  const failures: unknown[] = [];
  const queue = items.entries();

  async function work(): Promise<void> {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[index] = await run(item, combined);
      } catch (error) {
        failures.push(error);
        abortOthers.abort();
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
