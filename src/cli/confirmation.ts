/** Before something that costs is started: a question where a person can answer it, a warning everywhere. */
import type { GlobalOptions } from './configuration.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface ConfirmationFlags {
  /** Start without a question. */
  readonly yes: boolean;
}

export interface Confirmation {
  /** Why a person should think again; without any, nothing is asked. */
  readonly warnings: readonly string[];
  readonly question: string;
  /** Begins the error: `run weekly was not confirmed`. */
  readonly declined: string;
}

/** @throws {CommandError} when the person declines */
export async function confirmWarnings(
  terminal: Terminal,
  { json, yes }: Pick<GlobalOptions, 'json'> & ConfirmationFlags,
  { warnings, question, declined }: Confirmation,
): Promise<void> {
  for (const warning of warnings) terminal.say(warning, 'warn');
  if (warnings.length === 0 || yes || json || !terminal.canAsk || (await terminal.confirm(question))) return;
  throw new CommandError(`${declined}: nothing was started. To start it without a question, add --yes`);
}
