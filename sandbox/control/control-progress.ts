/** Progression of resources, and manual status changes. */
import { z } from 'zod';
import { orderStatuses, outputStatuses, profileCreationStatuses } from '../../src/service/contract/index.ts';
import { orderSchema } from '../../src/service/contract/order.ts';
import { profileCreationSchema } from '../../src/service/contract/profile.ts';
import type { Progression } from '../status-lifecycle.ts';
import type { ServiceSandbox } from '../service/service-sandbox.ts';
import {
  organizationId,
  operationDefaults,
  refusalSchema,
  notFoundResponse,
  type ControlOperation,
  route,
  type ControlRoute,
} from './control-operation.ts';

const progressionSchema = z.union([
  z.enum(['immediate', 'manual']),
  z.strictObject({ after_seconds: z.number().min(0) }),
  z.strictObject({ after_polls: z.int().positive() }),
]);
const progressionsSchema = z.strictObject({
  profiles: progressionSchema,
  orders: progressionSchema,
  outputs: progressionSchema,
});

const stepSchema = z
  .strictObject({ status: z.enum(orderStatuses), publish: z.boolean().optional() })
  .refine(({ status, publish }) => publish === undefined || status === 'COMPLETED', {
    path: ['publish'],
    message: 'belongs to COMPLETED only',
  })
  .meta({ anyOf: [{ properties: { status: { const: 'COMPLETED' } } }, { not: { required: ['publish'] } }] });

export const progressOperations = {
  setProgression: {
    ...operationDefaults,
    method: 'put',
    path: '/progression',
    summary: 'Set how new resources progress: immediate, after_seconds, after_polls or manual',
    body: z.strictObject({ organization_id: organizationId.optional(), ...progressionsSchema.partial().shape }),
    responses: { 200: progressionsSchema, ...notFoundResponse },
  },
  stepOrder: {
    ...operationDefaults,
    method: 'post',
    path: '/orders/{order_id}',
    summary: 'Set the status of an order and hold it there; `publish` applies to COMPLETED',
    params: z.object({ order_id: z.string() }),
    body: stepSchema,
    responses: { 200: orderSchema, 409: refusalSchema, ...notFoundResponse },
  },
  stepProfileCreation: {
    ...operationDefaults,
    method: 'post',
    path: '/profile-creations/{profile_creation_id}',
    summary: 'Set the status of a profile creation',
    params: z.object({ profile_creation_id: z.string() }),
    body: z.strictObject({ status: z.enum(profileCreationStatuses) }),
    responses: { 200: profileCreationSchema, 409: refusalSchema, ...notFoundResponse },
  },
  stepOutput: {
    ...operationDefaults,
    method: 'post',
    path: '/orders/{order_id}/outputs/{output_id}',
    summary: 'Set the status of an output',
    params: z.object({ order_id: z.string(), output_id: z.string() }),
    body: z.strictObject({ status: z.enum(outputStatuses) }),
    responses: { 204: null, 409: refusalSchema, ...notFoundResponse },
  },
} as const satisfies Record<string, ControlOperation>;

export function progressRoutes(service: ServiceSandbox): ControlRoute[] {
  return [
    route(progressOperations.setProgression, ({ body: { organization_id, profiles, orders, outputs } }) => {
      const id = organization_id === undefined ? null : service.organization(organization_id).id;
      service.progressions.set(id, {
        ...(profiles === undefined ? {} : { profiles: toProgression(profiles) }),
        ...(orders === undefined ? {} : { orders: toProgression(orders) }),
        ...(outputs === undefined ? {} : { outputs: toProgression(outputs) }),
      });
      return service.progressions.forOrganization(id);
    }),
    route(progressOperations.stepOrder, ({ params, body }) => service.stepOrder(params.order_id, body)),
    route(progressOperations.stepProfileCreation, ({ params, body }) =>
      service.stepCreation(params.profile_creation_id, body.status),
    ),
    route(progressOperations.stepOutput, ({ params, body }) =>
      service.stepOutput(params.order_id, params.output_id, body.status),
    ),
  ];
}

function toProgression(given: z.infer<typeof progressionSchema>): Progression {
  return given === 'immediate' ? { after_seconds: 0 } : given;
}
