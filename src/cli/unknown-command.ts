/** What the user may have meant by a command that does not exist. */
import type { Command, CommanderError } from 'commander';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import type { Terminal } from './terminal.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { toPrintable } from '../base/text/printable-text.ts';

/** null for any other error, and when nothing is similar. commander itself names a command that differs by a few letters. */
export async function explainUnknownCommand(
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
