/** Characters that look like spaces or quotes, and are neither in YAML: texts copied from web pages and word processors have them. */
import type { ConfigProblem } from './problems.ts';

/** Where they stand for indentation, or begin a value. Within a text they are part of it. */
const places = /^[ \t]*([\u00A0\u2000-\u200B\u202F\u3000\uFEFF])|(?:^|[:,[{-])[ \t]*([\u2018-\u201F\u00AB\u00BB])/gu;

const isSpace = /[\u00A0\u2000-\u200B\u202F\u3000\uFEFF]/u;

const most = 20;

export function findMisleadingCharacters(text: string): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [index, content] of text.split(/\r\n|\r|\n/).entries()) {
    for (const match of content.matchAll(places)) {
      const character = match[1] ?? match[2] ?? '';
      const column = match.index + match[0].length;
      const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
      const [rule, remedy] = isSpace.test(character)
        ? [`has the character ${code} in its indentation, which is no space in YAML`, 'Write spaces']
        : [`has the character ${code}, which is no quote in YAML`, 'Write straight quotes: " or \''];
      problems.push({ line: index + 1, column, field: '', rule, found: null, remedy });
      if (problems.length === most) return problems;
    }
  }
  return problems;
}
