import { operations } from '../../src/contract/index.ts';

/** Operations that somebody may have meant who asked for a route that is not there, as `GET /api/v1/…`. */
export function nearOperations(method: string, path: string): string[] {
  const asked = segmentsOf(path);
  return Object.values(operations)
    .map((operation) => ({
      operation,
      distance: distanceOf(segmentsOf(operation.path), asked, operation.method === method.toLowerCase()),
    }))
    .filter(({ distance }) => distance <= farthest)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ operation }) => `${operation.method.toUpperCase()} ${operation.path}`);
}

const farthest = 2;

/** Segments to change, to add or to leave out (as an edit distance), and one for another method. */
function distanceOf(wanted: readonly string[], asked: readonly string[], sameMethod: boolean): number {
  let row = Array.from({ length: asked.length + 1 }, (_, place) => place);
  for (const [done, segment] of wanted.entries()) {
    const next = [done + 1];
    for (const [place, word] of asked.entries()) {
      const change = (row[place] ?? 0) + (fits(segment, word) ? 0 : 1);
      next.push(Math.min(change, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) + (sameMethod ? 0 : 1);
}

/** A parameter takes anything but a word of the interface. */
function fits(segment: string, word: string): boolean {
  return segment === word || (segment.startsWith('{') && !words.has(word));
}

const words = new Set(
  Object.values(operations).flatMap(({ path }) => segmentsOf(path).filter((word) => !word.startsWith('{'))),
);

function segmentsOf(path: string): string[] {
  const [withoutQuery = ''] = path.split('?', 1);
  return withoutQuery.split('/').filter((segment) => segment !== '');
}
