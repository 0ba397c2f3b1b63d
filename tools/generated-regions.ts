/** Regions of a Markdown document that a program writes: `<!-- generated: NAME -->` to `<!-- end -->`. */

/**
 * The document with the contents of its regions replaced.
 * @throws where the document lacks a region, or has one that is not given
 */
export function replaceRegions(document: string, contents: Readonly<Record<string, string>>): string {
  const [intro = '', ...parts] = document.split('<!-- generated: ');
  const missing = new Set(Object.keys(contents));
  const replaced = parts.map((part) => {
    const name = part.slice(0, part.indexOf(' -->'));
    const end = part.indexOf('<!-- end -->');
    const content = contents[name];
    if (content === undefined || end < 0) throw new Error(`The generated region ${name} is unknown or has no end.`);
    missing.delete(name);
    return `<!-- generated: ${name} -->\n\n${content}\n\n${part.slice(end)}`;
  });
  if (missing.size > 0) throw new Error(`The document has no generated region ${[...missing].join(', ')}.`);
  return [intro, ...replaced].join('');
}

export function toTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [toLine(header), `|${'---|'.repeat(header.length)}`, ...rows.map(toLine)].join('\n');
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
}
