import { describeCommands, describeGlobalOptions } from '../../tools/describe-commands.ts';

describe('describeCommands', () => {
  const commands = describeCommands();

  it('lists name, usage, options and defaults of a command', () => {
    expect(commands.find(({ name }) => name === 'schedule pause')).toEqual({
      name: 'schedule pause',
      usage: 'prospect-sync schedule pause <name> [options]',
      description: expect.any(String),
      options: [
        { flags: '--note <text>', description: expect.any(String), default: expect.any(String) },
        { flags: '--yes', description: expect.any(String), default: null },
      ],
      examples: expect.arrayContaining(['prospect-sync schedule pause dach-discovery']),
      json: true,
    });
    expect(describeGlobalOptions().map(({ flags }) => flags)).toContain('--config <file>');
  });

  it('marks the commands that print no JSON document', () => {
    const silent = commands.filter(({ json }) => !json).map(({ name }) => name);
    expect(silent.toSorted()).toEqual(['codec-server', 'init', 'receive', 'sandbox', 'sandbox faults clear', 'worker']);
  });

  it('leaves out groups, which only print help', () => {
    expect(commands.map(({ name }) => name)).not.toContain('exclusions');
  });

  it('describes every command and option', () => {
    const texts = commands.flatMap(({ description, options }) => [
      description,
      ...options.map((each) => each.description),
    ]);
    expect(texts.filter((text) => text === '')).toEqual([]);
  });
});
