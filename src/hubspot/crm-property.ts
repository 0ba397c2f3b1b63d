// A property of a portal: whether it matches the definition of a prospect-sync property, and whether it can hold what the mapping writes.
import type { ObjectType } from './hubspot-record.ts';
import { z } from 'zod';
import type { PropertyDefinition } from './managed-properties.ts';

export const propertySchema = z.object({
  name: z.string(),
  type: z.string(),
  fieldType: z.string(),
  hasUniqueValue: z.boolean().optional(),
  hubspotDefined: z.boolean().optional(),
  options: z.array(z.object({ value: z.string(), label: z.string().optional() })).optional(),
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

/** The values that are written to a property. `words`: all possible values, if they are known. */
export interface WrittenContent {
  readonly kind: ContentKind;
  readonly words: readonly string[] | null;
  /** Path of the value in the results, for messages. */
  readonly from: string;
  /** Whether all of the words are written as the configuration says, and not what a result holds. */
  readonly isConstant?: boolean;
  /** The field is outside the specification: its texts may be numbers or times. */
  readonly isUntyped?: boolean;
}

/** `time`: ISO 8601; `date`: its day; `list`: values with `;` between them. */
export type ContentKind = 'text' | 'number' | 'boolean' | 'time' | 'date' | 'list';

/** `problem`: HubSpot rejects every record with the property. `warning`: it rejects records whose value is not an option. */
export interface Incompatibility {
  readonly state: 'problem' | 'warning';
  readonly code: IncompatibilityCode;
  readonly message: string;
}

/** Codes in the order in which errors name them. */
export const incompatibilityCodes = ['PROPERTY_READ_ONLY', 'PROPERTY_TYPE_DIFFERS', 'PROPERTY_OPTION_MISSING'] as const;
export type IncompatibilityCode = (typeof incompatibilityCodes)[number];

/** Values that each property type accepts; other types accept any text. HubSpot reads a bare number as milliseconds since 1970. */
const takes: ReadonlyMap<string, readonly ContentKind[]> = new Map([
  ['number', ['number']],
  ['bool', ['boolean']],
  ['date', ['date']],
  ['datetime', ['time', 'date']],
]);

const kinds: Readonly<Record<ContentKind, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'a yes or no',
  time: 'a time',
  date: 'a date',
  list: 'a list',
};

/** undefined: compatible. */
export function findIncompatibility(property: Property, content: WrittenContent): Incompatibility | undefined {
  const { name, type } = property;
  if (isReadOnly(property)) {
    const message = `${name} is read-only: remove it from the mapping`;
    return { state: 'problem', code: 'PROPERTY_READ_ONLY', message };
  }
  if (name === ownerProperty) return findOwnerIncompatibility(content);
  if (type === 'enumeration') return findOptionIncompatibility(property, content);
  if (takes.get(type)?.includes(content.kind) !== false) return undefined;
  const message = `${name} is of type ${type} and cannot hold ${content.from}, ${kinds[content.kind]}: ${remedy(type, content)}`;
  return { state: 'problem', code: 'PROPERTY_TYPE_DIFFERS', message };
}

export const ownerProperty = 'hubspot_owner_id';

/** The ids that a mapping names are looked up among the owners, and a record of HubSpot holds one of them. */
function findOwnerIncompatibility({ from, isConstant = false }: WrittenContent): Incompatibility | undefined {
  if (isConstant || from.startsWith('company_record.')) return undefined;
  const message = `${ownerProperty} takes only ids of owners: HubSpot rejects a record with another ${from}. Write an id, or several as round_robin; a contact may take company_record.${ownerProperty}`;
  return { state: 'warning', code: 'PROPERTY_OPTION_MISSING', message };
}

/** Some calculated properties are writable; their metadata says so. */
function isReadOnly({ modificationMetadata, calculated = false, fieldType }: Property): boolean {
  return (modificationMetadata?.readOnlyValue ?? calculated) || fieldType.startsWith('calculation_');
}

function findOptionIncompatibility(
  property: Property,
  { kind, words, from, isConstant = false }: WrittenContent,
): Incompatibility | undefined {
  const { name, fieldType, options = [], externalOptions = false } = property;
  const allowed = options.map(({ value }) => value);
  const unknown = words?.filter((word) => !allowed.includes(word)) ?? null;
  const code = 'PROPERTY_OPTION_MISSING';
  const elsewhere = 'map it to a text property, or add options in HubSpot';
  if (!externalOptions && isConstant && unknown !== null && unknown.length > 0) {
    const known = `Its options are, by internal name: ${allowed.join(', ') || 'none'}`;
    return { state: 'problem', code, message: `${name} has no option ${unknown.join(', ')} (${from}). ${known}` };
  }
  if (!externalOptions && unknown !== null && unknown.length > 0 && unknown.length === words?.length) {
    return { state: 'problem', code, message: `${name} has none of the values of ${from} as an option: ${elsewhere}` };
  }
  const takesOne = kind === 'list' && fieldType !== 'checkbox';
  if (unknown?.length === 0 && !takesOne) return undefined;
  const what = takesOne ? 'one of its options' : 'its options';
  const message = `${name} takes only ${what}, by internal name: HubSpot rejects a record with another ${from}. To allow others, ${elsewhere}`;
  return { state: 'warning', code, message };
}

function remedy(type: string, { kind, isConstant = false, isUntyped = false }: WrittenContent): string {
  const isDay = type === 'date' || type === 'datetime';
  if (isConstant) return `the value must be ${(takes.get(type) ?? []).map((each) => kinds[each]).join(' or ')}`;
  if (type === 'number' && isUntyped) return 'give it transform: integer, or map it to a text property';
  if (type === 'date' && kind === 'time') return 'give it transform: date';
  if (isDay && isUntyped) return 'map it to a text property; if its values are times, give it transform: date';
  return 'map it to a text property';
}

/** A property that must exist, whoever created it. */
export interface NamedProperty {
  readonly type: ObjectType;
  readonly name: string;
  /** The values that are written to it; absent when the property is only read. */
  readonly holds?: WrittenContent | undefined;
  /** The setting that names it; absent for the mapping. */
  readonly setting?: string | undefined;
}
