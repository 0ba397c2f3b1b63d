/** The text of the query of a source: what can be checked without a database. */

/** null: the text begins as a statement that reads. The database itself refuses the writes that this does not find. */
export function findStatementProblem(query: string): string | null {
  const text = skipBlanks(query);
  if (text === '') return 'holds no statement';
  return /^(?:select|with|values)\b/i.test(text)
    ? null
    : 'must begin with SELECT, WITH or VALUES, because it only reads';
}

/** The text from its first character that is neither white space nor a comment. */
export function skipBlanks(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const end = rest.startsWith('--') ? rest.indexOf('\n') : rest.startsWith('/*') ? rest.indexOf('*/', 2) : null;
    if (end === null) return rest;
    if (end === -1) return '';
    rest = rest.slice(end + (rest.startsWith('--') ? 1 : 2)).trimStart();
  }
}
