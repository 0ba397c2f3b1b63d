/**
 * Replaces characters that a database cannot store by U+FFFD: PostgreSQL rejects NUL, and lone surrogates have no UTF-8 form.
 * SQLite gets the same texts as PostgreSQL.
 */
import { mostLevels } from '../json/json-limits.ts';
import { isRecord } from '../json/own-property.ts';

const replacement = '\uFFFD';

export function toStorableText(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', replacement) : wellFormed;
}

export function countUnstorable(text: string): number {
  if (isStorable(text)) return 0;
  return Array.from(text).filter((character) => character === '\0' || !character.isWellFormed()).length;
}

export interface Storable {
  /** The same value when nothing was replaced. */
  readonly value: unknown;
  /** The number of replaced characters in each changed record or list of `value`, nested ones included. */
  readonly replacedIn: ReadonlyMap<unknown, number>;
}

/** JSON with storable texts, keys included; null for JSON with more than 100 levels. */
export function toStorable(json: unknown): Storable | null {
  // Nearly every answer is clean, and copies nothing.
  if (isClean(json, 1)) return { value: json, replacedIn: new Map() };
  const replacedIn = new Map<unknown, number>();
  const visited = visit(json, 1, replacedIn);
  return visited === null ? null : { value: visited.value, replacedIn };
}

interface Visited {
  readonly value: unknown;
  readonly replaced: number;
}

/** False also when the value has too many levels. */
function isClean(value: unknown, level: number): boolean {
  if (typeof value === 'string') return isStorable(value);
  const isList = Array.isArray(value);
  if (!isList && !isRecord(value)) return true;
  if (level > mostLevels) return false;
  if (isList) return value.every((item) => isClean(item, level + 1));
  return Object.keys(value).every((key) => isStorable(key) && isClean(value[key], level + 1));
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** null when the value has too many levels. */
function visit(value: unknown, level: number, replacedIn: Map<unknown, number>): Visited | null {
  if (typeof value === 'string') return visitText(value);
  if (typeof value !== 'object' || value === null) return { value, replaced: 0 };
  if (level > mostLevels) return null;
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
