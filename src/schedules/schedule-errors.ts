/** Errors of schedule commands: our own, and those of Temporal. */
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { toPrintable } from '../text/printable-text.ts';

/** A schedule command failed; the message says what to do. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';

  constructor(message: string, options?: ErrorOptions) {
    super(toPrintable(message), options);
  }
}

/** gRPC's DEADLINE_EXCEEDED and UNAVAILABLE. */
const unavailableCodes: readonly number[] = [4, 14];

/** True when nobody has answered: what was asked may have been done all the same. */
export function isUnavailable(error: unknown): boolean {
  return errorChain(error).some((answer) => isGrpcServiceError(answer) && unavailableCodes.includes(answer.code));
}

/** The client's own message says only that it failed; the reason is the server's. */
export function reasonOf(error: Error): string {
  const given = errorChain(error).flatMap((answer) => {
    const details = answer instanceof Error && 'details' in answer ? answer.details : undefined;
    return typeof details === 'string' && details !== '' ? [details] : [];
  });
  return toPrintable(given[0] ?? error.message);
}

/** The same error where it is none of Temporal's. */
export function toScheduleError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ScheduleError) return error;
  if (isUnavailable(error))
    return new ScheduleError(
      `Temporal cannot be reached any more (${reasonOf(error)}). What was asked may have been done, and a run may have been started: look with \`prospect-sync schedule list\` and \`prospect-sync status\` before you ask again.`,
      { cause: error },
    );
  const isTemporals = error instanceof ServiceError || isGrpcServiceError(error);
  return isTemporals ? new ScheduleError(`Temporal refuses it: ${reasonOf(error)}`, { cause: error }) : error;
}

function errorChain(error: unknown): unknown[] {
  return error instanceof Error ? [error, error.cause] : [error];
}
