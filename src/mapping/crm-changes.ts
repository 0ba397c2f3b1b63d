import type { Properties, WantedProperties } from './crm-properties.ts';
import { isSame } from './property-text.ts';

/**
 * What has to be sent so that a record holds what is wanted; empty when it does. For a record that is yet to be
 * created, `current` is empty. `isOurs`: whether a value that stands there is the one that we wrote last.
 */
export function toChanges(
  wanted: WantedProperties,
  current: Readonly<Record<string, string | null>>,
  isOurs: (property: string, current: string) => boolean,
): Properties {
  const at = (property: string) => (Object.hasOwn(current, property) ? current[property]?.trim() : null) ?? '';
  const differs = ([property, value]: [string, string]) => !isSame(value, at(property));
  const isEmpty = ([property]: [string, string]) => at(property) === '';
  const isFree = ([property]: [string, string]) => at(property) === '' || isOurs(property, current[property] ?? '');

  const changes = [
    ...Object.entries(wanted.always).filter(differs),
    ...Object.entries(wanted.fillEmpty).filter(isEmpty),
    ...Object.entries(wanted.onlyIfOurs).filter((entry) => differs(entry) && isFree(entry)),
  ];
  const stamp = changes.length === 0 ? [] : Object.entries(wanted.stamp).filter(differs);
  return Object.fromEntries([...changes, ...stamp]);
}
