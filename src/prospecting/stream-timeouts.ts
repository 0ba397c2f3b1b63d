import { ProspectingError } from './prospecting-error.ts';
import { connectionCode } from './service-transport.ts';

interface StreamTimeoutOptions {
  readonly method: string;
  readonly path: string;
  /** How long one step may take. */
  readonly timeoutMs: number;
  /** How long all steps together may take. */
  readonly longestMs: number;
  readonly cancelled: AbortSignal | undefined;
}

export interface StreamTimeouts {
  /** For `fetch`, so that connections are closed. */
  readonly signal: AbortSignal;
  /** The race ends a step even where it pays no heed to the signal. */
  readonly race: <T>(step: () => Promise<T>) => Promise<T>;
  /** To be called in the end, whatever it is; what is still under way is dropped. */
  readonly close: () => void;
}

/** Steps that are ended when one of them stalls, when all take too long, or from outside: always as a ProspectingError. */
export function createStreamTimeouts({
  method,
  path,
  timeoutMs,
  longestMs,
  cancelled,
}: StreamTimeoutOptions): StreamTimeouts {
  const call = { method, path };
  const controller = new AbortController();
  /** End the steps that are in progress. */
  const openSteps = new Set<(error: ProspectingError) => void>();
  let ended: ProspectingError | null = null;
  const stop = (error: ProspectingError) => {
    ended ??= error;
    for (const end of openSteps) end(ended);
    controller.abort(ended);
  };
  const onCancel = () => stop(new ProspectingError({ kind: 'cancelled', ...call, cause: cancelled?.reason }));
  const startTimer = (ms: number) =>
    setTimeout(() => stop(new ProspectingError({ kind: 'timeout', ...call, detail: `${ms} ms` })), ms);
  if (cancelled?.aborted === true) onCancel();
  cancelled?.addEventListener('abort', onCancel, { once: true });
  const whole = startTimer(longestMs);

  return {
    signal: controller.signal,
    async race<T>(step: () => Promise<T>): Promise<T> {
      if (ended !== null) throw ended;
      const timer = startTimer(timeoutMs);
      // One promise a step: a promise that outlives them would keep what each of them gave, which is the whole file.
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      openSteps.add(reject);
      try {
        return await Promise.race([stopped, step()]);
      } catch (cause) {
        if (cause instanceof ProspectingError) throw cause;
        throw ended ?? new ProspectingError({ kind: 'connection', ...call, detail: connectionCode(cause), cause });
      } finally {
        clearTimeout(timer);
        openSteps.delete(reject);
      }
    },
    close(): void {
      clearTimeout(whole);
      cancelled?.removeEventListener('abort', onCancel);
      controller.abort();
    },
  };
}
