/** Finds records in a response, also inside wrappers (`{data: {order: {…}}}`). */
import { wrapperNames } from '../contract/wrapper-names.ts';
import { normalizeKey, isRecord } from './flatten-record.ts';

type Json = Readonly<Record<string, unknown>>;

export interface FoundRecord {
  readonly record: Json;
  /** Keys of the wrappers, joined by dots; empty without a wrapper. */
  readonly path: string;
}

const wrappers = new Set(wrapperNames.map(normalizeKey));

/** The outermost record that has all of `fields`; null when there is none within three levels. */
export function findRecordWith(answer: unknown, fields: readonly string[]): FoundRecord | null {
  return recordsIn(answer).find(({ record }) => fields.every((field) => Object.hasOwn(record, field))) ?? null;
}

/** The value of the outermost field of this name, for example of `has_more` in `pagination`. */
export function findField(answer: unknown, field: string): unknown {
  return recordsIn(answer, isAnything).find(({ record }) => Object.hasOwn(record, field))?.record[field];
}

const isAnything = () => true;
const isWrapper = (key: string) => wrappers.has(normalizeKey(key)) || /creation|order/i.test(key);

/** The response and the records in its wrappers, outermost first. A list with one record counts as that record. */
export function recordsIn(answer: unknown, enters: (key: string) => boolean = isWrapper): FoundRecord[] {
  const found: FoundRecord[] = [];
  let level: FoundRecord[] = toRecords(answer, '');
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

function toRecords(value: unknown, path: string): FoundRecord[] {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isRecord(only) ? [{ record: only, path }] : [];
}
