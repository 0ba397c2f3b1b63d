import { CommanderError, type Command } from 'commander';
import { createProgram } from './command-table.ts';
import { exitCodes, type ExitCode, type Terminal } from './terminal.ts';
import { ExplainedError } from '../base/text/explained-error.ts';
import { toPrintable, toPrintableJson } from '../base/text/printable-text.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { explainSystemText } from '../base/failures/system-code.ts';

/** Runs one command. `args`: what follows the program's name. Errors are printed, and set the exit code that is returned. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { program, exitCode } = createProgram(terminal, runCommandLine);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode();
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const { message, code } = describeError(error, terminal);
    // commander has printed its own message already.
    const hint = error instanceof CommanderError ? await explainUnknownCommand(program, error, terminal.env) : message;
    if (hint !== null) terminal.say(hint, 'error');
    if (args.includes('--json')) terminal.print(toPrintableJson({ ok: false, error: message }));
    return code;
  }
}

/** One message; for an unexpected error, PROSPECT_SYNC_DEBUG adds the stack. */
function describeError(error: unknown, { env }: Terminal): { message: string; code: ExitCode } {
  if (error instanceof CommanderError) return { message: error.message, code: exitCodes.usage };
  if (error instanceof ExplainedError) return { message: error.message, code: error.exitCode };
  if (error instanceof Error && 'syscall' in error)
    return { message: toPrintable(explainSystemText(error.message)), code: exitCodes.failed };
  const stack = env['PROSPECT_SYNC_DEBUG'] && error instanceof Error ? `\n${error.stack}` : '';
  const name = toPrintable(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  return { message: `unexpected error (PROSPECT_SYNC_DEBUG=1 shows where): ${name}${stack}`, code: exitCodes.failed };
}

/** null for any other error, and when nothing is similar. commander itself names a command that differs by a few letters. */
async function explainUnknownCommand(
  program: Command,
  { code, message }: CommanderError,
  env: Terminal['env'],
): Promise<string | null> {
  const word = code === 'commander.unknownCommand' ? /unknown command '([^']+)'/.exec(message)?.[1] : undefined;
  if (word === undefined) return null;
  const { config } = program.opts<GlobalOptions>();
  const { runs } = await readConfiguration(config, env).catch(() => ({ runs: {} }));
  if (getOwnProperty(runs, word) !== undefined)
    return `${toPrintable(word)} is a run of ${toPrintable(config)}. To start it, run: prospect-sync run ${toPrintable(word)}`;
  const similar = namesOf(program).filter((name) => name.split(' ').some((part) => part.startsWith(word)));
  return similar.length === 0 ? null : `Similar commands: ${similar.join(', ')}`;
}

/** `run`, `schedule pause`, … */
function namesOf(parent: Command, path: readonly string[] = []): string[] {
  return parent.commands.flatMap((command) => {
    const own = [...path, command.name()];
    return command.commands.length === 0 ? [own.join(' ')] : namesOf(command, own);
  });
}
