/** Answers that carry their content bare, or inside one or two wrappers (`{data: {order: {…}}}`). */
import { wrapperNames } from '../contract/wrapper-names.ts';
import { comparableKey, isRecord } from './leaves.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Unwrapped {
  readonly record: Json;
  /** Keys of the wrappers, joined by dots; empty for a bare answer. */
  readonly path: string;
}

const wrappers = new Set(wrapperNames.map(comparableKey));

/** The nearest record that has all of `fields`; null when there is none within three levels. */
export function unwrap(answer: unknown, fields: readonly string[]): Unwrapped | null {
  return recordsIn(answer).find(({ record }) => fields.every((field) => Object.hasOwn(record, field))) ?? null;
}

/** A field of the answer wherever its wrappers keep it, for example `has_more` in `pagination`; the nearest one. */
export function findField(answer: unknown, field: string): unknown {
  return recordsIn(answer, isAnything).find(({ record }) => Object.hasOwn(record, field))?.record[field];
}

const isAnything = () => true;
const isWrapper = (key: string) => wrappers.has(comparableKey(key)) || /creation|order/i.test(key);

/** The answer and the records in its wrappers, from the outside in; of a list with one record, that one. */
export function recordsIn(answer: unknown, enters: (key: string) => boolean = isWrapper): Unwrapped[] {
  const found: Unwrapped[] = [];
  let level: Unwrapped[] = toRecords(answer, '');
  for (let depth = 0; depth < 4 && level.length > 0; depth += 1) {
    found.push(...level);
    level = level.flatMap(({ record, path }) =>
      Object.entries(record).flatMap(([key, value]) =>
        enters(key) ? toRecords(value, path === '' ? key : `${path}.${key}`) : [],
      ),
    );
  }
  return found;
}

function toRecords(value: unknown, path: string): Unwrapped[] {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isRecord(only) ? [{ record: only, path }] : [];
}
