/** Limits for promises that may never settle. They are not cancelled: the caller only stops to wait for them. */

/** null when the promise takes longer. */
export async function orNullAfter<T>(promise: Promise<T>, milliseconds: number): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), milliseconds);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}

/** Rejects with `toError()`, by default the reason of the signal, when the signal comes first. */
export async function orAbort<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  toError: () => unknown = () => signal?.reason,
): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(toError());
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
