import type { Command } from 'commander';
import { PassThrough } from 'node:stream';
import { createProgram } from '../../src/cli/command-table.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { describeCommands } from '../../tools/describe-commands.ts';

const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
const terminal = createTerminal({ env: {}, ...streams });

/** The words of a command line in which only double quotes are special. */
const toWords = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** The command, `schedule pause`, that the command table executes for these words; all others only note their name here. */
async function parse(words: readonly string[]): Promise<string[]> {
  const { program } = createProgram(terminal);
  const executed: string[] = [];
  const replaceActions = (parent: Command, path: readonly string[]) => {
    for (const command of parent.commands) {
      const names = [...path, command.name()];
      command.action(() => void executed.push(names.join(' ')));
      replaceActions(command, names);
    }
  };
  replaceActions(program, []);
  await program.parseAsync(words, { from: 'user' });
  return executed;
}

describe('the examples of --help', () => {
  const commands = describeCommands();

  it.each(commands.map(({ name, examples }) => [name, examples] as const))(
    'of %s are two command lines with existing options and all required arguments',
    async (name, examples) => {
      expect(new Set(examples).size).toBe(2);
      for (const example of examples) {
        const [first, ...words] = toWords(example);
        expect(first).toBe('prospect-sync');
        expect(await parse(words)).toEqual([name]);
        // What a user pastes must ask.
        expect(words).not.toContain('--yes');
      }
    },
  );

  it('stand behind the options', async () => {
    const { program } = createProgram(terminal);
    let help = '';
    const pause = program.commands.find((command) => command.name() === 'schedule')?.commands[2];
    pause?.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
    expect(help).toMatch(
      /Options:[^]*\nExamples:\n {2}prospect-sync schedule pause dach-discovery\n {2}prospect-sync .*\n$/,
    );
  });

  it.each([
    ['a missing argument', ['run']],
    ['an unknown option', ['run', 'weekly', '--dry']],
    ['a value that the option refuses', ['console', '--port', 'x']],
  ])('would not pass with %s', async (_, words) => {
    await expect(parse(words)).rejects.toThrow('error: ');
  });
});
