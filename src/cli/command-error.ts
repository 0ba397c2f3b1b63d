import { ApplicationFailure } from '@temporalio/common';
import { toFailure } from '../../activities/to-failure.ts';
import { CommandError } from './terminal.ts';

/** What an activity would have failed with, as the message of a command that does its work itself; other errors stay what they are. */
export function toCommandError(error: unknown, ending = ''): unknown {
  const failure = toFailure(error);
  return failure instanceof ApplicationFailure ? new CommandError(`${failure.message}${ending}`) : error;
}
