/** The reference of commands in docs/cli.md, from the command table of the CLI. */
import { Command, type Option } from 'commander';
import { toTable } from './generated-regions.ts';

export function toCommandReference(program: Command): string {
  const globalOptions = ['### Global options', toOptionTable(program.options)];
  return [...globalOptions, ...program.commands.flatMap((command) => toSections(command, ''))].join('\n\n');
}

/** src/cli/main.ts builds the program and parses the arguments when it is loaded; here it is only built. */
export async function readProgram(): Promise<Command> {
  const loaded = Promise.withResolvers<Command>();
  Command.prototype.parseAsync = function parseNothing(this: Command) {
    loaded.resolve(this);
    return Promise.resolve(this);
  };
  await import('../src/cli/main.ts');
  return loaded.promise;
}

/** Commands and options that a text names in backticks or after a prompt, and that do not exist. */
export function findUnknownCommands(program: Command, text: string): string[] {
  const named = [...text.matchAll(/(?:`(?:npx )?|^ *(?:\$ )?npx )prospect-sync ([^`\n]+)/gm)].map(
    ([, found = '']) => found,
  );
  return named.filter((words) => !isCommand(program, (words.split('#', 1)[0] ?? '').trim().split(/\s+/)));
}

function isCommand(program: Command, words: readonly string[]): boolean {
  if (words[0] === 'COMMAND') return true;
  let command = program;
  const options = new Set(program.options.map(({ long }) => long));
  for (const word of words) {
    const subcommand = command.commands.find((each) => each.name() === word);
    if (subcommand === undefined) {
      if (command.registeredArguments.length === 0 && !/^[[-]/.test(word)) return false;
      break;
    }
    for (const { long } of subcommand.options) options.add(long);
    command = subcommand;
  }
  const unknown = words.filter((word) => word.startsWith('--') && !options.has(word.split('=', 1)[0]));
  return command !== program && unknown.length === 0;
}

/** Of a command with subcommands only these are listed, unless it does something itself. */
function toSections(command: Command, parent: string): string[] {
  const name = `${parent}${command.name()}`;
  const subcommands = command.commands.flatMap((subcommand) => toSections(subcommand, `${name} `));
  const isGroup = subcommands.length > 0 && command.options.length === 0;
  return isGroup ? subcommands : [toSection(command, name), ...subcommands];
}

function toSection(command: Command, name: string): string {
  const takes = command.registeredArguments.map((argument) => {
    const word = `${argument.name().toUpperCase()}${argument.variadic ? '…' : ''}`;
    return argument.required ? word : `[${word}]`;
  });
  const usage = ['npx prospect-sync', name, ...(command.options.length > 0 ? ['[options]'] : []), ...takes].join(' ');
  const options = command.options.length === 0 ? [] : [toOptionTable(command.options)];
  return [`### ${name}`, toSentence(command.description()), `\`\`\`\n${usage}\n\`\`\``, ...options].join('\n\n');
}

function toOptionTable(options: readonly Option[]): string {
  const rows = options.map((option) => [`\`${option.flags}\``, toDefault(option), toMeaning(option)]);
  return toTable(['Option', 'Default', 'Meaning'], rows);
}

function toDefault({ defaultValue, defaultValueDescription, mandatory }: Option): string {
  if (defaultValueDescription !== undefined) return defaultValueDescription;
  if (mandatory) return 'required';
  const isEmpty = defaultValue === undefined || defaultValue === false || String(defaultValue) === '';
  return isEmpty ? '' : `\`${String(defaultValue)}\``;
}

function toMeaning({ description, argChoices, envVar }: Option): string {
  const choices = argChoices === undefined ? '' : ` One of: ${argChoices.join(', ')}.`;
  const variable = envVar === undefined ? '' : ` Variable: \`${envVar}\`.`;
  return `${toSentence(description)}${choices}${variable}`;
}

function toSentence(text: string): string {
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
