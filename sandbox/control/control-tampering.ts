/** Changes of published results between readings, to test that a client notices them. */
import { z } from 'zod';
import { tamperingSchema } from '../results/result-tampering.ts';
import type { ServiceSandbox } from '../service/service-sandbox.ts';
import {
  operationDefaults,
  refusalSchema,
  notFoundResponse,
  type ControlOperation,
  route,
  type ControlRoute,
} from './control-operation.ts';

const params = z.object({ order_id: z.string() });
const changesSchema = z.strictObject({ changes: z.array(tamperingSchema).min(1).max(100) });

export const tamperingOperations = {
  tamperWithOrder: {
    ...operationDefaults,
    method: 'post',
    path: '/orders/{order_id}/tampering',
    summary:
      'Change the published results of an order from the next reading on, after the changes made before; the real service never does',
    params,
    body: changesSchema,
    responses: { 201: changesSchema, 409: refusalSchema, ...notFoundResponse },
  },
  restoreOrder: {
    ...operationDefaults,
    method: 'delete',
    path: '/orders/{order_id}/tampering',
    summary: 'Undo all changes of the published results of an order',
    params,
    responses: { 204: null, ...notFoundResponse },
  },
} as const satisfies Record<string, ControlOperation>;

export function tamperingRoutes(service: ServiceSandbox): ControlRoute[] {
  return [
    route(tamperingOperations.tamperWithOrder, ({ params: { order_id }, body }) => ({
      changes: [...service.tamper(order_id, body.changes)],
    })),
    route(tamperingOperations.restoreOrder, ({ params: { order_id } }) => service.restoreOrder(order_id)),
  ];
}
