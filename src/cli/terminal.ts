/** What commands say and print: progress and explanations on stderr, results on stdout. */
import type { LogFields, LogLevel, LogLine } from '../telemetry/logs.ts';

export const exitCodes = { done: 0, failed: 1, usage: 2, findings: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An end of the command that has one clear message for its user. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, cause?: Error) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One line to stderr. */
  readonly say: (text: string, level?: LogLevel, fields?: LogFields) => void;
  /** Says all that follows in lines of this form; until then, the text as it is. */
  readonly speakIn: (form: (line: LogLine) => string) => void;
  /** A result to stdout. */
  readonly print: (text: string) => void;
  /** The line that is written over by the next call; does nothing where stderr is no terminal. */
  readonly redraw: (text: string) => void;
  readonly isInteractive: boolean;
  /**
   * Settles at the first SIGINT, SIGTERM or SIGHUP, and as SIGPIPE when nobody reads what is printed or said any more
   * (`… | head`). Until somebody asks for it, and at a second SIGINT or SIGTERM, signals end the process at once.
   */
  readonly interrupted: Promise<NodeJS.Signals>;
}

/** The part of a process that a terminal is. */
export interface Host {
  readonly env: Terminal['env'];
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

export function createTerminal({ env, stdout, stderr }: Host = process): Terminal {
  const isInteractive = stderr.isTTY === true;
  const unread = Promise.withResolvers<NodeJS.Signals>();
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Without a listener it would end the process on the spot, with a stack and nothing deleted.
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
      unread.resolve('SIGPIPE');
    });
  }
  let interrupted: Promise<NodeJS.Signals> | undefined;
  let drawn = false;
  let toText = ({ message }: LogLine) => message;
  const clear = () => {
    if (drawn) stderr.write('\r\u001B[K');
    drawn = false;
  };
  return {
    env,
    isInteractive,
    say(message, level = 'info', fields) {
      clear();
      stderr.write(`${toText({ level, message, fields })}\n`);
    },
    speakIn(form) {
      toText = form;
    },
    print(text) {
      clear();
      stdout.write(`${text}\n`);
    },
    redraw(text) {
      if (!isInteractive) return;
      // Some terminals say that they have 0 columns.
      stderr.write(`\r\u001B[K${text.slice(0, (stderr.columns || 80) - 1)}`);
      drawn = text !== '';
    },
    get interrupted() {
      return (interrupted ??= interruption(unread.promise));
    },
  };
}

function interruption(unread: Promise<NodeJS.Signals>): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => resolve(signal));
  }
  void unread.then(resolve);
  void promise.then(() => {
    process.on('SIGINT', () => process.exit(130));
    process.on('SIGTERM', () => process.exit(143));
  });
  return promise;
}
