/** The reference of commands in docs/cli.md. */
import type { DescribedCommand, DescribedOption } from './describe-commands.ts';
import { toTable } from './generated-regions.ts';

export interface CommandDescriptions {
  readonly commands: readonly DescribedCommand[];
  readonly globalOptions: readonly DescribedOption[];
}

export function toCommandReference({ commands, globalOptions }: CommandDescriptions): string {
  const sections = commands.map(({ name, usage, description, options, examples }) => [
    `### ${name}`,
    toSentence(description),
    `\`\`\`\nnpx ${usage}\n\`\`\``,
    ...(options.length === 0 ? [] : [toOptionTable(options)]),
    `Examples: ${examples.map((example) => `\`${example}\``).join(', ')}`,
  ]);
  return ['### Global options', toOptionTable(globalOptions), ...sections.flat()].join('\n\n');
}

/** Commands and options that a text names in backticks or at the start of a line, and that do not exist. */
export function findUnknownCommands(descriptions: CommandDescriptions, text: string): string[] {
  const named = [...text.matchAll(/(?:`(?:npx )?|^ *(?:\$ )?npx )prospect-sync ([^`\n]+)/gm)];
  return named
    .map(([, found = '']) => found)
    .filter((words) => !isCommand(descriptions, (words.split('#', 1)[0] ?? '').trim().split(/\s+/)));
}

function isCommand({ commands, globalOptions }: CommandDescriptions, words: readonly string[]): boolean {
  if (words[0] === 'COMMAND') return true;
  // `sandbox faults add --portal 1`: options of `sandbox faults` count too.
  const matching = commands.filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  const command = matching.at(-1);
  if (command === undefined) return false;
  const next = words[command.name.split(' ').length] ?? '';
  const takesArguments = /[<[](?!options\])/.test(command.usage);
  if (!takesArguments && next !== '' && !/^[[-]/.test(next)) return false;
  const options = [...globalOptions, ...matching.flatMap(({ options: own }) => own)].flatMap(({ flags }) =>
    flags.split(/[ ,]+/),
  );
  return words.every((word) => !word.startsWith('--') || options.includes(word.split('=', 1)[0] ?? ''));
}

function toOptionTable(options: readonly DescribedOption[]): string {
  const rows = options.map(({ flags, default: value, description }) => [
    `\`${flags}\``,
    value === null ? '' : `\`${value}\``,
    toSentence(description),
  ]);
  return toTable(['Option', 'Default', 'Meaning'], rows);
}

function toSentence(text: string): string {
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
