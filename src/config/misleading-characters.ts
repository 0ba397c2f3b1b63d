/** Characters that look like those of YAML: foreign spaces, quotes and colons. They explain what is wrong on their line. */
import type { ConfigProblem } from './problems.ts';

/** Where they stand for indentation, or begin a value. Within a text they are part of it. */
const everywhere =
  /^[ \t]*([\u00A0\u2000-\u200B\u202F\u3000\uFEFF])|(?:^|[:,[{-])[ \t]*([\u2018-\u201F\u00AB\u00BB\uFF02\uFF07])/gu;

/** Around a key, or after a dash. A text of several lines may have them too, so only a line with a problem is searched. */
const aroundKeys: readonly RegExp[] = [
  /^[ \t-]*\w[\w-]*:?([\u00A0\u2000-\u200B\u202F\u3000\uFEFF])/u,
  /^[ \t-]*\w[\w-]*[ \t]*([\uFF1A\uFE55\uA789\u2236])/u,
  /^[ \t]*-([\u00A0\u2000-\u200B\u202F\u3000\uFEFF])/u,
];

const colonWithoutSpace = /^[ \t-]*[a-z_]+:(?=[^\s:/])/u;

const isSpace = /[\u00A0\u2000-\u200B\u202F\u3000\uFEFF]/u;
const isColon = /[\uFF1A\uFE55\uA789\u2236]/u;

const shown = 20;

export const quoteRemedy = 'Write straight quotes (" or \') instead, or around them to keep them';

/** `problemLines`: lines that are refused for another reason. */
export function findMisleadingCharacters(text: string, problemLines: ReadonlySet<number>): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [index, content] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1;
    const matches = [...content.matchAll(everywhere)];
    if (problemLines.has(line))
      matches.push(...aroundKeys.map((pattern) => pattern.exec(content)).filter((match) => match !== null));
    const found = matches.map((match) => toProblem(match, line));
    if (found.length === 0 && problemLines.has(line)) found.push(...findMissingSpace(content, line));
    for (const problem of found) {
      problems.push(problem);
      if (problems.length === shown) return problems;
    }
  }
  return problems;
}

function toProblem(match: RegExpExecArray, line: number): ConfigProblem {
  const character = match[1] ?? match[2] ?? '';
  const column = match.index + match[0].length;
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const [rule, remedy] = describe(character, match[0].trim() === '' || match[0].trim() === character);
  return { line, column, field: '', rule: `has the character ${code}${rule}`, found: null, remedy };
}

function describe(character: string, isIndentation: boolean): [rule: string, remedy: string] {
  if (isColon.test(character)) return [', which is no colon in YAML', 'Write a colon (:) and a space'];
  if (!isSpace.test(character)) return [', which is no quote in YAML', quoteRemedy];
  return isIndentation
    ? [' in its indentation, which is no space in YAML', 'Write spaces']
    : [', which is no space in YAML', 'Write a space'];
}

function findMissingSpace(content: string, line: number): ConfigProblem[] {
  const match = colonWithoutSpace.exec(content);
  if (match === null) return [];
  const remedy = 'Write a space after the colon';
  return [{ line, column: match[0].length, field: '', rule: 'has no space after a colon', found: null, remedy }];
}
