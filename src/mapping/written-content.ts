/** What the mapping writes to which property, as far as it can be told before there is a result. */
import type { NamedProperty } from '../hubspot/ensure-properties.ts';
import type { ContentKind, WrittenContent } from '../hubspot/property-compatibility.ts';
import type { CrmMapping, FieldMapping } from './crm-plan.ts';
import { sourceField } from './source-paths.ts';
import { transforms, type TransformName } from './transforms.ts';

const given: Readonly<Record<TransformName, ContentKind>> = {
  lowercase: 'text',
  uppercase: 'text',
  first: 'text',
  join: 'list',
  'join-lines': 'text',
  count: 'number',
  integer: 'number',
  year: 'number',
  date: 'date',
  domain: 'text',
  'truncate-255': 'text',
};

/** Every mapped property with what it has to hold. */
export function toMappedProperties(mapping: CrmMapping): NamedProperty[] {
  return (['companies', 'contacts'] as const).flatMap((type) =>
    Object.entries(mapping[type]).map(([name, field]) => ({ type, name, holds: toWrittenContent(field) })),
  );
}

export function toWrittenContent({ from, transform }: FieldMapping): WrittenContent {
  const field = sourceField(from);
  if (transform === null) {
    const kind = field?.isTime === true ? 'time' : field?.kind === 'records' ? 'list' : (field?.kind ?? 'text');
    return { kind, words: field?.words ?? null, from };
  }
  const kind = given[transform];
  const words = kind === 'text' || kind === 'list' ? (field?.words ?? null) : null;
  return { kind, words: words?.map((word) => transforms[transform].apply([word])) ?? null, from };
}
