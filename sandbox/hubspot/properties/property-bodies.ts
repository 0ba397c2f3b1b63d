import { z } from 'zod';
import { validationError } from '../api-error.ts';
import type { PropertyDefinition } from '../built-in/property-definition.ts';
import type { Portal } from '../portal/portal.ts';
import type { PropertyRegistry } from '../portal/property-registry.ts';

const types = ['string', 'number', 'date', 'datetime', 'enumeration', 'bool', 'phone_number'] as const;

// Field types that each value type allows.
const fieldTypes: Readonly<Record<(typeof types)[number], readonly string[]>> = {
  string: ['text', 'textarea', 'html', 'file', 'phonenumber', 'calculation_equation'],
  number: ['number', 'calculation_equation'],
  date: ['date'],
  datetime: ['date'],
  enumeration: ['select', 'radio', 'checkbox', 'booleancheckbox', 'calculation_equation'],
  bool: ['booleancheckbox', 'calculation_equation'],
  phone_number: ['phonenumber'],
};

const option = z.object({
  value: z.string(),
  label: z.string(),
  description: z.string().default(''),
  displayOrder: z.number().default(-1),
  hidden: z.boolean().default(false),
});

const editable = {
  label: z.string().optional(),
  description: z.string().optional(),
  groupName: z.string().optional(),
  type: z.enum(types).optional(),
  fieldType: z.string().optional(),
  options: z.array(option).optional(),
  displayOrder: z.number().optional(),
  hidden: z.boolean().optional(),
  formField: z.boolean().optional(),
};

export const propertyCreateSchema = z.object({
  ...editable,
  name: z.string(),
  label: z.string(),
  type: z.enum(types),
  fieldType: z.string(),
  groupName: z.string(),
  hasUniqueValue: z.boolean().default(false),
});
type PropertyCreate = z.infer<typeof propertyCreateSchema>;

/** Uniqueness is set at creation; a PATCH cannot change it. */
export const propertyUpdateSchema = z.object(editable);
type PropertyUpdate = z.infer<typeof propertyUpdateSchema>;

export const groupCreateSchema = z.object({
  name: z.string(),
  label: z.string(),
  displayOrder: z.number().default(-1),
});
export const groupUpdateSchema = z.object({ label: z.string().optional(), displayOrder: z.number().optional() });

export function toDefinition(portal: Portal, registry: PropertyRegistry, body: PropertyCreate): PropertyDefinition {
  const now = portal.clock().toISOString();
  const { name, label, type, fieldType, groupName, options = [], hasUniqueValue } = body;
  if (!/^[a-z][a-z0-9_]{0,99}$/.test(name)) {
    throw validationError(
      `Invalid property name ${name}: lower-case letters, digits and underscores, beginning with a letter, at most 100 characters.`,
    );
  }
  if (name.startsWith('hs_') && portal.assumed.reservedPropertyNames === 'refused') {
    throw validationError(`Invalid property name ${name}: names that begin with hs_ are reserved for HubSpot.`);
  }
  if (hasUniqueValue && type !== 'string' && type !== 'number') {
    throw validationError(`Property ${name}: only text and numbers can have unique values.`);
  }
  checkShape(registry, name, { type, fieldType, groupName, options });
  return {
    name,
    label,
    type,
    fieldType,
    groupName,
    options,
    hasUniqueValue,
    description: body.description ?? '',
    displayOrder: body.displayOrder ?? -1,
    hidden: body.hidden ?? false,
    formField: body.formField ?? false,
    calculated: false,
    externalOptions: false,
    archived: false,
    hubspotDefined: false,
    modificationMetadata: { archivable: true, readOnlyDefinition: false, readOnlyValue: false },
    createdAt: now,
    updatedAt: now,
  };
}

/** The fields that a PATCH replaces; `options` are replaced whole. */
export function toChange(
  registry: PropertyRegistry,
  property: PropertyDefinition,
  body: PropertyUpdate,
): Partial<PropertyDefinition> {
  const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  checkShape(registry, property.name, { ...property, ...change });
  return change;
}

function checkShape(
  registry: PropertyRegistry,
  name: string,
  shape: Pick<PropertyDefinition, 'type' | 'fieldType' | 'groupName' | 'options'>,
): void {
  const type = types.find((known) => known === shape.type);
  if (!type || !fieldTypes[type].includes(shape.fieldType)) {
    throw validationError(`Property ${name}: field type ${shape.fieldType} does not fit type ${shape.type}.`);
  }
  if (!registry.groups.has(shape.groupName)) {
    throw validationError(`Property ${name}: the property group ${shape.groupName} does not exist.`);
  }
  if (type === 'enumeration' && shape.options.length === 0)
    throw validationError(`Property ${name}: an enumeration needs options.`);
  if (new Set(shape.options.map(({ value }) => value)).size < shape.options.length) {
    throw validationError(`Property ${name}: the values of options must be unique.`);
  }
}
