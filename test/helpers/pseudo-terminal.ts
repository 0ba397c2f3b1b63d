// Runs commands on a pseudo-terminal, which `script` of util-linux provides.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';

const cli = path.join(import.meta.dirname, '../../tools/prospect-sync.mjs');

export function hasPseudoTerminal(): boolean {
  return spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0;
}

export interface Answer {
  /** Types `typed` as soon as this text is on the screen. */
  readonly to: string;
  readonly typed: string;
}

/** Runs `prospect-sync` with stdin, stdout and stderr on a terminal. `early`: typed at the start. `screen`: the complete output. */
export function runOnTerminal(
  args: readonly string[],
  { cwd, env = {}, early = '', answer }: { cwd: string; env?: Record<string, string>; early?: string; answer?: Answer },
): Promise<{ code: number | null; screen: string }> {
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', cli, ...args];
  const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.write(early);
  let screen = '';
  let typed = false;
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    if (answer === undefined || typed || !screen.includes(answer.to)) return;
    typed = true;
    child.stdin.write(answer.typed);
  });
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null; screen: string }>();
  child.once('error', reject);
  child.once('close', (code) => resolve({ code, screen }));
  return promise;
}
