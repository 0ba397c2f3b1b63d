/** Receiver addresses of reply webhooks, which owners and admins manage in the dashboard of the service. */
import { z } from 'zod';
import type { ServiceSandbox } from '../service/service-sandbox.ts';
import { addressInputSchema, callerRoleSchema, keyChangeSchema } from '../webhooks/webhook-inputs.ts';
import {
  organizationParams,
  operationDefaults,
  refusalResponses,
  notFoundResponse,
  type ControlOperation,
  route,
  type ControlRoute,
} from './control-operation.ts';

const addressSchema = z.looseObject({
  address_id: z.string(),
  url: z.string(),
  /** The header's name; its value is never shown. */
  key_header: z.string().nullable(),
  state: z.enum(['active', 'paused']),
  paused_because: z.string().nullable(),
  first_failure_at: z.string().nullable(),
  failed_deliveries: z.int(),
  kept_replies: z.int(),
  added_by: z.string(),
  created_at: z.string(),
});
const secretSchema = z.looseObject({
  secret: z.string(),
  older: z.array(z.looseObject({ expires_at: z.string() })),
});

const addressParams = organizationParams.extend({ address_id: z.string() });

export const addressOperations = {
  addAddress: {
    ...operationDefaults,
    method: 'post',
    path: '/organizations/{organization_id}/addresses',
    summary: 'Add a receiver address; private addresses are refused unless the sandbox allows them',
    params: organizationParams,
    body: addressInputSchema,
    responses: { 201: addressSchema, ...refusalResponses },
  },
  listAddresses: {
    ...operationDefaults,
    method: 'get',
    path: '/organizations/{organization_id}/addresses',
    summary: 'List the receiver addresses',
    params: organizationParams,
    responses: { 200: z.strictObject({ addresses: z.array(addressSchema) }), ...notFoundResponse },
  },
  removeAddress: {
    ...operationDefaults,
    method: 'delete',
    path: '/organizations/{organization_id}/addresses/{address_id}',
    summary: 'Remove an address that no action uses',
    params: addressParams,
    query: callerRoleSchema,
    responses: { 204: null, ...refusalResponses },
  },
  changeKey: {
    ...operationDefaults,
    method: 'put',
    path: '/organizations/{organization_id}/addresses/{address_id}/key',
    summary: 'Change or remove the key header of an address',
    params: addressParams,
    body: keyChangeSchema,
    responses: { 200: addressSchema, ...refusalResponses },
  },
  readSecret: {
    ...operationDefaults,
    method: 'get',
    path: '/organizations/{organization_id}/addresses/{address_id}/secret',
    summary: 'Read the signing secret of an address',
    params: addressParams,
    query: callerRoleSchema,
    responses: { 200: secretSchema, ...refusalResponses },
  },
  rotateSecret: {
    ...operationDefaults,
    method: 'post',
    path: '/organizations/{organization_id}/addresses/{address_id}/secret',
    summary: 'Rotate the signing secret; the old secret stays valid for 24 hours',
    params: addressParams,
    body: callerRoleSchema,
    responses: { 200: secretSchema, ...refusalResponses },
  },
  readOrderSecret: {
    ...operationDefaults,
    method: 'get',
    path: '/organizations/{organization_id}/order-notifications/secret',
    summary: 'Read the secret that signs the status notifications of orders',
    params: organizationParams,
    query: callerRoleSchema,
    responses: { 200: secretSchema, ...refusalResponses },
  },
  rotateOrderSecret: {
    ...operationDefaults,
    method: 'post',
    path: '/organizations/{organization_id}/order-notifications/secret',
    summary: 'Rotate the secret of order notifications',
    params: organizationParams,
    body: callerRoleSchema,
    responses: { 200: secretSchema, ...refusalResponses },
  },
} as const satisfies Record<string, ControlOperation>;

export function addressRoutes({ webhooks: { addresses, orders } }: ServiceSandbox): ControlRoute[] {
  return [
    route(addressOperations.addAddress, ({ params, body }) => addresses.add(params.organization_id, body)),
    route(addressOperations.listAddresses, ({ params }) => ({ addresses: addresses.list(params.organization_id) })),
    route(addressOperations.removeAddress, ({ params, query }) =>
      addresses.remove(params.organization_id, params.address_id, query),
    ),
    route(addressOperations.changeKey, ({ params, body }) =>
      addresses.changeKey(params.organization_id, params.address_id, body),
    ),
    route(addressOperations.readSecret, ({ params, query }) =>
      addresses.secret(params.organization_id, params.address_id, query),
    ),
    route(addressOperations.rotateSecret, ({ params, body }) =>
      addresses.rotateSecret(params.organization_id, params.address_id, body),
    ),
    route(addressOperations.readOrderSecret, ({ params, query }) => orders.secret(params.organization_id, query)),
    route(addressOperations.rotateOrderSecret, ({ params, body }) => orders.rotateSecret(params.organization_id, body)),
  ];
}
