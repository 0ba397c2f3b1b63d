/**
 * Settles as `work` does, or rejects with `toReason()` as soon as the signal is aborted. `work` itself is not stopped.
 * Nothing is kept once it settles: a promise shared by the steps of a download would keep their results, the whole file.
 */
export async function rejectOnAbort<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  toReason: () => unknown = () => signal?.reason,
): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(toReason());
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
