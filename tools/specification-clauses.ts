/**
 * Reads the clauses of a specification in GitHub-flavoured Markdown: every row of a table, every numbered rule, and every
 * sentence of the running text that says "must", "never" or "only". A sentence inside a row or a rule belongs to it.
 */
export interface SpecificationClause {
  /**
   * The heading. The second table or list below the same heading adds the line that introduces it, and so does a list with
   * an introduction that ends in "rules:": `Errors, Validation errors (422)`, `Orders, Results rules`.
   */
  readonly section: string;
  /**
   * Row: the first cell, with the second where the first is not unique in its table; `METHOD path` for endpoints. Rule: its
   * number. Sentence: its text.
   */
  readonly name: string;
  readonly kind: 'row' | 'rule' | 'sentence';
}

/** In the order of the text. */
export function readClauses(markdown: string): SpecificationClause[] {
  const clauses: SpecificationClause[] = [];
  const headingsWithTable = new Set<string>();
  let heading = '';
  let caption = '';
  const lines = markdown.split('\n');
  for (const [place, line] of lines.entries()) {
    const [, number] = /^(\d+)\. /.exec(line) ?? [];
    if (/^#+ /.test(line)) [heading, caption] = [line.replace(/^#+ /, ''), ''];
    else if (/^\|[-|\s]+\|$/.test(line)) {
      const section = headingsWithTable.has(heading) ? `${heading}, ${caption}` : heading;
      headingsWithTable.add(heading);
      clauses.push(...readRows(section, cellsOf(lines[place - 1] ?? ''), readTableBody(lines.slice(place + 1))));
    } else if (number !== undefined) {
      const section = /rules$/i.test(caption) ? `${heading}, ${caption}` : heading;
      clauses.push({ section, name: number, kind: 'rule' });
    } else if (line.trim() !== '' && !line.startsWith('|')) {
      caption = line.replace(/:$/, '');
      clauses.push(...readSentences(heading, line));
    }
  }
  return clauses;
}

function readRows(section: string, header: readonly string[], body: readonly string[][]): SpecificationClause[] {
  const isEndpoint = header[0] === 'Method' && header[1] === 'Path';
  const rowsByFirstCell = Map.groupBy(body, ([first]) => first);
  return body.map(([first = '', second = '']) => {
    const isUnique = rowsByFirstCell.get(first)?.length === 1;
    return { section, name: isUnique && !isEndpoint ? first : `${first} ${second}`, kind: 'row' };
  });
}

function readTableBody(lines: readonly string[]): string[][] {
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end === -1 ? lines.length : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

function readSentences(section: string, line: string): SpecificationClause[] {
  return line
    .replace(/^- /, '')
    .split(/(?<=[.:;]) /)
    .filter((sentence) => /\b(?:must|never|only)\b/i.test(sentence))
    .map((sentence) => ({ section, name: sentence.replace(/[.:;]$/, ''), kind: 'sentence' }));
}
