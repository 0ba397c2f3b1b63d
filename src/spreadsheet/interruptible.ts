import { orAbort } from '../host/promise-limits.ts';

/** The batches of a source, until the signal says stop: also while the source is still thinking about the next one. */
export async function* interruptible<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  const batches = source[Symbol.asyncIterator]();
  let finished = false;
  try {
    for (;;) {
      const batch = await orAbort(batches.next(), signal);
      finished = batch.done === true;
      if (batch.done === true) return;
      yield batch.value;
    }
  } finally {
    // Not awaited: a source that hangs would hold up the removal of the unfinished file.
    if (!finished) void Promise.resolve(batches.return?.()).catch(() => undefined);
  }
}
