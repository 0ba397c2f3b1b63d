/** Requests that an OpenAPI 3.1 document describes, generated from the document alone, and answers checked by it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';

// A document of unknown depth.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly definition: Json;
}

export interface DescribedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Hints {
  /** Values by the name of a parameter or field, beside those of its schema: ids of existing resources. */
  readonly known?: Readonly<Record<string, readonly unknown[]>>;
  /** Values by name instead of those of the schema, because others take too long or have a pattern that fast-check cannot generate. */
  readonly only?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** Optional parameters that are always sent. */
  readonly always?: readonly string[];
}

export function readDocument(document: Json) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema({ $id: 'document', ...document });
  const validators = new Map<string, ValidateFunction>();
  const isValid = (pointer: string, value: unknown): boolean => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    validators.set(pointer, validate);
    return validate(value);
  };
  const operations: DescribedOperation[] = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, definition]) => ({
      id: definition.operationId,
      method: method.toUpperCase(),
      path,
      definition,
    })),
  );

  return {
    operations,
    requestsOf: (operation: DescribedOperation, hints: Hints): fc.Arbitrary<DescribedRequest> =>
      toRequests(document, operation, hints, isValid),
    /** What differs between an answer and its description; null when nothing does. */
    differenceOf: ({ method, path, definition }: DescribedOperation, status: number, text: string): string | null => {
      const response = definition.responses[status];
      if (response === undefined) return `status ${status} is not documented: ${text.slice(0, 300)}`;
      if (response.content === undefined) return status < 300 && text !== '' && status !== 200 ? 'must be empty' : null;
      let body: unknown;
      try {
        body = JSON.parse(text);
      } catch {
        return `status ${status}: the body is not JSON`;
      }
      const place = [
        'paths',
        path,
        method.toLowerCase(),
        'responses',
        String(status),
        'content',
        'application/json',
        'schema',
      ];
      return isValid(toPointer(place), body)
        ? null
        : `status ${status}: the body differs from its schema: ${text.slice(0, 300)}`;
    },
  };
}

function toPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

function toRequests(
  document: Json,
  { method, path, definition }: DescribedOperation,
  hints: Hints,
  isValid: (pointer: string, value: unknown) => boolean,
): fc.Arbitrary<DescribedRequest> {
  const valueOf = (schema: Json, name: string) => toArbitrary(document, schema, name, hints);
  const parameters = definition.parameters.map(({ name, in: where, required, schema }: Json) =>
    (required || hints.always?.includes(name) === true
      ? valueOf(schema, name)
      : fc.option(valueOf(schema, name), { nil: undefined })
    ).map((value: unknown) => ({
      name,
      where,
      value,
    })),
  );
  const bodySchema = definition.requestBody?.content['application/json'].schema;
  const pointer = toPointer([
    'paths',
    path,
    method.toLowerCase(),
    'requestBody',
    'content',
    'application/json',
    'schema',
  ]);
  const body =
    bodySchema === undefined
      ? fc.constant(undefined)
      : valueOf(bodySchema, '').filter((value) => isValid(pointer, value));
  return fc.tuple(fc.tuple(...parameters), body).map(([given, sent]) => {
    let url = path;
    const query = new URLSearchParams();
    const headers: Record<string, string> = {};
    for (const { name, where, value } of given as {
      name: string;
      where: string;
      value: string | number | undefined;
    }[]) {
      if (value === undefined) continue;
      if (where === 'path') url = url.replace(`{${name}}`, () => encodeURIComponent(String(value)));
      else if (where === 'query') query.set(name, String(value));
      else headers[name] = String(value);
    }
    if (sent !== undefined) headers['content-type'] = 'application/json';
    const search = query.size === 0 ? '' : `?${query.toString()}`;
    return { method, url: url + search, headers, body: sent === undefined ? null : JSON.stringify(sent) };
  });
}

/** More items take time and find nothing else. */
const mostItems = 4;

function toArbitrary(document: Json, schema: Json, name: string, hints: Hints): fc.Arbitrary<unknown> {
  const only = hints.only?.[name];
  if (only) return only;
  const known = hints.known?.[name] ?? [];
  const own = toOwnArbitrary(document, schema, name, hints);
  return known.length === 0
    ? own
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: own });
}

function toOwnArbitrary(document: Json, schema: Json, name: string, hints: Hints): fc.Arbitrary<unknown> {
  const next = (inner: Json, at = name) => toArbitrary(document, inner, at, hints);
  if (schema.$ref !== undefined) return next(resolve(document, schema.$ref));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.type === 'object' || schema.properties !== undefined) return toObject(document, schema, hints);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice: Json) => next(choice)));
  if (schema.allOf !== undefined) return next(Object.assign({}, ...schema.allOf));
  if (schema.type === 'array') {
    const { minItems = 0, maxItems = Infinity } = schema;
    return fc.array(next(schema.items, name), {
      minLength: minItems,
      maxLength: Math.min(maxItems, minItems + mostItems),
    });
  }
  if (schema.type === 'integer' || schema.type === 'number') return toNumber(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'string') return toText(schema);
  return fc.jsonValue({ maxDepth: 2 });
}

function toObject(document: Json, schema: Json, hints: Hints): fc.Arbitrary<unknown> {
  const branches: Json[] = schema.oneOf ?? [{}];
  const objects = branches.map((branch) => {
    const absent = new Set(
      Object.keys(branch.properties ?? {}).filter((key) => branch.properties[key].not !== undefined),
    );
    const properties = Object.entries<Json>(schema.properties ?? {}).filter(([key]) => !absent.has(key));
    const model = Object.fromEntries(
      properties.map(([key, value]) => [
        key,
        toArbitrary(document, { ...value, ...branch.properties?.[key] }, key, hints),
      ]),
    );
    const required = new Set([...(schema.required ?? []), ...(branch.required ?? [])]);
    const fields = fc.record(model, { requiredKeys: Object.keys(model).filter((key) => required.has(key)) });
    if (typeof schema.additionalProperties !== 'object' || schema.properties !== undefined) return fields;
    const names = schema.propertyNames?.enum;
    const key: fc.Arbitrary<string> =
      names === undefined ? fc.stringMatching(/^[A-Za-z][\w-]{0,12}$/) : fc.constantFrom(...names);
    return fc.dictionary(key, toArbitrary(document, schema.additionalProperties, '', hints), { maxKeys: 3 });
  });
  return fc.oneof(...objects);
}

function toNumber({ type, minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER }: Json): fc.Arbitrary<number> {
  const least = exclusiveMinimum === undefined ? (minimum ?? -1_000) : exclusiveMinimum + 1;
  if (type === 'number') return fc.double({ min: least, max: maximum, noNaN: true });
  return fc.oneof(
    fc.integer({ min: least, max: maximum }),
    fc.integer({ min: least, max: Math.min(maximum, least + 20) }),
    fc.constantFrom(least, maximum),
  );
}

function toText({ format, pattern, minLength = 0, maxLength = 200 }: Json): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.webUrl();
  if (format === 'date-time') {
    const times = fc.date({
      min: new Date('2020-01-01T00:00:00Z'),
      max: new Date('2040-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    return times.map((time) => time.toISOString());
  }
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).filter(fits);
  const longest = Math.min(maxLength, minLength + 40);
  return fc.oneof(
    fc.string({ minLength, maxLength: longest }),
    fc.string({ unit: 'grapheme', minLength, maxLength: longest }).filter(fits),
  );
}

function resolve(document: Json, reference: string): Json {
  const keys = reference.split('/').slice(1);
  return keys.reduce((at, key) => at[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}
