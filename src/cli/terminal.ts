/** What commands say and print: progress and explanations on stderr, results on stdout. */

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
  readonly say: (text: string) => void;
  /** A result to stdout. */
  readonly print: (text: string) => void;
  /** The line that is written over by the next call; does nothing where stderr is no terminal. */
  readonly redraw: (text: string) => void;
  readonly isInteractive: boolean;
  /** Settles at the first SIGINT, SIGTERM or SIGHUP. Until somebody asks for it, and at a second SIGINT, signals end the process at once. */
  readonly interrupted: Promise<NodeJS.Signals>;
}

export function createTerminal(): Terminal {
  const isInteractive = process.stderr.isTTY;
  let interrupted: Promise<NodeJS.Signals> | undefined;
  let drawn = false;
  const clear = () => {
    if (drawn) process.stderr.write('\r\u001B[K');
    drawn = false;
  };
  return {
    env: process.env,
    isInteractive,
    say(text) {
      clear();
      process.stderr.write(`${text}\n`);
    },
    print(text) {
      clear();
      process.stdout.write(`${text}\n`);
    },
    redraw(text) {
      if (!isInteractive) return;
      process.stderr.write(`\r\u001B[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
      drawn = text !== '';
    },
    get interrupted() {
      return (interrupted ??= interruption());
    },
  };
}

function interruption(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => resolve(signal));
  }
  void promise.then(() => process.on('SIGINT', () => process.exit(130)));
  return promise;
}
