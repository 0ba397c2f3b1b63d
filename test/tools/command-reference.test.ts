import { Command, Option } from 'commander';
import { findUnknownCommands, toCommandReference } from '../../tools/command-reference.ts';

const program = new Command('prospect-sync').option('--json', 'one document', false);
const schedule = program.command('schedule').description('manage schedules');
schedule.command('pause <name>').description('pause one').requiredOption('--note <text>', 'why');
const faults = program.command('faults').description('list faults').option('--portal <id>', 'of a portal');
faults
  .command('add <path...>')
  .addOption(new Option('--times <n>', 'how often').default(1).env('TIMES').choices(['1', '2']));

describe('toCommandReference', () => {
  it('gives usage, arguments, defaults, choices and variables of every command', () => {
    const reference = toCommandReference(program);
    expect(reference).toContain(
      '### schedule pause\n\nPause one.\n\n```\nnpx prospect-sync schedule pause [options] NAME\n```',
    );
    expect(reference).toContain('| `--note <text>` | required | Why. |');
    expect(reference).toContain('npx prospect-sync faults add [options] PATH…');
    expect(reference).toContain('| `--times <n>` | `1` | How often. One of: 1, 2. Variable: `TIMES`. |');
  });

  it('lists only the subcommands of a command that does nothing itself', () => {
    const headings = toCommandReference(program).match(/^### .*$/gm);
    expect(headings).toEqual(['### Global options', '### schedule pause', '### faults', '### faults add']);
  });
});

describe('findUnknownCommands', () => {
  it.each([
    '`prospect-sync schedule pause NAME --note x`',
    '$ npx prospect-sync faults --json',
    'npx prospect-sync COMMAND',
  ])('accepts %s', (text) => expect(findUnknownCommands(program, text)).toEqual([]));

  it('accepts options of the command above', () => {
    expect(findUnknownCommands(program, 'npx prospect-sync faults add /a --portal 1 # a note --odd')).toEqual([]);
  });

  it.each(['schedule paus', 'faults --odd', 'schedul'])('names %s', (command) => {
    expect(findUnknownCommands(program, `Run \`prospect-sync ${command}\`.`)).toEqual([command]);
  });
});
