/** Generates openapi.json from the operation table. Responses allow unknown fields and words, because the service may add some. */
import type { z } from 'zod';
import { assumptions, closedRoutes } from '../src/service/contract/assumptions.ts';
import { webhookProduct } from '../src/service/contract/webhook-assumptions.ts';
import { blacklistSchema, entryInputSchema, entrySchema } from '../src/service/contract/blacklist.ts';
import { companySchema, prospectSchema, resultSummarySchema, slotSchema } from '../src/service/contract/result.ts';
import { errorCodes, faultSchema, forbiddenSchema, unauthorizedSchema } from '../src/service/contract/errors.ts';
import { limits } from '../src/service/contract/limits.ts';
import { describeOperations, type Json } from '../src/service/contract/openapi-document.ts';
import { operations } from '../src/service/contract/index.ts';
import { companyRowSchema } from '../src/service/contract/order.ts';
import { reasonCodes } from '../src/service/contract/reason-codes.ts';
import { replyWebhookSchema } from '../src/service/contract/reply.ts';
import { contractVersion } from '../src/service/contract/enum-values.ts';

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

/** The whole interface as an OpenAPI 3.1 document. */
export function toOpenApi(): Json {
  const { tags, paths, schemas } = describeOperations({
    operations,
    commonErrors,
    sharedSchemas,
    tags: areas,
    extend: (operation) => ({
      ...('scopes' in operation ? { 'x-required-scopes': operation.scopes } : {}),
      ...('scopesWithBlacklists' in operation
        ? { 'x-required-scopes-with-blacklists': operation.scopesWithBlacklists }
        : {}),
      ...('assumed' in operation ? { 'x-assumed': operation.assumed } : {}),
    }),
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Prospecting service',
      version: contractVersion,
      description:
        'What the specification leaves open carries `x-assumed`, what is read as null beyond it `x-assumed-null`; the decisions are listed under `x-assumptions`. Word lists that may grow carry `x-known-values`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'https://service.example' } } }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    webhooks: { reply: toReplyWebhook() },
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas,
    },
    'x-limits': limits,
    'x-error-codes': errorCodes,
    'x-reason-codes': reasonCodes,
    'x-closed-routes': closedRoutes,
    'x-assumptions': assumptions,
  };
}

const areas = [
  ['Blacklists', '/api/v1/blacklists', 'Named lists of companies to exclude'],
  ['Prospect searches', '/api/v1/prospect-searches', 'Blacklist assignments'],
  ['Search profiles', '/api/v1/search-profile-creations', 'What to look for'],
  ['Orders', '/api/v1/orders', 'Orders, their results and outputs'],
  ['Exports', '/api/v1/exports', 'Finished files'],
  ['Deliveries', '/api/v1/deliveries', 'Legacy, for CRM sync only'],
] as const;

function toReplyWebhook(): Json {
  const header = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'string' } });
  return {
    post: {
      operationId: 'receiveReply',
      summary: 'A campaign reply, signed by Standard Webhooks',
      security: [],
      parameters: [
        { ...header('user-agent'), description: `\`${webhookProduct}-Webhooks/1.0\``, 'x-assumed': 'A65' },
        ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header),
      ],
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
