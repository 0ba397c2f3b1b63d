/**
 * The terminal of a command: progress, explanations and questions on stderr, results on stdout. Nothing else writes to either,
 * because foreign texts could contain control sequences, for example to clear the screen.
 */
import { PassThrough } from 'node:stream';
import { ExplainedError } from '../base/text/explained-error.ts';
import { toPrintable, toPrintableLines } from '../base/text/printable-text.ts';
import type { Log, LogLine } from '../base/logs.ts';
import { describeSystemError } from '../base/failures/system-code.ts';
import { discardTyped, readLine, type TypedInput } from './typed-line.ts';

export const exitCodes = { done: 0, failed: 1, usage: 2, findings: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with one clear message. */
export class CommandError extends ExplainedError {
  override readonly name = 'CommandError';
  override readonly exitCode: Exclude<ExitCode, 0>;

  constructor(message: string, exitCode: Exclude<ExitCode, 0> = exitCodes.failed, cause?: Error) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One line to stderr. */
  readonly say: Log;
  /** Sets the format of all later lines of `say`; before, they are plain text. */
  readonly speakIn: (form: (line: LogLine) => string) => void;
  /** A result to stdout. JSON must come from toPrintableJson, which escapes control characters as JSON does. */
  readonly print: (text: string) => void;
  /** A line that the next call overwrites; has no effect if stderr is not a terminal, or one that erases nothing (TERM=dumb). */
  readonly redraw: (text: string) => void;
  readonly isInteractive: boolean;
  /** Whether the user can answer: stdin and stderr are a terminal. */
  readonly canAsk: boolean;
  /** True if the user answers y or yes; false for any other answer, end of input, Ctrl-C, and if `canAsk` is false. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** The line that the user types; null for end of input, Ctrl-C, and if `canAsk` is false. */
  readonly prompt: (question: string) => Promise<string | null>;
  /** As `prompt`, but the terminal does not show what is typed; without a terminal the first line of stdin. Null for none. */
  readonly readHidden: (question: string) => Promise<string | null>;
  /**
   * Settles at the first SIGINT, SIGTERM or SIGHUP, and with SIGPIPE when stdout or stderr is closed (`… | head`). Signals end the
   * process at once before this is first read, and at a second SIGINT or SIGTERM.
   */
  readonly interrupted: Promise<NodeJS.Signals>;
}

/** The part of a process that a terminal uses. */
export interface Host {
  readonly env: Terminal['env'];
  readonly stdin: TypedInput;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/** Aborted at the first signal. */
export function signalOf(terminal: Terminal): AbortSignal {
  const interrupted = new AbortController();
  void terminal.interrupted.then(() => interrupted.abort());
  return interrupted.signal;
}

export function createTerminal(host: Host = process): Terminal {
  const { env, stdout, stderr } = host;
  const isInteractive = stderr.isTTY === true;
  const outputClosed = Promise.withResolvers<NodeJS.Signals>();
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Without a listener the process would end at once, without any clean-up.
      if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return outputClosed.resolve('SIGPIPE');
      const [name, other] = stream === stdout ? ['output', stderr] : ['messages', stdout];
      other.write(
        `The ${name} of this command cannot be written: ${describeSystemError(error)}. Choose another place for it\n`,
      );
      process.exit(exitCodes.failed);
    });
  }
  let interrupted: Promise<NodeJS.Signals> | undefined;
  let drawn = false;
  let toText = ({ message }: LogLine) => message;
  const clear = () => {
    if (drawn) stderr.write('\r\u001B[K');
    drawn = false;
  };
  // Node opens stdin at the first access.
  const canAsk = () => isInteractive && host.stdin.isTTY === true;
  const prompt = async (question: string) => {
    if (!canAsk()) return null;
    clear();
    return (await discardTyped(host.stdin)) ? readLine({ stdin: host.stdin, output: stderr }, question) : null;
  };
  return {
    env,
    isInteractive,
    get canAsk() {
      return canAsk();
    },
    async confirm(question) {
      const answer = await prompt(`${question} [y/N]`);
      return /^y(?:es)?$/i.test(answer?.trim() ?? '');
    },
    prompt,
    async readHidden(question) {
      const { stdin } = host;
      // readline shows typed characters on its output, which is discarded here.
      const hidden = { stdin, output: new PassThrough() };
      if (!canAsk()) return stdin.isTTY === true ? null : readLine(hidden, '');
      clear();
      stderr.write(`${toPrintableLines(question)} `);
      const typed = (await discardTyped(stdin)) ? await readLine(hidden, '') : null;
      stderr.write('\n');
      return typed;
    },
    say(message, level = 'info', fields) {
      clear();
      stderr.write(`${toPrintableLines(toText({ level, message, fields }))}\n`);
    },
    speakIn(form) {
      toText = form;
    },
    print(text) {
      clear();
      stdout.write(`${toPrintableLines(text)}\n`);
    },
    redraw(text) {
      if (!isInteractive || env['TERM'] === 'dumb') return;
      // Some terminals report 0 columns.
      stderr.write(`\r\u001B[K${toPrintable(text).slice(0, (stderr.columns || 80) - 1)}`);
      drawn = text !== '';
    },
    get interrupted() {
      return (interrupted ??= interruption(outputClosed.promise));
    },
  };
}

function interruption(outputClosed: Promise<NodeJS.Signals>): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => resolve(signal));
  }
  void outputClosed.then(resolve);
  void promise.then(() => {
    process.on('SIGINT', () => process.exit(130));
    process.on('SIGTERM', () => process.exit(143));
  });
  return promise;
}

/**
 * A signal that ends the process at once first says `what`. Other listeners, such as a build that removes its files, go first: they raise the
 * signal again.
 * @returns a function after which signals act as before
 */
export function sayAtSignal({ say }: Pick<Terminal, 'say'>, what: string): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const end = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1) return;
    say(`${signal}: ${what}.`, 'warn');
    process.exit(exitCodes.failed);
  };
  for (const signal of signals) process.on(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

export interface ConfirmationFlags {
  /** Do it without confirmation. */
  readonly yes: boolean;
}

export interface Confirmation {
  /** Reasons against it. */
  readonly warnings: readonly string[];
  /** Whether a user at a terminal is asked without a reason too. */
  readonly isOrder?: boolean;
  readonly question: string;
  /** Start of the error message: `run weekly was not confirmed`. */
  readonly declined: string;
}

/** Shows the warnings and asks the user. @throws {CommandError} if the user declines, or cannot be asked */
export async function confirmWarnings(
  terminal: Terminal,
  { json, yes }: { readonly json: boolean } & ConfirmationFlags,
  { warnings, isOrder = false, question, declined }: Confirmation,
): Promise<void> {
  for (const warning of warnings) terminal.say(warning, 'warn');
  const isAsked = warnings.length > 0 || (isOrder && terminal.canAsk && !json);
  if (!isAsked || yes) return;
  if (await isConfirmed(terminal, { json, yes }, question)) return;
  // The document of --json has only this text; at a terminal the warnings stand above it.
  const reasons = json ? `. Reasons:\n${warnings.join('\n')}` : '';
  throw new CommandError(
    `${declined}: nothing was started or changed. To do it without confirmation, add --yes${reasons}`,
  );
}

/**
 * True with `--yes` and if the user agrees; false also if the user cannot be asked. Then nothing happens, and the command ends with
 * `exitCodes.failed`: a script must not take it for done.
 */
export async function isConfirmed(
  terminal: Terminal,
  { json, yes }: { readonly json: boolean } & ConfirmationFlags,
  question: string,
): Promise<boolean> {
  return yes || (!json && terminal.canAsk && (await terminal.confirm(question)));
}
