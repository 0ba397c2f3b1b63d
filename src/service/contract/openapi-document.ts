/** Generates OpenAPI 3.1 from operation tables and zod schemas. The order of fields is stable, for readable diffs. */
import { z } from 'zod';
import { idempotencyKeySchema, type HttpOperation } from './operation.ts';

export type Json = Record<string, unknown>;

type Schemas = Readonly<Record<string, z.ZodType>>;

interface DocumentInput {
  readonly operations: Readonly<Record<string, HttpOperation>>;
  /** Errors that every operation can return, by status. */
  readonly commonErrors: Readonly<Record<number, z.ZodType>>;
  /** Schemas by their name in the document; names that end in `Input` describe requests. */
  readonly sharedSchemas: Schemas;
  readonly tags: readonly (readonly [name: string, pathPrefix: string, description: string])[];
  /** Extensions of single operations. */
  readonly extend?: (operation: HttpOperation) => Json;
}

interface Names {
  readonly schemas: Map<z.core.$ZodType, string>;
  readonly io: Map<string, 'input' | 'output'>;
}

/** `tags`, `paths` and `components.schemas` of a document. */
export function describeOperations(input: DocumentInput): { tags: Json[]; paths: Json; schemas: Json } {
  const names = nameSchemas(input);
  return {
    tags: input.tags.map(([name, , description]) => ({ name, description })),
    paths: toPaths(names, input),
    schemas: toComponents(names),
  };
}

function nameSchemas({ operations, commonErrors, sharedSchemas }: DocumentInput): Names {
  const names: Names = { schemas: new Map(), io: new Map() };
  const add = (schema: z.core.$ZodType, name: string, io: 'input' | 'output') => {
    if (names.schemas.has(schema)) return;
    names.schemas.set(schema, name);
    names.io.set(name, io);
  };
  for (const [name, schema] of Object.entries(sharedSchemas))
    add(schema, name, name.endsWith('Input') ? 'input' : 'output');
  for (const [status, schema] of Object.entries(commonErrors)) add(schema, `Error${status}`, 'output');
  for (const [id, operation] of Object.entries(operations)) {
    const title = id.charAt(0).toUpperCase() + id.slice(1);
    if (operation.body !== null) add(operation.body, `${title}Request`, 'input');
    for (const [status, schema] of Object.entries(operation.responses)) {
      if (schema !== null) add(schema, Number(status) < 300 ? `${title}Response` : `${title}Error${status}`, 'output');
    }
  }
  return names;
}

function toComponents({ schemas, io }: Names): Json {
  const byIo = (direction: 'input' | 'output') => {
    const registry = z.registry<{ id: string }>();
    for (const [schema, id] of schemas) registry.add(schema, { id });
    const all = z.toJSONSchema(registry, {
      io: direction,
      uri: (id) => `#/components/schemas/${id}`,
      override: tidy,
    }).schemas;
    return Object.entries(all).filter(([name]) => io.get(name) === direction);
  };
  const components = [...byIo('input'), ...byIo('output')].map(([name, schema]) => [name, withoutIds(schema)] as const);
  return Object.fromEntries(components.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** `z.int()` publishes the safe integers as bounds, which say nothing. */
function tidy({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
}

function withoutIds(schema: Json): Json {
  const { $schema: _schema, $id: _id, ...rest } = schema;
  return rest;
}

function toPaths(names: Names, { operations, commonErrors, tags, extend }: DocumentInput): Json {
  const paths: Record<string, Json> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const item = (paths[operation.path] ??= {});
    item[operation.method] = {
      operationId: id,
      summary: operation.summary,
      tags: tags.filter(([, prefix]) => operation.path.startsWith(prefix)).map(([name]) => name),
      ...extend?.(operation),
      parameters: toParameters(operation),
      ...(operation.body === null
        ? {}
        : { requestBody: { required: true, content: jsonContent(names, operation.body) } }),
      responses: toResponses(names, { ...operation.responses, ...commonErrors }),
    };
  }
  return paths;
}

function toParameters(operation: HttpOperation): Json[] {
  const fields = (where: 'path' | 'query', schema: z.ZodObject | null) =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
      name,
      in: where,
      required: where === 'path' || !z.instanceof(z.ZodType).parse(field).safeParse(undefined).success,
      ...markOf(schema?.meta()?.['x-assumed']),
      schema: parameterSchema(z.instanceof(z.ZodType).parse(field)),
    }));
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: operation.idempotency === 'required',
    ...markOf(operation.keyAssumed),
    schema: parameterSchema(idempotencyKeySchema),
  };
  return [
    ...fields('path', operation.params),
    ...fields('query', operation.query),
    ...(operation.idempotency === 'none' ? [] : [key]),
  ];
}

function parameterSchema(schema: z.ZodType): Json {
  return withoutIds(z.toJSONSchema(schema));
}

function markOf(assumption: unknown): Json {
  return assumption === undefined ? {} : { 'x-assumed': assumption };
}

function toResponses(names: Names, responses: Readonly<Record<number, z.ZodType | null>>): Json {
  const sorted = Object.entries(responses).toSorted(([a], [b]) => Number(a) - Number(b));
  return Object.fromEntries(
    sorted.map(([status, schema]) => [
      status,
      {
        description: descriptions[Number(status)] ?? 'Answer',
        ...(schema === null ? {} : { content: jsonContent(names, schema) }),
      },
    ]),
  );
}

const descriptions: Record<number, string> = {
  200: 'Found',
  201: 'Created',
  202: 'Accepted',
  204: 'Done, no body',
  302: 'Moved to the file',
  401: 'Missing, invalid or expired key',
  403: 'The key lacks a scope, or the route is closed to keys',
  404: 'Unknown, or of another organisation',
  409: 'Conflict; the code says which',
  422: 'The request breaks a rule',
  429: 'Too many requests',
  500: 'Failed on the side of the service',
};

function jsonContent(names: Names, schema: z.ZodType): Json {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${names.schemas.get(schema) ?? 'missing'}` } } };
}
