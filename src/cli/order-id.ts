import { z } from 'zod';
import { CommandError, exitCodes } from './terminal.ts';

/** The argument of a command, which must be a UUID, in lower case. */
export function toOrderId(text: string): string {
  const id = z.guid().safeParse(text);
  if (!id.success)
    throw new CommandError(`${JSON.stringify(text)} is not a valid order id: it must be a UUID`, exitCodes.usage);
  return id.data.toLowerCase();
}
