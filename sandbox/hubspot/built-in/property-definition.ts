import type { Property } from '@hubspot/api-client/lib/codegen/crm/properties/models/Property.js';
import type { PropertyGroup } from '@hubspot/api-client/lib/codegen/crm/properties/models/PropertyGroup.js';
import type { JsonOf } from '../json-model.ts';

export type PropertyDefinition = JsonOf<Property>;
export type GroupDefinition = JsonOf<PropertyGroup>;
type Option = PropertyDefinition['options'][number];

/** Name, label, type, field type; `ro` if only HubSpot sets the value; options of an enumeration, or `anyValue` if it has no fixed ones. */
export type DefaultProperty = readonly [
  name: string,
  label: string,
  type: string,
  fieldType: string,
  more?: { readonly ro?: true; readonly options?: readonly Option[]; readonly unique?: true; readonly anyValue?: true },
];

// HubSpot's own properties are older than any portal.
const builtInSince = '2019-08-06T02:41:08.000Z';

export function builtIn(groupName: string, rows: readonly DefaultProperty[]): PropertyDefinition[] {
  return rows.map(([name, label, type, fieldType, more]) => ({
    createdAt: builtInSince,
    updatedAt: builtInSince,
    name,
    label,
    type,
    fieldType,
    description: '',
    groupName,
    options: [...(more?.options ?? [])],
    displayOrder: -1,
    calculated: false,
    externalOptions: more?.anyValue ?? false,
    archived: false,
    hasUniqueValue: more?.unique ?? false,
    hidden: false,
    hubspotDefined: true,
    formField: !more?.ro,
    modificationMetadata: {
      archivable: false,
      readOnlyDefinition: more?.options === undefined,
      readOnlyValue: more?.ro ?? false,
    },
  }));
}

/** Reads options from lines of `value` or `value=Label`. */
export function options(text: string): Option[] {
  return text
    .trim()
    .split('\n')
    .map((line, displayOrder) => {
      const [value = '', label = toLabel(value)] = line.trim().split('=');
      return { value, label, displayOrder, hidden: false };
    });
}

function toLabel(value: string): string {
  const words = value.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
