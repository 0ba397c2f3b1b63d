/**
 * Runs one command after another in one process, as `prospect-sync` runs one: own arguments, variables and current folder.
 * Loading the program takes most of the time of a short command. A command has ended when its process would have: when it
 * leaves nothing to wait for. Each has the id of another process that ends with it: other commands conclude from the end of
 * the process that its worker has stopped.
 */
import { spawn } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { openCompiledFolder } from '../../src/base/host/cache-folder.ts';

export interface CommandRequest {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type CommandReply = { readonly stdout: string } | { readonly stderr: string } | { readonly code: number };

const compiled = openCompiledFolder(process.env);
if (compiled !== null) enableCompileCache(compiled);
const { runCommandLine } = await import('../../src/cli/run-command-line.ts');
const { createTerminal } = await import('../../src/cli/terminal.ts');

process.setMaxListeners(0); // each command may listen to signals
process.on('message', (request: CommandRequest) => void run(request));
process.on('disconnect', () => process.exit());

async function run({ args, cwd, env }: CommandRequest): Promise<void> {
  process.chdir(cwd);
  const standIn = startStandIn();
  Object.defineProperty(process, 'pid', { value: standIn.pid, configurable: true });
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
  const stdout = toStream((text) => ({ stdout: text }));
  const stderr = toStream((text) => ({ stderr: text }));
  // Node writes warnings itself. Over the pipe they could arrive after the exit code.
  process.stderr.write = stderr.write.bind(stderr);
  const code = await runCommandLine(args, createTerminal({ env: process.env, stdin: process.stdin, stdout, stderr }));
  process.channel?.unref();
  process.once('beforeExit', () => {
    process.channel?.ref();
    standIn.ref();
    standIn.once('exit', () => reply({ code }));
    standIn.stdin.destroy();
  });
}

/** A process that does nothing, and ends at the latest with this one. */
function startStandIn() {
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}

function toStream(toReply: (text: string) => CommandReply): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      reply(toReply(chunk.toString()));
      done();
    },
  });
}

function reply(message: CommandReply): void {
  process.send?.(message);
}
