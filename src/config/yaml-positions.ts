/** Finds settings in the text of a YAML file: the position of a path, aliases, and repeated keys. */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  visit,
  type YAMLMap,
  isPair,
} from 'yaml';
import { type ConfigProblem, fieldName } from './problems.ts';

/** Both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Finds the position of a path in the text: its key or value, or the nearest parent that exists. */
export function createPositions({ document, lines }: { document: Document; lines: LineCounter }) {
  const aliases = findAliases(document);
  const pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>();
  const pairsOf = (node: YAMLMap) => {
    const known = pairs.get(node) ?? toPairs(node);
    pairs.set(node, known);
    return known;
  };
  return (path: readonly PropertyKey[], part: 'key' | 'value'): Position => {
    let node: unknown = document.contents;
    let offset = startOf(node) ?? 0;
    for (const [depth, key] of path.entries()) {
      if (isAlias(node)) node = aliases.get(node);
      if (isMap(node)) {
        const pair = pairsOf(node).get(String(key));
        if (pair === undefined) break;
        const isKey = depth < path.length - 1 || part === 'key';
        offset = startOf(isKey ? pair.key : pair.value) ?? startOf(pair.key) ?? offset;
        node = pair.value;
      } else if (isSeq(node) && typeof key === 'number') {
        node = node.items[key];
        offset = startOf(node) ?? offset;
      } else break;
    }
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
}

/** The node of each alias; undefined: no anchor above has its name. One pass, because `document.resolve` searches the whole document for each alias. */
export function findAliases(document: Document): Map<Alias, Node | undefined> {
  const anchors = new Map<string, Node>();
  const aliases = new Map<Alias, Node | undefined>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) aliases.set(node, anchors.get(node.source));
      else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return aliases;
}

/** A repeated key counts where it occurs first. */
function toPairs({ items }: YAMLMap): Map<string, Pair> {
  const named = items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : []));
  return new Map(named.toReversed());
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}

/** Finds repeated keys of a map, for example two runs of one name. The error of the yaml package names no key. */
export function findRepeatedKeys(document: Document, lines: LineCounter): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  visit(document, {
    Map(_, { items }, ancestors) {
      const parents = keysOf(ancestors);
      const first = new Map<string, number>();
      // Merge keys (<<) are symbols, and may be repeated.
      for (const { key } of items.filter((pair) => !isScalar(pair.key) || typeof pair.key.value !== 'symbol')) {
        const name = nameOf(key);
        const { line, col: column } = lines.linePos(startOf(key) ?? 0);
        const before = first.get(name);
        first.set(name, before ?? line);
        if (before === undefined) continue;
        const rule = `is a repeated key: line ${before} already has it`;
        const remedy = 'Rename or remove one of them';
        problems.push({ line, column, field: fieldName([...parents, name]), rule, found: null, remedy });
      }
    },
  });
  return problems;
}

/** The keys that lead to a node, from its ancestors. */
export function keysOf(ancestors: readonly unknown[]): string[] {
  return ancestors.filter((node) => isPair(node)).map(({ key }) => nameOf(key));
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}
