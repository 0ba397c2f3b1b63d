/** Organisations and keys. With one organisation per test, parallel tests need no reset. */
import { z } from 'zod';
import { scopes } from '../../src/service/contract/index.ts';
import type { ServiceSandbox } from '../service/service-sandbox.ts';
import {
  organizationId,
  operationDefaults,
  notFoundResponse,
  type ControlOperation,
  route,
  type ControlRoute,
} from './control-operation.ts';

const namedSchema = z.strictObject({ name: z.string().min(1) });
const issuedKeySchema = z.strictObject({ key_id: z.string(), api_key: z.string() });

export const organizationOperations = {
  createOrganization: {
    ...operationDefaults,
    method: 'post',
    path: '/organizations',
    summary: 'Create an empty organisation with a key that has every scope',
    body: namedSchema,
    responses: { 201: z.strictObject({ organization_id: organizationId, ...issuedKeySchema.shape }) },
  },
  listOrganizations: {
    ...operationDefaults,
    method: 'get',
    path: '/organizations',
    summary: 'List the organisations of the service, oldest first',
    responses: {
      200: z.strictObject({
        organizations: z.array(z.strictObject({ organization_id: organizationId, name: z.string() })),
      }),
    },
  },
  createKey: {
    ...operationDefaults,
    method: 'post',
    path: '/keys',
    summary: 'Issue a key; `older_scopes` are scopes of older keys, which grant nothing',
    body: z.strictObject({
      organization_id: organizationId,
      scopes: z.array(z.enum(scopes)),
      older_scopes: z.array(z.string().min(1)).optional(),
      expires_at: z.iso.datetime({ offset: true }).optional(),
    }),
    responses: { 201: issuedKeySchema, ...notFoundResponse },
  },
  revokeKey: {
    ...operationDefaults,
    method: 'delete',
    path: '/keys/{key_id}',
    summary: 'Revoke a key',
    params: z.object({ key_id: z.string().min(1) }),
    responses: { 204: null, ...notFoundResponse },
  },
} as const satisfies Record<string, ControlOperation>;

export function organizationRoutes(service: ServiceSandbox): ControlRoute[] {
  return [
    route(organizationOperations.createOrganization, ({ body }) => {
      const { organizationId, keyId, apiKey } = service.createOrganization(body);
      return { organization_id: organizationId, key_id: keyId, api_key: apiKey };
    }),
    route(organizationOperations.listOrganizations, () => ({
      organizations: service.organizations().map(({ id, name }) => ({ organization_id: id, name })),
    })),
    route(organizationOperations.createKey, ({ body }) => {
      const { keyId, apiKey } = service.createKey({
        organizationId: body.organization_id,
        scopes: body.scopes,
        olderScopes: body.older_scopes,
        expiresAt: body.expires_at === undefined ? undefined : new Date(body.expires_at),
      });
      return { key_id: keyId, api_key: apiKey };
    }),
    route(organizationOperations.revokeKey, ({ params }) => service.revokeKey(params.key_id)),
  ];
}
