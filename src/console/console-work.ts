/** What the console lets the program do: every action is a command of the CLI, with the checks and questions of that command. */
import type { z } from 'zod';
import { parseJsonOrUndefined } from '../base/json/json-limits.ts';
import type { LogLevel } from '../base/logs.ts';

/** The person at the page, as a command sees the user of a terminal. */
export interface Conversation {
  readonly say: (text: string, level: LogLevel) => void;
  readonly print: (text: string) => void;
  /** True when the person has agreed to this question before, after the same texts. */
  readonly confirm: (question: string) => boolean;
}

/** Progress of a workflow; null: no worker answers. */
export interface LiveProgress {
  readonly stage: string;
  /** ISO 8601. */
  readonly since: string;
  readonly waitingFor: string | null;
  readonly counts: Readonly<Record<string, number>>;
}

export interface ConsoleWork {
  /** Runs a command in this process. @returns its exit code */
  readonly run: (args: readonly string[], conversation: Conversation) => Promise<number>;
  /** False where a command would have to start a local Temporal first. */
  readonly isTemporalRunning: () => Promise<boolean>;
  /** The progress of a workflow, about each second, until it is closed. */
  readonly watch: (workflowId: string, signal: AbortSignal) => AsyncIterable<LiveProgress | null>;
}

/** `document`: null when the command failed. `notes`: what it said. */
export interface Answer<T> {
  readonly document: T | null;
  readonly notes: readonly string[];
}

/** The document that a command without questions prints with `--json`. */
export async function readDocument<T>(
  { run }: Pick<ConsoleWork, 'run'>,
  args: readonly string[],
  schema: z.ZodType<T>,
): Promise<Answer<T>> {
  const notes: string[] = [];
  const printed: string[] = [];
  await run([...args, '--json'], {
    say: (text, level) => void (level === 'info' || level === 'debug' || notes.push(text)),
    print: (text) => void printed.push(text),
    confirm: () => false,
  });
  const document = schema.safeParse(parseJsonOrUndefined(printed.join('\n')));
  return { document: document.success ? document.data : null, notes };
}
