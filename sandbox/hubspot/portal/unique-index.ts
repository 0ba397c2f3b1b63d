import type { ObjectType } from '../object-types.ts';
import { emailsOf, valueOf, type PropertyValues, type StoredRecord } from './crm-record.ts';

/** A unique value of an object type. */
interface UniqueKey {
  readonly property: string;
  readonly value: string;
}

/** Index from unique values to record ids. Unlike the search it has no delay. */
export interface UniqueIndex {
  keysOf(values: PropertyValues): UniqueKey[];
  normal(property: string, value: string): string;
  isUnique(property: string): boolean;
  owner(property: string, value: string): string | undefined;
  replace(before: StoredRecord | undefined, after: StoredRecord | undefined): void;
}

export function createUniqueIndex(
  type: ObjectType,
  uniqueNames: () => readonly string[],
  ignoresCase: boolean,
): UniqueIndex {
  const holders = new Map<string, string>();
  const isEmail = (property: string) => type.knownByEmail && property === 'email';
  const normal = (property: string, value: string) =>
    isEmail(property) ? value.trim().toLowerCase() : ignoresCase ? value.toLowerCase() : value;
  const place = (property: string, value: string) => `${property}\n${value}`;

  const keysOf = (values: PropertyValues): UniqueKey[] => {
    const emails = type.knownByEmail ? emailsOf(values).map((value) => ({ property: 'email', value })) : [];
    const own = uniqueNames().flatMap((property) => {
      const value = valueOf(values, property);
      return value === undefined || value === '' ? [] : [{ property, value: normal(property, value) }];
    });
    return [...emails, ...own];
  };

  return {
    keysOf,
    normal,
    isUnique: (property) => isEmail(property) || uniqueNames().includes(property),
    owner: (property, value) => holders.get(place(property, normal(property, value))),
    replace(before, after) {
      for (const { property, value } of before ? keysOf(before.properties) : []) holders.delete(place(property, value));
      for (const { property, value } of after ? keysOf(after.properties) : [])
        holders.set(place(property, value), after?.id ?? '');
    },
  };
}
