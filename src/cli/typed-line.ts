/** Lines that a user types, or that another program writes to stdin. */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { toPrintableLines } from '../base/text/printable-text.ts';

export type TypedInput = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  readonly setRawMode?: (isRaw: boolean) => unknown;
};

/** What was typed by now is in the terminal already, and arrives at once. */
const typedWithinMs = 100;
const ctrlC = 3;

/** What was typed before a question was shown is no answer to it. @returns false for Ctrl-C */
export async function discardTyped(stdin: TypedInput): Promise<boolean> {
  if (stdin.setRawMode === undefined) return true;
  let isCancelled = false;
  const discard = (typed: Buffer | string) => {
    isCancelled ||= Buffer.from(typed).includes(ctrlC);
  };
  // Otherwise a line without its end would stay in the terminal.
  stdin.setRawMode(true);
  stdin.on('data', discard);
  await sleep(typedWithinMs);
  stdin.off('data', discard);
  stdin.pause();
  stdin.setRawMode(false);
  return !isCancelled;
}

/** @returns null for Ctrl-C and for the end of input */
export async function readLine(
  { stdin, output }: { readonly stdin: TypedInput; readonly output: NodeJS.WritableStream },
  question: string,
): Promise<string | null> {
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY === true });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  lines.question(`${toPrintableLines(question)} `, resolve);
  // The last line of a pipe may have no end, and then answers no question.
  lines.once('line', resolve);
  lines.once('SIGINT', () => resolve(null));
  lines.once('close', () => resolve(null));
  const answer = await promise;
  lines.close();
  // The cursor is still behind the question.
  if (answer === null) output.write('\n');
  return answer;
}
