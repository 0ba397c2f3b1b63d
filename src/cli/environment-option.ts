// Options that name an environment variable with a secret.
import { isVariableName } from '../config/environment.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

/** undefined when the variable is not set. @throws {CommandError} for a text that is no name: it may be the secret, and is not shown */
export function readNamedVariable(env: Terminal['env'], option: string, name: string): string | undefined {
  if (isVariableName(name)) return getOwnProperty(env, name);
  throw new CommandError(
    `${option} must be the name of an environment variable: capitals, digits and _. What was given is not shown, because it may be the secret itself: set a variable to the secret, and give the name of the variable. If it was the secret, it is now in the history of the shell: replace it`,
    exitCodes.usage,
  );
}
