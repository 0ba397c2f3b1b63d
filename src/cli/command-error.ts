import { ApplicationFailure } from '@temporalio/common';
import { toFailure } from '../failures/to-failure.ts';
import { CommandError } from './terminal.ts';

/** The failure that an activity would report, as the error of a command that does the same work itself. */
export function toCommandError(error: unknown, ending = ''): unknown {
  const failure = toFailure(error);
  return failure instanceof ApplicationFailure ? new CommandError(`${failure.message}${ending}`) : error;
}
