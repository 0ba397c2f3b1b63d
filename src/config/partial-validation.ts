/** Parses the valid parts of a file. Rules check them even if other parts are invalid, so that all problems are reported at once. */
import type { z } from 'zod';
import type { PathProblem } from './problems.ts';

/** Runs a rule on the part that it needs. If the part is invalid, only the schema reports it. */
export function checkPart<T>(
  schema: z.ZodType<T>,
  value: unknown,
  rule: (part: T) => readonly PathProblem[],
): readonly PathProblem[] {
  const part = schema.safeParse(value);
  return part.success ? rule(part.data) : [];
}

/** The entries of a map of names that their schema accepts. */
export function validEntries<T>(schema: z.ZodType<T>, value: unknown): [name: string, entry: T][] {
  return namedEntries(value).flatMap(([name, entry]): [string, T][] => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? [[name, parsed.data]] : [];
  });
}

/** The items of a list that their schema accepts, with their place in the list. */
export function validItems<T>(schema: z.ZodType<T>, value: unknown): [index: number, item: T][] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item, index): [number, T][] => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [[index, parsed.data]] : [];
  });
}

export function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function namedEntries(value: unknown): [string, unknown][] {
  return isMap(value) ? Object.entries(value) : [];
}

export function childOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
