// Options that take one of a known set of words.
import { closestMatch } from '../base/text/suggestions.ts';
import { CommandError, exitCodes } from './terminal.ts';

/** @throws {CommandError} with the known words for any other word */
export function toKnownWord<Word extends string>(option: string, known: readonly Word[], word: string): Word {
  const found = known.find((each) => each === word);
  if (found !== undefined) return found;
  const meant = closestMatch(word, known);
  const hint = meant === null ? '' : `. Did you mean ${meant}?`;
  throw new CommandError(
    `${option} must be one of ${known.join(', ')}, found ${JSON.stringify(word)}${hint}`,
    exitCodes.usage,
  );
}
