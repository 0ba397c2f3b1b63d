// Words of the user that stand for one of a known set.
import { listFirst } from '../base/text/named-rows.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { suggestions } from '../base/text/suggestions.ts';
import { CommandError, exitCodes } from './terminal.ts';

/** @throws {CommandError} with the known words for any other word */
export function toKnownWord<Word extends string>(option: string, known: readonly Word[], word: string): Word {
  const found = known.find((each) => each === word);
  if (found !== undefined) return found;
  const meant = findNear(word, known);
  const hint = meant.length === 0 ? '' : `. Did you mean ${meant.join(' or ')}?`;
  throw new CommandError(
    `${option} must be one of ${known.join(', ')}, found ${JSON.stringify(word)}${hint}`,
    exitCodes.usage,
  );
}

export const mostNamed = 5;

/** `ids`: some of the `total` ids that begin with the text. */
export function ambiguousBeginning(
  text: string,
  kind: 'orders' | 'replies',
  { ids, total }: { readonly ids: readonly string[]; readonly total: number },
): CommandError {
  return new CommandError(
    `${toPrintable(text)} begins the ids of several ${kind}: ${listFirst(ids.map(toPrintable), mostNamed, total)}. Write more characters`,
    exitCodes.usage,
  );
}

/** Up to three words that begin with the given one, and the most similar one. */
function findNear(word: string, known: readonly string[]): string[] {
  const begun = word.length < 3 ? [] : known.filter((each) => each.toLowerCase().startsWith(word.toLowerCase()));
  return [...new Set([...begun.slice(0, 3), ...suggestions(word, known).slice(0, 1)])];
}
