/** Fields of the result that can be mapped, by path: read off the contract's schemas, so that there is no second list. */
import { z } from 'zod';
import { companySchema, prospectSchema, slotSchema } from '../contract/result.ts';
import type { SourceKind } from './transforms.ts';
import { boundText } from '../text/bound-text.ts';

/** All that is known of an order where its rows are written. */
const orderSchema = z.object({ id: z.string(), run: z.string() });
export type OrderSource = z.infer<typeof orderSchema>;

/** What is known of a field beside its kind. */
interface SourceField {
  readonly kind: SourceKind;
  readonly isTime: boolean;
  /** Those that the contract knows; the service may send others. */
  readonly words: readonly string[] | null;
}

const knownWordsSchema = z
  .array(z.string())
  .nullish()
  .transform((words) => words ?? null);

const fields: ReadonlyMap<string, SourceField> = new Map([
  ...pathsOf('slot', slotSchema),
  ...pathsOf('order', orderSchema),
  ...pathsOf('company', companySchema),
  ...pathsOf('prospect', prospectSchema),
]);

/** Kind of every path, by path; `prospect.…` belongs to contacts alone. */
export const sourcePaths: ReadonlyMap<string, SourceKind> = new Map(
  [...fields].map(([path, { kind }]) => [path, kind]),
);

/** Whether a path leads into what the service sent, unread: `raw.company.turnover`, `raw.prospect.seniority`, `raw.…` of the slot. */
export function isRawPath(path: string): boolean {
  return /^raw\.[^.\s]+(?:\.[^.\s]+)*$/.test(path);
}

/** undefined where there is no such field. */
export function sourceField(path: string): SourceField | undefined {
  return fields.get(path);
}

function pathsOf(prefix: string, schema: z.core.$ZodType): [string, SourceField][] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape).flatMap(([name, field]) => {
    const path = `${prefix}.${name}`;
    const type = unwrap(field);
    // A record in a record, the company of a slot, is a root of its own.
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
 * What stands at a path: the field's value, of a list each element, of records each one or the field of each that a
 * longer path names. Empty values are left out; of a record only that it is there can be told.
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
