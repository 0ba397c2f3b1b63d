/** The mark that erasure leaves: true in place of a slot, company or person, and false in a slot that lost single values. */
import { isRecord } from './own-property.ts';

/** It is no name of a field, so that no shape reads it. */
export const erasedKey = 'prospect_sync:erased';

/** True for a slot, company or prospect that was erased. */
export function isErased(record: unknown): boolean {
  return isRecord(record) && record[erasedKey] === true;
}

/** True for a slot of which a part was erased. */
export function hasErasure(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasErasure);
  return isRecord(value) && (Object.hasOwn(value, erasedKey) || Object.values(value).some(hasErasure));
}
