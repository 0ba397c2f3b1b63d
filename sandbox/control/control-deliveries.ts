/** Webhook deliveries with their attempts, notices (emails) and delivery faults. */
import { z } from 'zod';
import type { ServiceSandbox } from '../service/service-sandbox.ts';
import { deliveryFaultSchema } from '../webhooks/webhook-inputs.ts';
import { attemptTriggers, deliveryStates } from '../state/webhook-records.ts';
import {
  organizationParams,
  operationDefaults,
  refusalSchema,
  notFoundResponse,
  type ControlOperation,
  defaultWait,
  waitTimeout,
  route,
  type ControlRoute,
} from './control-operation.ts';

const attemptSchema = z.looseObject({
  number: z.int(),
  trigger: z.enum(attemptTriggers),
  started_at: z.string(),
  duration_ms: z.number(),
  outcome: z.string(),
  reason: z.string(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  text: z.string(),
  location: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
});

export const deliverySchema = z.looseObject({
  delivery_id: z.string(),
  kind: z.enum(['reply', 'test', 'order_status']),
  type: z.string(),
  action_id: z.string().nullable(),
  address_id: z.string().nullable(),
  order_id: z.string().nullable(),
  state: z.enum(deliveryStates),
  reason: z.string().nullable(),
  body: z.string(),
  created_at: z.string(),
  next_attempt_at: z.string().nullable(),
  kept_until: z.string().nullable(),
  attempts: z.array(attemptSchema),
});
export const deliveriesSchema = z.strictObject({ deliveries: z.array(deliverySchema) });

const noticeSchema = z.looseObject({
  notice_id: z.string(),
  kind: z.string(),
  to: z.string(),
  reason: z.string(),
  at: z.string(),
});

const deliveryParams = organizationParams.extend({ delivery_id: z.string() });
const maxPageSize = 1_000;
const filterFields = {
  state: z.enum(deliveryStates).optional(),
  address_id: z.string().optional(),
  action_id: z.string().optional(),
  order_id: z.string().optional(),
};

export const deliveryOperations = {
  listDeliveries: {
    ...operationDefaults,
    method: 'get',
    path: '/organizations/{organization_id}/deliveries',
    summary: 'List deliveries with their attempts and answers, newest first; 100 by default',
    params: organizationParams,
    query: z.strictObject({
      ...filterFields,
      limit: z.coerce.number().int().min(1).max(maxPageSize).optional(),
      offset: z.coerce.number().int().min(0).optional(),
    }),
    responses: { 200: deliveriesSchema, ...notFoundResponse },
  },
  waitForDeliveries: {
    ...operationDefaults,
    method: 'get',
    path: '/organizations/{organization_id}/deliveries/wait',
    summary: 'Wait until enough deliveries match, or until the timeout; returns the newest ones',
    params: organizationParams,
    query: z.strictObject({
      ...filterFields,
      count: z.coerce.number().int().positive().max(maxPageSize).optional(),
      timeout_ms: waitTimeout,
    }),
    responses: { 200: z.strictObject({ satisfied: z.boolean(), ...deliveriesSchema.shape }), ...notFoundResponse },
  },
  getDelivery: {
    ...operationDefaults,
    method: 'get',
    path: '/organizations/{organization_id}/deliveries/{delivery_id}',
    summary: 'Read one delivery',
    params: deliveryParams,
    responses: { 200: deliverySchema, ...notFoundResponse },
  },
  resendDelivery: {
    ...operationDefaults,
    method: 'post',
    path: '/organizations/{organization_id}/deliveries/{delivery_id}/resend',
    summary: 'Send a failed delivery again under the same webhook-id, as the support team of the service can',
    params: deliveryParams,
    responses: { 200: deliverySchema, 409: refusalSchema, ...notFoundResponse },
  },
  listNotices: {
    ...operationDefaults,
    method: 'get',
    path: '/organizations/{organization_id}/notices',
    summary: 'List the emails that the service would have sent',
    params: organizationParams,
    responses: { 200: z.strictObject({ notices: z.array(noticeSchema) }), ...notFoundResponse },
  },
  addDeliveryFault: {
    ...operationDefaults,
    method: 'post',
    path: '/delivery-faults',
    summary: 'Inject a fault into the next deliveries to a receiver',
    body: deliveryFaultSchema,
    responses: { 204: null },
  },
  clearDeliveryFaults: {
    ...operationDefaults,
    method: 'delete',
    path: '/delivery-faults',
    summary: 'Remove all delivery faults',
    responses: { 204: null },
  },
} as const satisfies Record<string, ControlOperation>;

export function deliveryRoutes({ webhooks: { deliveries, faults } }: ServiceSandbox): ControlRoute[] {
  return [
    route(deliveryOperations.listDeliveries, ({ params, query: { limit, offset, ...filter } }) => ({
      deliveries: deliveries.list(params.organization_id, filter, { limit, offset }),
    })),
    route(deliveryOperations.waitForDeliveries, ({ params, query }) => {
      const { count = defaultWait.count, timeout_ms: timeoutMs = defaultWait.timeout_ms, ...filter } = query;
      return deliveries.wait(params.organization_id, filter, { count, timeoutMs });
    }),
    route(deliveryOperations.getDelivery, ({ params }) => deliveries.get(params.organization_id, params.delivery_id)),
    route(deliveryOperations.resendDelivery, ({ params }) =>
      deliveries.resend(params.organization_id, params.delivery_id),
    ),
    route(deliveryOperations.listNotices, ({ params }) => ({ notices: deliveries.notices(params.organization_id) })),
    route(deliveryOperations.addDeliveryFault, ({ body }) => faults.add(body)),
    route(deliveryOperations.clearDeliveryFaults, () => faults.clear()),
  ];
}
