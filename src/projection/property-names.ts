import { ownProperties } from '../hubspot/own-properties.ts';
import type { CrmMapping } from '../mapping/crm-plan.ts';
import type { RecordType } from './find-by-key.ts';

/** Properties that have to be read to decide what to write: our own, and those that the mapping names. */
export function propertyNames(type: RecordType, mapping: CrmMapping): string[] {
  return [...ownProperties[type].map(({ name }) => name), ...Object.keys(mapping[type])];
}
