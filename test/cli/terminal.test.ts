import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { createTerminal, sayAtSignal } from '../../src/cli/terminal.ts';

function createHost(stderr: { isTTY?: boolean; columns?: number } = {}, stdin: { isTTY?: boolean } = {}) {
  const streams = {
    stdin: Object.assign(new PassThrough(), stdin),
    stdout: new PassThrough(),
    stderr: Object.assign(new PassThrough(), stderr),
  };
  const read = (stream: PassThrough) => String(stream.read() ?? '');
  return {
    host: { env: {}, ...streams },
    stdin: streams.stdin,
    stdout: () => read(streams.stdout),
    stderr: () => read(streams.stderr),
  };
}

const closed = () => Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });

describe('sayAtSignal', () => {
  it('says what was not done when a signal ends the process, unless another listener is at work or it was taken back', () => {
    const said: string[] = [];
    const exit = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as unknown as typeof process.exit);
    const others = process.listeners('SIGTERM');
    process.removeAllListeners('SIGTERM');
    try {
      const takeBack = sayAtSignal({ say: (line) => said.push(line) }, 'nothing was started');
      const clean = () => {};
      process.on('SIGTERM', clean);
      process.emit('SIGTERM', 'SIGTERM');
      expect(said).toEqual([]);
      process.off('SIGTERM', clean);
      process.emit('SIGTERM', 'SIGTERM');
      expect(said).toEqual(['SIGTERM: nothing was started.']);
      expect(exit).toHaveBeenCalledWith(1);
      takeBack();
      expect(process.listenerCount('SIGTERM')).toBe(0);
    } finally {
      exit.mockRestore();
      for (const other of others) process.on('SIGTERM', other);
    }
  });
});

describe('createTerminal', () => {
  it.each([
    ['in a file or a pipe', {}, {}],
    ['on a terminal that erases nothing', { isTTY: true }, { TERM: 'dumb' }],
  ])('writes no control sequence %s', (_, stderr, env) => {
    const written = createHost(stderr);
    const terminal = createTerminal({ ...written.host, env });
    terminal.redraw('1 of 2');
    terminal.say('done');
    terminal.redraw('');
    expect(written.stderr()).toBe('done\n');
  });

  it('writes no colours to a terminal, also with NO_COLOR', () => {
    const written = createHost({ isTTY: true });
    const terminal = createTerminal({ ...written.host, env: { NO_COLOR: '1', TERM: 'xterm' } });
    terminal.redraw('1 of 2');
    terminal.say('failed', 'error');
    terminal.print('result');
    expect(written.stderr()).toBe('\r\u001B[K1 of 2\r\u001B[Kfailed\n');
    expect(written.stdout()).toBe('result\n');
  });

  it.each([
    [0, 'orders.discovery'],
    [undefined, 'orders.discovery'],
    [80, 'orders.discovery'],
    [7, 'orders'],
  ])('redraws as much as fits into %s columns', (columns, drawn) => {
    const { host, stderr } = createHost({ isTTY: true, ...(columns === undefined ? {} : { columns }) });
    createTerminal(host).redraw('orders.discovery');
    expect(stderr()).toBe(`\r\u001B[K${drawn}`);
  });

  it('escapes foreign texts, and keeps its own control of the line', async () => {
    const { host, stdin, stdout, stderr } = createHost({ isTTY: true, columns: 80 }, { isTTY: true });
    const terminal = createTerminal(host);
    terminal.redraw('1 of 2\u001B[2J\n\u009B1m');
    expect(stderr()).toBe(String.raw`${'\r\u001B[K'}1 of 2\x1b[2J\n\x9b1m`);
    terminal.say('two\n\tlines\r\u202E');
    expect(stderr()).toBe(`\r\u001B[Ktwo\n\tlines${String.raw`\r\u{202e}`}\n`);
    terminal.print('a\u001B]0;owned\u0007');
    expect(stdout()).toBe(`${String.raw`a\x1b]0;owned\x07`}\n`);
    terminal.speakIn(({ message }) => `said: ${message}`);
    terminal.say('b\u0008');
    expect(stderr()).toBe(`${String.raw`said: b\x08`}\n`);
    const confirmed = terminal.confirm('Place \u001B[8m an order?');
    stdin.end();
    expect(await confirmed).toBe(false);
    expect(stderr()).toContain(String.raw`Place \x1b[8m an order? [y/N] `);
  });

  it('clears the drawn line before it prints, and draws nothing without a terminal', () => {
    const seen = createHost({ isTTY: true, columns: 80 });
    const terminal = createTerminal(seen.host);
    terminal.redraw('1 of 2');
    terminal.print('row');
    expect([seen.stderr(), seen.stdout()]).toEqual(['\r\u001B[K1 of 2\r\u001B[K', 'row\n']);
    const unseen = createHost();
    createTerminal(unseen.host).redraw('1 of 2');
    expect(unseen.stderr()).toBe('');
  });

  it.each(['stdout', 'stderr'] as const)('interrupts when the reader of %s closes it', async (name) => {
    const { host } = createHost();
    const terminal = createTerminal(host);
    host[name].emit('error', closed());
    host[name].emit('error', closed());
    expect(await terminal.interrupted).toBe('SIGPIPE');
  });

  it.each([
    ['y', 'y\n', true],
    ['Yes', ' Yes \n', true],
    ['n', 'n\n', false],
    ['an empty line', '\n', false],
    ['anything else', 'yesterday\n', false],
    ['Ctrl-C', '\u0003', false],
    ['the end of input', null, false],
  ])('reads the answer %s', async (_, typed, expected) => {
    const { host, stdin, stderr } = createHost({ isTTY: true }, { isTTY: true });
    const confirmed = createTerminal(host).confirm('Place an order?');
    if (typed === null) stdin.end();
    else stdin.write(typed);
    expect(await confirmed).toBe(expected);
    const said = stderr();
    expect(said).toContain('Place an order? [y/N] ');
    expect(said).toMatch(/\n$/);
  });

  it.each([
    ['stdin', { isTTY: true }, {}],
    ['stderr', {}, { isTTY: true }],
  ])('asks nothing when %s is not a terminal', async (_, stderrIs, stdinIs) => {
    const { host, stderr } = createHost(stderrIs, stdinIs);
    const terminal = createTerminal(host);
    expect([terminal.canAsk, await terminal.confirm('Place an order?')]).toEqual([false, false]);
    expect(stderr()).toBe('');
  });

  it('reads a password without showing it: from a terminal, or the first line of another input', async () => {
    const { host, stdin, stderr } = createHost({ isTTY: true }, { isTTY: true });
    const typed = createTerminal(host).readHidden('Password:');
    stdin.write('correct horse\n');
    expect(await typed).toBe('correct horse');
    expect(stderr()).toBe('Password: \n');
    for (const [text, expected] of [
      ['correct horse\nanother line\n', 'correct horse'],
      ['correct horse', 'correct horse'],
      ['', null],
    ] as const) {
      const piped = createHost();
      piped.stdin.end(text);
      expect(await createTerminal(piped.host).readHidden('Password:')).toBe(expected);
      expect(piped.stderr()).toBe('');
    }
  });

  it('ends with one sentence when the disk of its output is full', async () => {
    const cli = path.join(__dirname, '../../tools/prospect-sync.mjs');
    await using full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, [cli, '--help'], { cwd: tmpdir(), stdio: ['ignore', full.fd, 'pipe'] });
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, stderr]).toEqual([
      1,
      'The output of this command cannot be written: the disk is full (ENOSPC). Choose another place for it\n',
    ]);
  });
});

describe('a command whose output is closed', () => {
  it.each([
    ['what is asked for', ['--help'], 0, ''],
    ['a refusal', ['validate', '--json', '--config', 'nowhere.yaml'], 2, 'nowhere.yaml'],
  ])('exits with its own code and without a stack trace after %s', async (_, args, expected, said) => {
    const cli = path.join(__dirname, '../../tools/prospect-sync.mjs');
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cli, ...args], { cwd: tmpdir() });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: expected, lines: 1 });
    expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/EPIPE|\bat \w/);
  });
});
