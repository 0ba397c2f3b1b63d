/** Content that the mapping writes to each property, as far as it is known before a result exists. */
import { findNumberRemedy } from '../../base/text/decimal-number.ts';
import type { ContentKind, WrittenContent } from '../../hubspot/crm-property.ts';
import type { NamedProperty } from '../../hubspot/crm-property.ts';
import type { CrmMapping, FieldMapping } from './crm-plan.ts';
import { sourceField, toRecordProperty, websitePath } from './source-paths.ts';
import { parseTemplate, type Placeholder } from './templates.ts';
import { transforms, type TransformName } from './transforms.ts';
import { toTimeText } from '../../ledger/property-values.ts';

/** The kind of value that each transform returns. */
const contentKinds: Readonly<Record<TransformName, ContentKind>> = {
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

/** Every mapped property with the content that it must be able to hold, and the properties that are read from company records. */
export function toMappedProperties(mapping: CrmMapping): NamedProperty[] {
  const written = (['companies', 'contacts'] as const).flatMap((type) =>
    Object.entries(mapping[type]).map(([name, field]) => ({ type, name, holds: toWrittenContent(field) })),
  );
  return [...written, ...toRecordProperties(mapping).map((name) => ({ type: 'companies' as const, name }))];
}

/** The properties of the company's HubSpot record that are written to its contacts. */
export function toRecordProperties({ contacts }: CrmMapping): string[] {
  const names = Object.values(contacts).flatMap((field) =>
    pathsOf(field).flatMap((path) => toRecordProperty(path) ?? []),
  );
  return [...new Set(names)];
}

/** The paths of the fields that a mapped property reads. */
export function pathsOf(field: FieldMapping): string[] {
  if ('from' in field) return [field.from];
  const template = 'roundRobin' in field ? { parts: [] } : parseTemplate(field.value);
  return 'problem' in template ? [] : template.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.from]));
}

/** Whether a property, a note or a task gets the text of a website. */
export function readsWebsites({ companies, contacts, companyNotes, companyTasks }: CrmMapping): boolean {
  const texts = Object.values({ ...companyNotes }).concat(Object.values({ ...companyTasks }));
  const fields = [...Object.values(companies), ...Object.values(contacts)];
  return [...fields, ...texts.map((value) => ({ value, policy: 'always' as const }))].some((field) =>
    pathsOf(field).includes(websitePath),
  );
}

export function toWrittenContent(field: FieldMapping): WrittenContent {
  if ('from' in field) return toFieldContent(field);
  if ('roundRobin' in field) return toRoundRobinContent(field.roundRobin);
  const template = parseTemplate(field.value);
  const parts = 'problem' in template ? [field.value] : template.parts;
  const [only] = parts;
  if (parts.length === 1 && only !== undefined)
    return typeof only === 'string' ? toConstantContent(only) : toFieldContent(only);
  return { kind: 'text', words: null, from: `"${field.value}"` };
}

function toRoundRobinContent(texts: readonly string[]): WrittenContent {
  const kinds = new Set(texts.map((text) => toConstantContent(text).kind));
  const [kind = 'text'] = kinds;
  return { kind: kinds.size === 1 ? kind : 'text', words: texts, from: `"${texts.join('", "')}"`, isConstant: true };
}

function toConstantContent(text: string): WrittenContent {
  const kind: ContentKind =
    findNumberRemedy(text) === null
      ? 'number'
      : /^(?:true|false)$/.test(text)
        ? 'boolean'
        : /^\d{4}-\d\d-\d\d$/.test(text)
          ? 'date'
          : toTimeText(text) === text
            ? 'time'
            : 'text';
  return { kind, words: [text], from: `"${text}"`, isConstant: true };
}

function toFieldContent({ from, transform }: Placeholder): WrittenContent {
  const field = sourceField(from);
  if (transform === null) {
    const kind = field?.isTime === true ? 'time' : field?.kind === 'records' ? 'list' : (field?.kind ?? 'text');
    return { kind, words: field?.words ?? null, from, ...(field === undefined && { isUntyped: true }) };
  }
  const kind = contentKinds[transform];
  const words = kind === 'text' || kind === 'list' ? (field?.words ?? null) : null;
  return { kind, words: words?.map((word) => transforms[transform].apply([word])) ?? null, from };
}
