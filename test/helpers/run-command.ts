import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import path from 'node:path';
import type { CommandReply, CommandRequest } from './command-host.ts';
import { spawnCommand, type CommandPlace, type Ended } from './command.ts';

const program = path.join(import.meta.dirname, 'command-host.ts');

/** They change their process for good (replay: Temporal's SDK watches each promise from then on), or keep it until they are stopped. */
const needsOwnProcess = /^(?:demo|replay|worker)(?: |$)/;

declare global {
  /** From test/environment.cjs. */
  var idleCommandHosts: ChildProcess[];
}

/** One for each command that runs now. */
const busy = new Set<ChildProcess>();

afterAll(() => {
  for (const host of busy) host.kill('SIGKILL');
});

/**
 * Runs `prospect-sync` with these arguments in a process that it shares with earlier commands, also of other test files, for
 * tests of what a command does, prints and ends with.
 * `spawnCommand` is for tests of the process itself.
 */
export async function runCommand(
  args: readonly string[],
  { cwd, env = {}, onStderr = () => {} }: CommandPlace,
): Promise<Ended> {
  if (needsOwnProcess.test(args.join(' '))) return spawnCommand(args, { cwd, env, onStderr });
  const host = takeHost();
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  let stdout = '';
  let stderr = '';
  const addStderr = (text: string) => {
    stderr += text;
    onStderr(text);
  };
  const receive = (reply: CommandReply) => {
    if ('stdout' in reply) stdout += reply.stdout;
    else if ('stderr' in reply) addStderr(reply.stderr);
    else resolve({ code: reply.code, stdout, stderr });
  };
  // What Node and native code write themselves.
  const receiveChunk = (chunk: Buffer) => addStderr(chunk.toString());
  const fail = () => reject(new Error(`the process of ${args.join(' ')} ended: ${stderr}`));
  host.on('message', receive);
  host.stderr?.on('data', receiveChunk);
  host.once('close', fail);
  const request: CommandRequest = { args, cwd, env: { ...process.env, ...env } };
  host.send(request);
  const ended = await promise;
  host.off('message', receive);
  host.stderr?.off('data', receiveChunk);
  host.off('close', fail);
  keepHost(host);
  return ended;
}

function takeHost(): ChildProcess {
  let host = idleCommandHosts.pop();
  while (host?.connected === false) host = idleCommandHosts.pop();
  host ??= spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  busy.add(host);
  for (const handle of handlesOf(host)) handle.ref();
  return host;
}

/** Jest ends although an idle process waits; the process ends then too. */
function keepHost(host: ChildProcess): void {
  busy.delete(host);
  for (const handle of handlesOf(host)) handle.unref();
  idleCommandHosts.push(host);
}

function handlesOf(host: ChildProcess): { ref(): void; unref(): void }[] {
  const { channel, stderr } = host;
  return [host, ...(channel == null ? [] : [channel]), ...(stderr instanceof Socket ? [stderr] : [])];
}
