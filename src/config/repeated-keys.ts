import { isPair, isScalar, type Document, type LineCounter, visit } from 'yaml';
import { type ConfigProblem, fieldName } from './problems.ts';

/** Finds repeated keys of a map, for example two runs of one name. The error of the yaml package names no key. */
export function findRepeatedKeys(document: Document, lines: LineCounter): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  visit(document, {
    Map(_, { items }, ancestors) {
      const above = ancestors.filter((node) => isPair(node)).map(({ key }) => nameOf(key));
      const first = new Map<string, number>();
      // Merge keys (<<) are symbols, and may be repeated.
      for (const { key } of items.filter((pair) => !isScalar(pair.key) || typeof pair.key.value !== 'symbol')) {
        const name = nameOf(key);
        const { line, col: column } = lines.linePos(startOf(key));
        const before = first.get(name);
        first.set(name, before ?? line);
        if (before === undefined) continue;
        const rule = `stands here a second time; it stands in line ${before} already`;
        const remedy = 'Give one of them another name, or take it out';
        problems.push({ line, column, field: fieldName([...above, name]), rule, found: null, remedy });
      }
    },
  });
  return problems;
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function startOf(key: unknown): number {
  return isScalar(key) ? (key.range?.[0] ?? 0) : 0;
}
