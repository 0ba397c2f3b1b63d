/**
 * What a record holds under a name that somebody else chose. Indexing alone would find what every object inherits, such as
 * a function under `constructor`.
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
