import { PassThrough } from 'node:stream';
import { confirmWarnings, createTerminal } from '../../src/cli/terminal.ts';

const confirmation = { warnings: ['Large order: 300.'], question: 'Place it?', declined: 'run a was not confirmed' };

/** A terminal, or pipes, at which nobody has typed anything yet. */
function createScreen(isTTY: boolean) {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()].map((stream) => Object.assign(stream, { isTTY }));
  if (stdin === undefined || stderr === undefined) throw new Error('no streams');
  const terminal = createTerminal({ env: {}, stdin, stdout: new PassThrough(), stderr });
  return { terminal, stdin, read: () => String(stderr.read() ?? '') };
}

describe('confirmWarnings', () => {
  it('prints warnings and asks nothing with --yes', async () => {
    const { terminal, read } = createScreen(true);
    await confirmWarnings(terminal, { json: false, yes: true }, confirmation);
    expect(read()).toBe('Large order: 300.\n');
  });

  it.each([
    ['with --json, which names them in its error', true, { json: true, yes: false }, '. Reasons:\nLarge order: 300.'],
    ['without a terminal', false, { json: false, yes: false }, ''],
  ])('prints warnings and starts nothing %s, because nobody can be asked', async (_, isTTY, options, reasons) => {
    const { terminal, read } = createScreen(isTTY);
    await expect(confirmWarnings(terminal, options, confirmation)).rejects.toMatchObject({
      exitCode: 1,
      message: `run a was not confirmed: nothing was started or changed. To do it without confirmation, add --yes${reasons}`,
    });
    expect(read()).toBe('Large order: 300.\n');
  });

  it('prints nothing without warnings', async () => {
    const { terminal, read } = createScreen(true);
    await confirmWarnings(terminal, { json: false, yes: false }, { ...confirmation, warnings: [] });
    expect(read()).toBe('');
  });

  it('exits with code 1 when the user declines', async () => {
    const { terminal, stdin } = createScreen(true);
    stdin.write('n\n');
    await expect(confirmWarnings(terminal, { json: false, yes: false }, confirmation)).rejects.toMatchObject({
      exitCode: 1,
      message: 'run a was not confirmed: nothing was started or changed. To do it without confirmation, add --yes',
    });
  });
});
