/** Places that could not be erased. A failure in one place does not stop the erasure of the others. */
import { describeSystemCode, systemCodeOf } from '../base/failures/system-code.ts';

export interface FailedPlace {
  /** Tables and columns, or the path of a file. */
  readonly place: string;
  /** Name and code of the error. Its message may contain personal data. */
  readonly problem: string;
}

export interface ErasureFailures {
  readonly failed: readonly FailedPlace[];
  /** @returns the result of the task, or `otherwise` when it fails */
  readonly attempt: <T>(place: string, otherwise: T, task: () => Promise<T>) => Promise<T>;
}

/** Collects failures instead of throwing them, until the signal aborts. */
export function createErasureFailures(signal?: AbortSignal): ErasureFailures {
  const failed: FailedPlace[] = [];
  return {
    failed,
    attempt: async (place, otherwise, task) => {
      try {
        return await task();
      } catch (error) {
        if (signal?.aborted === true) throw error;
        failed.push({ place, problem: toProblem(error) });
        return otherwise;
      }
    },
  };
}

function toProblem(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return (
    [error.name, systemCodeOf(error) ?? '']
      .filter((word) => /^[\w.-]{1,60}$/.test(word))
      .map(describeSystemCode)
      .join(': ') || 'unknown error'
  );
}
