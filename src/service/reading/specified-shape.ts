/** The shape of each answer by the contract: which fields it has, of which types, and which of them the specification requires. */
import { z } from 'zod';
import { operations } from '../contract/index.ts';
import { faultSchema, forbiddenSchema, unauthorizedSchema } from '../contract/errors.ts';
import { replyWebhookSchema } from '../contract/reply.ts';

export const jsonTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

export interface SpecifiedField {
  readonly types: ReadonlySet<JsonType>;
  /** Fields of an object. */
  readonly fields: ReadonlyMap<string, SpecifiedField>;
  /** Names of the fields that the specification requires; assumed fields are not among them. */
  readonly required: readonly string[];
  /** Items of an array. */
  readonly items: SpecifiedField | null;
  /** Known values of a field with codes; null for other fields. */
  readonly codes: ReadonlySet<string> | null;
}

/** The reply webhook, which is no operation: its payloads are recorded under this name. */
const webhookOperation = 'replyWebhook';

/** The name under which answers are recorded: `getOrder` for successful ones, `getOrder 404` for errors. */
export function answerName(operation: string, status: number): string {
  return status < 300 ? operation : `${operation} ${status}`;
}

/** By method and path with its parameters in braces; null for a route that the contract does not have. */
export function operationAt(method: string, path: string): string | null {
  return namesByRoute.get(`${method.toLowerCase()} ${path}`) ?? null;
}

/** The contract's answer of this name; null when it has none, for example for an error of a proxy. */
export function specifiedAnswer(name: string): SpecifiedField | null {
  const known = answers.get(name);
  if (known !== undefined) return known;
  const schema = schemaOf(name);
  const field = schema === null ? null : toSpecified(schema);
  answers.set(name, field);
  return field;
}

/** The field at a recorded path, for example `items[].company.name`; null when the contract has no such field. */
export function specifiedAt(name: string, path: string): SpecifiedField | null {
  const steps = path === '' ? [] : path.replaceAll('[]', '.[]').split('.');
  return steps
    .filter((step) => step !== '')
    .reduce<SpecifiedField | null>(
      (field, step) => (step === '[]' ? field?.items : field?.fields.get(step)) ?? null,
      specifiedAnswer(name),
    );
}

const namesByRoute: ReadonlyMap<string, string> = new Map(
  Object.entries(operations).map(([name, { method, path }]) => [`${method} ${path}`, name]),
);
const answers = new Map<string, SpecifiedField | null>();

/** Errors that every operation can return; all others are compared with the body of a failure of the service. */
const commonErrors = new Map<number, z.core.$ZodType>([
  [401, unauthorizedSchema],
  [403, forbiddenSchema],
]);

function schemaOf(name: string): z.core.$ZodType | null {
  if (name === webhookOperation) return replyWebhookSchema;
  const [operation, status] = name.split(' ');
  const found = Object.entries(operations).find(([candidate]) => candidate === operation);
  if (found === undefined) return null;
  const responses: Readonly<Record<number, z.core.$ZodType | null>> = found[1].responses;
  if (status !== undefined) return responses[Number(status)] ?? commonErrors.get(Number(status)) ?? faultSchema;
  const [success = null] = Object.entries(responses).flatMap(([code, schema]) => (Number(code) < 300 ? [schema] : []));
  return success;
}

const nothing: SpecifiedField = { types: new Set(), fields: new Map(), required: [], items: null, codes: null };

function toSpecified(schema: z.core.$ZodType): SpecifiedField {
  if (schema instanceof z.ZodOptional) return withType(toSpecified(schema.unwrap()), 'null');
  if (schema instanceof z.ZodNullable) return withType(toSpecified(schema.unwrap()), 'null');
  if (schema instanceof z.ZodArray)
    return { ...nothing, types: new Set(['array']), items: toSpecified(schema.element) };
  if (schema instanceof z.ZodUnion) return schema.options.map(toSpecified).reduce(merge, nothing);
  if (schema instanceof z.ZodObject) return toSpecifiedObject(schema);
  const { type } = schema._zod.def;
  if (type === 'string') return { ...nothing, types: new Set([type]), codes: knownValuesOf(schema) };
  if (type === 'number' || type === 'boolean') return { ...nothing, types: new Set([type]) };
  return { ...nothing, types: new Set(jsonTypes) };
}

function toSpecifiedObject(schema: z.ZodObject): SpecifiedField {
  const fields = Object.entries(schema.shape).flatMap(([name, field]) =>
    field instanceof z.ZodType ? [[name, field] as const] : [],
  );
  const required = isAssumed(schema)
    ? []
    : fields.filter(([, field]) => !isAssumed(field) && !(field instanceof z.ZodOptional)).map(([name]) => name);
  return {
    ...nothing,
    types: new Set(['object']),
    fields: new Map(fields.map(([name, field]) => [name, toSpecified(field)])),
    required,
  };
}

function isAssumed(schema: z.ZodType): boolean {
  return schema.meta()?.['x-assumed'] !== undefined;
}

function knownValuesOf(schema: z.core.$ZodType): ReadonlySet<string> | null {
  const values = schema instanceof z.ZodString ? schema.meta()?.['x-known-values'] : null;
  return Array.isArray(values) ? new Set(values.filter((value) => typeof value === 'string')) : null;
}

function withType(field: SpecifiedField, type: JsonType): SpecifiedField {
  return { ...field, types: new Set([...field.types, type]) };
}

/** What either of two answers may have; only what both require is required. */
function merge(one: SpecifiedField, other: SpecifiedField): SpecifiedField {
  if (one === nothing) return other;
  return {
    types: new Set([...one.types, ...other.types]),
    fields: new Map([...one.fields, ...other.fields]),
    required: one.required.filter((name) => other.required.includes(name)),
    items: one.items ?? other.items,
    codes: one.codes ?? other.codes,
  };
}
