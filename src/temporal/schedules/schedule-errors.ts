/** Errors of schedule commands: our own, and those of Temporal. */
import { explainSystemText } from '../../base/failures/system-code.ts';
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { ExplainedError } from '../../base/text/explained-error.ts';
import { toPrintable } from '../../base/text/printable-text.ts';
import { withoutFullStop } from '../../base/text/normalize-text.ts';

/** A schedule command failed; the message says what to do. */
export class ScheduleError extends ExplainedError {
  override readonly name = 'ScheduleError';

  constructor(message: string, options?: ErrorOptions) {
    super(toPrintable(message), options);
  }
}

/** gRPC's DEADLINE_EXCEEDED and UNAVAILABLE. */
const unavailableCodes: readonly number[] = [4, 14];

/** True if no server answered; the request may still have been carried out. */
export function isUnavailable(error: unknown): boolean {
  return errorChain(error).some((answer) => isGrpcServiceError(answer) && unavailableCodes.includes(answer.code));
}

/** The message of the server without a full stop; the client's own message says only that the request failed. */
export function reasonOfTemporal(error: Error): string {
  const given = errorChain(error).flatMap((answer) => {
    const details = answer instanceof Error && 'details' in answer ? answer.details : undefined;
    return typeof details === 'string' && details !== '' ? [details] : [];
  });
  return toPrintable(explainSystemText(withoutFullStop(given[0] ?? error.message)));
}

/** Returns the error unchanged if it does not come from Temporal. */
export function toScheduleError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ScheduleError) return error;
  if (isUnavailable(error))
    return new ScheduleError(
      `Temporal is unavailable: ${reasonOfTemporal(error)}. The request may have been carried out, and a run may have started. Check with \`prospect-sync schedule list\` and \`prospect-sync status\` before you repeat it.`,
      { cause: error },
    );
  const isTemporals = error instanceof ServiceError || isGrpcServiceError(error);
  return isTemporals
    ? new ScheduleError(`Temporal rejected the request: ${reasonOfTemporal(error)}`, { cause: error })
    : error;
}

function errorChain(error: unknown): unknown[] {
  return error instanceof Error ? [error, error.cause] : [error];
}
