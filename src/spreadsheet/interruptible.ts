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

/** Rejects with the signal's reason when that comes first. */
export async function orAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
