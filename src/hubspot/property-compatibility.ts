// Whether a property of anybody's can hold what the mapping writes to it. Pure.
import type { Property } from './crm-property.ts';

/** What is written to a property. `words`: all that are known of it, in the form in which they are written. */
export interface WrittenContent {
  readonly kind: ContentKind;
  readonly words: readonly string[] | null;
  /** Path in the result, for messages. */
  readonly from: string;
}

/** `time`: ISO 8601; `date`: its day; `list`: values with `;` between them. */
export type ContentKind = 'text' | 'number' | 'boolean' | 'time' | 'date' | 'list';

/** `problem`: every record that it is written to would be refused. `warning`: those whose value is no option. */
export interface Incompatibility {
  readonly state: 'problem' | 'warning';
  readonly code: IncompatibilityCode;
  readonly says: string;
}

/** The order in which an error tells of them. */
export const incompatibilityCodes = ['PROPERTY_READ_ONLY', 'PROPERTY_TYPE_DIFFERS', 'PROPERTY_OPTION_MISSING'] as const;
export type IncompatibilityCode = (typeof incompatibilityCodes)[number];

/** What values of types that are picky may be; every other type takes any text. A bare number would be read as milliseconds since 1970. */
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

/** undefined: it can hold whatever is written. */
export function findIncompatibility(property: Property, content: WrittenContent): Incompatibility | undefined {
  const { name, type } = property;
  if (isReadOnly(property)) {
    const says = `${name} is filled by HubSpot only: take it out of the mapping`;
    return { state: 'problem', code: 'PROPERTY_READ_ONLY', says };
  }
  if (type === 'enumeration') return findOptionIncompatibility(property, content);
  if (takes.get(type)?.includes(content.kind) !== false) return undefined;
  const says = `${name} is of type ${type} and cannot hold ${content.from}, ${kinds[content.kind]}: ${remedy(type, content)}`;
  return { state: 'problem', code: 'PROPERTY_TYPE_DIFFERS', says };
}

/** What HubSpot calculates can be written here and there all the same; it says so. */
function isReadOnly({ modificationMetadata, calculated = false, fieldType }: Property): boolean {
  return (modificationMetadata?.readOnlyValue ?? calculated) || fieldType.startsWith('calculation_');
}

function findOptionIncompatibility(
  property: Property,
  { kind, words, from }: WrittenContent,
): Incompatibility | undefined {
  const { name, fieldType, options = [], externalOptions = false } = property;
  const allowed = options.map(({ value }) => value);
  const unknown = words?.filter((word) => !allowed.includes(word)) ?? null;
  const code = 'PROPERTY_OPTION_MISSING';
  const elsewhere = 'map it to a text property, or add options in HubSpot';
  if (!externalOptions && unknown !== null && unknown.length > 0 && unknown.length === words?.length) {
    return { state: 'problem', code, says: `${name} has none of the words of ${from} as an option: ${elsewhere}` };
  }
  const takesOne = kind === 'list' && fieldType !== 'checkbox';
  if (unknown?.length === 0 && !takesOne) return undefined;
  const what = takesOne ? 'one of its options' : 'its options';
  const says = `${name} takes only ${what}, by internal name: a record whose ${from} is something else is refused. If it may be, ${elsewhere}`;
  return { state: 'warning', code, says };
}

function remedy(type: string, { kind }: WrittenContent): string {
  const isDay = type === 'date' || type === 'datetime';
  if (type === 'number' && kind === 'text') return 'give it transform: integer, or map it to a text property';
  if (type === 'date' && kind === 'time') return 'give it transform: date';
  if (isDay && kind === 'text') return 'map it to a text property, or, if it holds times, give it transform: date';
  return 'map it to a text property';
}
