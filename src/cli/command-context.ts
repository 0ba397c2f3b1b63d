import type { ExitCode, Terminal } from './terminal.ts';

/** What a group of commands is given to speak and to end with. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Prints the document or the text, as it was asked for. */
  readonly answer: (document: unknown, text: string) => void;
  readonly end: (code: ExitCode) => void;
}
