import { findUnknownCommands, toCommandReference } from '../../tools/command-reference.ts';

const option = (flags: string, value: string | null = null) => ({ flags, description: 'what it does', default: value });
const command = (usage: string, options = [option('--note <text>')]) => ({
  name: /^prospect-sync ([a-z ]*[a-z])/.exec(usage)?.[1] ?? '',
  usage,
  description: 'does something',
  options,
  examples: ['prospect-sync apply', 'prospect-sync apply --json'],
  json: true,
});
const descriptions = {
  globalOptions: [option('-V, --version'), option('--json')],
  commands: [
    command('prospect-sync schedule pause <name> [options]'),
    command('prospect-sync faults [options]', [option('--portal <id>')]),
    command('prospect-sync faults add <path...> [options]', [option('--times <n>', '1')]),
    command('prospect-sync apply', []),
  ],
};

describe('toCommandReference', () => {
  it('contains usage, options and defaults of every command', () => {
    const reference = toCommandReference(descriptions);
    expect(reference).toContain(
      '### faults add\n\nDoes something.\n\n```\nnpx prospect-sync faults add <path...> [options]\n```\n\n| Option',
    );
    expect(reference).toContain('| `--times <n>` | `1` | What it does. |');
    expect(reference).toContain('\n\nExamples: `prospect-sync apply`, `prospect-sync apply --json`\n\n### ');
    expect(reference.match(/^### .*$/gm)).toEqual([
      '### Global options',
      '### schedule pause',
      '### faults',
      '### faults add',
      '### apply',
    ]);
  });
});

describe('findUnknownCommands', () => {
  it.each([
    '`prospect-sync schedule pause NAME --note x`',
    '$ npx prospect-sync faults --json',
    'npx prospect-sync COMMAND',
    'npx prospect-sync faults add /a --portal 1 # a note --odd',
  ])('accepts %s', (text) => expect(findUnknownCommands(descriptions, text)).toEqual([]));

  it.each(['schedule paus', 'faults --odd', 'schedul', 'apply all'])('reports %s', (words) => {
    expect(findUnknownCommands(descriptions, `Run \`prospect-sync ${words}\`.`)).toEqual([words]);
  });
});
