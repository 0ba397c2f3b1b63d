import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { CommandReply, CommandRequest } from './command-host.ts';
import { spawnCommand, type CommandPlace, type Ended } from './command.ts';

const program = path.join(import.meta.dirname, 'command-host.ts');

/** They change their process for good, or keep it until they are stopped. */
const needsOwnProcess = /^(?:demo|worker)(?: |$)/;

/** Of this test file: one for each command that runs at the same time. */
const hosts = new Set<ChildProcess>();
const idle: ChildProcess[] = [];

afterAll(() => {
  for (const host of hosts) host.kill('SIGKILL');
});

/**
 * Runs `prospect-sync` with these arguments in a process that it shares with earlier commands of the test file, for tests of
 * what a command does, prints and ends with.
 * `spawnCommand` is for tests of the process itself.
 */
export async function runCommand(
  args: readonly string[],
  { cwd, env = {}, onStderr = () => {} }: CommandPlace,
): Promise<Ended> {
  if (needsOwnProcess.test(args.join(' '))) return spawnCommand(args, { cwd, env, onStderr });
  const host = idle.pop() ?? startHost();
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
  idle.push(host);
  return ended;
}

function startHost(): ChildProcess {
  const host = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  hosts.add(host);
  host.once('close', () => {
    hosts.delete(host);
    if (idle.includes(host)) idle.splice(idle.indexOf(host), 1);
  });
  return host;
}
