import { z } from 'zod';

import type { PropertyDefinition } from './own-properties.ts';

export const propertySchema = z.object({
  name: z.string(),
  type: z.string(),
  fieldType: z.string(),
  hasUniqueValue: z.boolean().optional(),
  hubspotDefined: z.boolean().optional(),
  options: z.array(z.object({ value: z.string() })).optional(),
  /** The options are not listed here, for example the users of the account. */
  externalOptions: z.boolean().optional(),
  calculated: z.boolean().optional(),
  modificationMetadata: z.object({ readOnlyValue: z.boolean().optional() }).optional(),
});

/** A property of a portal. */
export type Property = z.infer<typeof propertySchema>;

/** FIELD_TYPE_DIFFERS only affects how HubSpot shows the property; the others make it unusable. */
export type PropertyDifference =
  | 'PROPERTY_TYPE_DIFFERS'
  | 'PROPERTY_NOT_UNIQUE'
  | 'PROPERTY_OPTION_MISSING'
  | 'FIELD_TYPE_DIFFERS';

/** The first difference to the definition. Uniqueness cannot be changed after creation. */
export function findDifference(wanted: PropertyDefinition, found: Property): PropertyDifference | undefined {
  if (found.type !== wanted.type) return 'PROPERTY_TYPE_DIFFERS';
  if (wanted.hasUniqueValue === true && found.hasUniqueValue !== true) return 'PROPERTY_NOT_UNIQUE';
  const values = new Set(found.options?.map(({ value }) => value));
  if (wanted.options?.some(({ value }) => !values.has(value)) === true) return 'PROPERTY_OPTION_MISSING';
  return found.fieldType === wanted.fieldType ? undefined : 'FIELD_TYPE_DIFFERS';
}
