/** The value of one entry of the table of alternatives. */
export type Choose = (key: string) => string;

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a value at a dotted path. */
export function put(record: Json, path: string, value: unknown): Json {
  const [key = path, ...inner] = path.split('.');
  if (inner.length === 0) return { ...record, [key]: value };
  const nested = record[key];
  return { ...record, [key]: put(isRecord(nested) ? nested : {}, inner.join('.'), value) };
}

/** Removes the value at a dotted path; returns it and the rest of the record. */
export function take(record: Json, path: string): { readonly value: unknown; readonly rest: Json } {
  const [key = path, ...inner] = path.split('.');
  const { [key]: found, ...others } = record;
  if (inner.length === 0) return { value: found, rest: others };
  if (!isRecord(found)) return { value: undefined, rest: record };
  const taken = take(found, inner.join('.'));
  return { value: taken.value, rest: Object.keys(taken.rest).length === 0 ? others : { ...others, [key]: taken.rest } };
}
