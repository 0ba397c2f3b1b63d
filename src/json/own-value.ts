/** The own property of a record. Indexing alone would also find inherited properties, for example `constructor`. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The value at the keys of a path, for example `['companies', 0, 'name']`; undefined when a key is missing. */
export function valueAtPath(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  );
}
