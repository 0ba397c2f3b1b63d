import { toPrintable } from '../text/printable-text.ts';
import { ExplainedError } from '../text/explained-error.ts';

/** A schedule that cannot be had, made or changed; the message says what to do. */
export class ScheduleError extends ExplainedError {
  override readonly name = 'ScheduleError';

  constructor(message: string, options?: ErrorOptions) {
    super(toPrintable(message), options);
  }
}
