/** Shared by the groups of commands: the context of a command, and the parsers of its options. */
import { InvalidArgumentError } from 'commander';
import type { ExitCode, Terminal } from './terminal.ts';

/** Runs one command. `args`: what follows the program's name. */
export type ExecuteCommand = (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;

export interface CommandContext {
  readonly terminal: Terminal;
  /** Prints the document with `--json`, otherwise the text. */
  readonly answer: (document: unknown, text: string) => void;
  /** Runs another command in this process, for the console. */
  readonly execute: ExecuteCommand;
  /** Sets the exit code. */
  readonly end: (code: ExitCode) => void;
}

export function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('must be 0 to 65535; 0 selects a free port.');
}

export function toCount(text: string): number {
  const count = toWholeNumber(text);
  if (count >= 0) return count;
  throw new InvalidArgumentError('must be a whole number, 0 or above.');
}

export function toWholeNumber(text: string): number {
  const number = Number(text);
  // 1.000 and 1e3 are numbers for JavaScript, and something else for some people.
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError('must be a whole number in decimal digits.');
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
