/** Fields of the result that can be mapped, by path. Derived from the contract's schemas, so there is no second list. */
import { z } from 'zod';
import { companySchema, prospectSchema, slotSchema } from '../../service/contract/result.ts';
import type { SourceKind } from './transforms.ts';
import { boundText } from '../../base/text/bound-text.ts';

/** The fields of an order that rows can contain. */
const orderSchema = z.object({ id: z.string(), run: z.string(), title: z.string() });
export type OrderSource = z.infer<typeof orderSchema>;

/** The text of the company's website. It is no field of the results: it is fetched where a mapping or a column names it. */
export const websitePath = 'company.website_markdown';

interface SourceField {
  readonly kind: SourceKind;
  readonly isTime: boolean;
  /** Values that the contract knows; the service may send others. null when any value is possible. */
  readonly words: readonly string[] | null;
}

const knownWordsSchema = z
  .array(z.string())
  .nullish()
  .transform((words) => words ?? null);

const fields: ReadonlyMap<string, SourceField> = new Map<string, SourceField>([
  ...pathsOf('slot', slotSchema),
  ...pathsOf('order', orderSchema),
  ...pathsOf('company', companySchema),
  [websitePath, { kind: 'text', isTime: false, words: null }],
  ...pathsOf('prospect', prospectSchema),
]);

/** Field kinds by path. Paths with `prospect.` are for contacts only. */
export const sourcePaths: ReadonlyMap<string, SourceKind> = new Map(
  [...fields].map(([path, { kind }]) => [path, kind]),
);

/** The fields of a slot as the service sends it, and the person of a contact: the first parts of paths below `raw`. */
export const slotParts: readonly string[] = [...Object.keys(slotSchema.shape), 'prospect'];

/** True for a path into the unparsed slot that the service sent: `raw.company.turnover`, `raw.prospect.seniority`. */
export function isRawPath(path: string): boolean {
  return /^raw\.[^.\s]+(?:\.[^.\s]+)*$/.test(path);
}

const companyRecordPath = /^company_record\.([a-z][a-z0-9_]*)$/;

/** The property in a path such as `company_record.hubspot_owner_id`: of the HubSpot record of a contact's company. null otherwise. */
export function toRecordProperty(path: string): string | null {
  return companyRecordPath.exec(path)?.[1] ?? null;
}

/** undefined when there is no such field. */
export function sourceField(path: string): SourceField | undefined {
  return fields.get(path);
}

function pathsOf(prefix: string, schema: z.core.$ZodType): [string, SourceField][] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape).flatMap(([name, field]) => {
    const path = `${prefix}.${name}`;
    const type = unwrap(field);
    // An object in an object, such as the company of a slot, is a root of its own paths.
    if (type instanceof z.ZodObject) return [];
    if (!(type instanceof z.ZodArray)) return [[path, fieldOfKind(kindOf(type), type)]];
    const element = unwrap(type.element);
    if (!(element instanceof z.ZodObject)) return [[path, fieldOfKind('list', element)]];
    const inner = pathsOf(path, element).filter(([, { kind }]) => kind !== 'list' && kind !== 'records');
    return [
      [path, fieldOfKind('records', element)],
      ...inner.map(([name, field]): [string, SourceField] => [name, { ...field, kind: 'list' }]),
    ];
  });
}

function fieldOfKind(kind: SourceKind, schema: z.core.$ZodType): SourceField {
  const known = z.globalRegistry.get(schema);
  const words = knownWordsSchema.parse(known?.['x-known-values']);
  return { kind, isTime: known?.['format'] === 'date-time', words: kind === 'boolean' ? ['true', 'false'] : words };
}

function kindOf(schema: z.core.$ZodType): SourceKind {
  const { type } = schema._zod.def;
  return type === 'number' || type === 'int' ? 'number' : type === 'boolean' ? 'boolean' : 'text';
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrap(schema.unwrap()) : schema;
}

/**
 * The values at a path: the value of a field, each element of a list, or the named field of each record in a list. Empty values are
 * left out. A record itself gives only the text `record`.
 */
export function valuesAt(path: string, source: Readonly<Record<string, unknown>>): string[] {
  const found = path.split('.').reduce<unknown[]>((values, name) => values.flatMap((v) => fieldOf(v, name)), [source]);
  return found.map(toText).filter((text) => text !== '');
}

function fieldOf(value: unknown, name: string): unknown[] {
  const field: unknown =
    typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
  return Array.isArray(field) ? field : [field];
}

function toText(value: unknown): string {
  if (typeof value === 'string') return boundText(value.trim());
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'object' && value !== null ? 'record' : '';
}
