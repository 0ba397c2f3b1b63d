/**
 * Characters that no text of a database may hold: PostgreSQL refuses NUL, and halves of characters (lone surrogates) have
 * no form in UTF-8. Each is replaced by U+FFFD, so that both databases hold the same.
 */

const replacement = '\uFFFD';

/** Everything that reads an answer goes down level by level. */
const deepestLevel = 100;

export function toStorableText(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', replacement) : wellFormed;
}

export function countUnstorable(text: string): number {
  if (text.isWellFormed() && !text.includes('\0')) return 0;
  return Array.from(text).filter((character) => character === '\0' || !character.isWellFormed()).length;
}

export interface Storable {
  /** The value itself where nothing had to be replaced. */
  readonly value: unknown;
  /** How many characters were replaced at or below a changed record or list, as it stands in `value`. */
  readonly replacedIn: ReadonlyMap<unknown, number>;
}

/** JSON with texts that both databases can hold, keys included; null for JSON with more than 100 levels. */
export function toStorable(json: unknown): Storable | null {
  const replacedIn = new Map<unknown, number>();
  const visited = visit(json, 1, replacedIn);
  return visited === null ? null : { value: visited.value, replacedIn };
}

interface Visited {
  readonly value: unknown;
  readonly replaced: number;
}

/** null below the deepest level. */
function visit(value: unknown, level: number, replacedIn: Map<unknown, number>): Visited | null {
  if (typeof value === 'string') return visitText(value);
  if (typeof value !== 'object' || value === null) return { value, replaced: 0 };
  if (level > deepestLevel) return null;
  let replaced = 0;
  const fields: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const [name, visited] = [visitText(key), visit(inner, level + 1, replacedIn)];
    if (visited === null) return null;
    fields.push([name.value, visited.value]);
    replaced += name.replaced + visited.replaced;
  }
  if (replaced === 0) return { value, replaced };
  const changed = Array.isArray(value) ? fields.map(([, item]) => item) : Object.fromEntries(fields);
  replacedIn.set(changed, replaced);
  return { value: changed, replaced };
}

function visitText(text: string): Visited & { readonly value: string } {
  const replaced = countUnstorable(text);
  return { value: replaced === 0 ? text : toStorableText(text), replaced };
}
