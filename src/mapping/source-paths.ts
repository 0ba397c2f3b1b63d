/** Fields of the result that can be mapped, by path: read off the contract's schemas, so that there is no second list. */
import { z } from 'zod';
import { companySchema, prospectSchema } from '../contract/company.ts';
import { slotSchema } from '../contract/result.ts';
import type { SourceKind } from './transforms.ts';

/** All that is known of an order where its rows are written. */
const orderSchema = z.object({ id: z.string(), run: z.string() });
export type OrderSource = z.infer<typeof orderSchema>;

/** Kind of every path, by path; `prospect.…` belongs to contacts alone. */
export const sourcePaths: ReadonlyMap<string, SourceKind> = new Map([
  ...pathsOf('slot', slotSchema),
  ...pathsOf('order', orderSchema),
  ...pathsOf('company', companySchema),
  ...pathsOf('prospect', prospectSchema),
]);

function pathsOf(prefix: string, schema: z.core.$ZodType): [string, SourceKind][] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape).flatMap(([name, field]) => {
    const path = `${prefix}.${name}`;
    const type = unwrap(field);
    // A record in a record, the company of a slot, is a root of its own.
    if (type instanceof z.ZodObject) return [];
    if (!(type instanceof z.ZodArray)) return [[path, kindOf(type)]];
    const element = unwrap(type.element);
    if (!(element instanceof z.ZodObject)) return [[path, 'list']];
    const fields = pathsOf(path, element).filter(([, kind]) => kind !== 'list' && kind !== 'records');
    return [[path, 'records'], ...fields.map(([name]): [string, SourceKind] => [name, 'list'])];
  });
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
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'object' && value !== null ? 'record' : '';
}
