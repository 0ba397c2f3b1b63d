import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Pair } from 'yaml';

/** Both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where a path of the parsed file stands in its text: the value, or the nearest thing above it that is there. */
export function positionOf(
  path: readonly PropertyKey[],
  part: 'key' | 'value',
  { document, lines }: { document: Document; lines: LineCounter },
): Position {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, key] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find(
        (item) => isScalar(item.key) && String(item.key.value) === String(key),
      );
      if (pair === undefined) break;
      const wantsKey = depth < path.length - 1 || part === 'key';
      offset = startOf(wantsKey ? pair.key : pair.value) ?? startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof key === 'number') {
      node = node.items[key];
      offset = startOf(node) ?? offset;
    } else break;
  }
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}
