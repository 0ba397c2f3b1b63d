import { ProspectingError } from './prospecting-error.ts';
import { connectionCode } from './service-transport.ts';

interface StreamTimeoutOptions {
  readonly method: string;
  readonly path: string;
  /** Limit of one step. */
  readonly timeoutMs: number;
  /** Limit of all steps together. */
  readonly longestMs: number;
  readonly cancelled: AbortSignal | undefined;
}

export interface StreamTimeouts {
  /** Pass it to `fetch`, so that connections are closed. */
  readonly signal: AbortSignal;
  /** Ends a step on timeout or cancellation, even if it ignores the signal. */
  readonly race: <T>(step: () => Promise<T>) => Promise<T>;
  /** Must be called at the end; aborts what is still running. */
  readonly close: () => void;
}

/** Timeouts for each step of a stream and for all of them. A step ends with a ProspectingError on timeout and cancellation. */
export function createStreamTimeouts({
  method,
  path,
  timeoutMs,
  longestMs,
  cancelled,
}: StreamTimeoutOptions): StreamTimeouts {
  const call = { method, path };
  const controller = new AbortController();
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
      // One promise for each step: a shared promise would keep the results of all steps, the whole file, in memory.
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
