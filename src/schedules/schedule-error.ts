import { toPrintable } from '../text/printable-text.ts';

/** A schedule that cannot be had, made or changed; the message says what to do. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';

  constructor(message: string, options?: ErrorOptions) {
    super(toPrintable(message), options);
  }
}
