/** openapi.json, derived from the operation table. Responses are published open: the service may add fields and words. */
import { z } from 'zod';
import { assumptions, closedRoutes } from './assumed.ts';
import { blacklistSchema, entryInputSchema, entrySchema } from './blacklist.ts';
import { companySchema, prospectSchema } from './company.ts';
import { faultSchema, forbiddenSchema, unauthorizedSchema } from './errors.ts';
import { operations } from './operations.ts';
import { companyRowSchema } from './order.ts';
import { reasonCodes } from './reason-codes.ts';
import { replyWebhookSchema } from './reply.ts';
import { resultSummarySchema, slotSchema } from './result.ts';

/** The contract version that this program implements ("Versioning"). */
const contractVersion = '1.3.0';

const commonErrors = { 401: unauthorizedSchema, 403: forbiddenSchema, 429: faultSchema, 500: faultSchema } as const;

const sharedSchemas: Record<string, z.ZodType> = {
  Blacklist: blacklistSchema,
  BlacklistEntry: entrySchema,
  BlacklistEntryInput: entryInputSchema,
  Company: companySchema,
  CompanyRow: companyRowSchema,
  Prospect: prospectSchema,
  ResultSlot: slotSchema,
  ResultSummary: resultSummarySchema,
  ReplyWebhook: replyWebhookSchema,
};

type Json = Record<string, unknown>;
type AnyOperation = (typeof operations)[keyof typeof operations];
interface Names {
  readonly schemas: Map<z.core.$ZodType, string>;
  readonly io: Map<string, 'input' | 'output'>;
}

/** The whole interface as an OpenAPI 3.1 document; field order is stable, so that a diff shows what changed. */
export function toOpenApi(): Json {
  const names = nameSchemas();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Prospecting service',
      version: contractVersion,
      description:
        'What the specification leaves open carries `x-assumed`; the decisions are listed under `x-assumptions`. Word lists that may grow carry `x-known-values`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'https://service.example' } } }],
    security: [{ apiKey: [] }],
    tags: tags.map(([name, , description]) => ({ name, description })),
    paths: toPaths(names),
    webhooks: { reply: toReplyWebhook() },
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: toComponents(names),
    },
    'x-reason-codes': reasonCodes,
    'x-closed-routes': closedRoutes,
    'x-assumptions': assumptions,
  };
}

const tags = [
  ['Blacklists', '/api/v1/blacklists', 'Named lists of companies to exclude'],
  ['Prospect searches', '/api/v1/prospect-searches', 'Blacklist assignments'],
  ['Search profiles', '/api/v1/search-profile-creations', 'What to look for'],
  ['Orders', '/api/v1/orders', 'Orders, their results and outputs'],
  ['Exports', '/api/v1/exports', 'Finished files'],
  ['Deliveries', '/api/v1/deliveries', 'Legacy, for CRM sync only'],
] as const;

function nameSchemas(): Names {
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

/** `z.int()` publishes the largest safe integer as a bound: noise. */
function tidy({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
}

function withoutIds(schema: Json): Json {
  const { $schema: _schema, $id: _id, ...rest } = schema;
  return rest;
}

function toPaths(names: Names): Json {
  const paths: Record<string, Json> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const item = (paths[operation.path] ??= {});
    item[operation.method] = {
      operationId: id,
      summary: operation.summary,
      tags: tags.filter(([, prefix]) => operation.path.startsWith(prefix)).map(([name]) => name),
      'x-required-scopes': operation.scopes,
      ...('assumed' in operation ? { 'x-assumed': operation.assumed } : {}),
      parameters: toParameters(operation),
      ...(operation.body === null
        ? {}
        : { requestBody: { required: true, content: jsonContent(names, operation.body) } }),
      responses: toResponses(names, operation),
    };
  }
  return paths;
}

function toParameters(operation: AnyOperation): Json[] {
  const fields = (where: 'path' | 'query', schema: z.ZodObject | null) =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
      name,
      in: where,
      required: where === 'path',
      schema: withoutIds(z.toJSONSchema(z.instanceof(z.ZodType).parse(field), { override: tidy })),
    }));
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: operation.idempotency === 'required',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  return [
    ...fields('path', operation.params),
    ...fields('query', operation.query),
    ...(operation.idempotency === 'none' ? [] : [key]),
  ];
}

function toResponses(names: Names, operation: AnyOperation): Json {
  const all: Record<string, z.ZodType | null> = { ...operation.responses, ...commonErrors };
  const sorted = Object.entries(all).toSorted(([a], [b]) => Number(a) - Number(b));
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

function toReplyWebhook(): Json {
  const header = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'string' } });
  return {
    post: {
      operationId: 'receiveReply',
      summary: 'A campaign reply, signed by Standard Webhooks',
      security: [],
      parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ReplyWebhook' } } },
      },
      responses: {
        '200': { description: 'Any 2xx within 15 seconds: delivered' },
        '410': { description: 'The address is paused' },
      },
    },
  };
}
