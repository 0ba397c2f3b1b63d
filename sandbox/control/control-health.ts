/** Health of the sandbox, its assumptions and its drift. */
import { z } from 'zod';
import { assumptions } from '../../src/service/contract/index.ts';
import type { ServiceSandbox } from '../service/service-sandbox.ts';
import {
  organizationId,
  operationDefaults,
  notFoundResponse,
  type ControlOperation,
  route,
  type ControlRoute,
} from './control-operation.ts';

const driftSchema = z.strictObject({
  unknown_fields: z.boolean(),
  reason_codes: z.boolean(),
  reply_types: z.boolean(),
  nulls: z.boolean(),
  leaks: z.boolean(),
});

export const healthOperations = {
  getHealth: {
    ...operationDefaults,
    method: 'get',
    path: '/health',
    summary: 'Check that the sandbox runs, with its CPU time and memory',
    responses: {
      200: z.strictObject({
        status: z.string(),
        cpu_seconds: z.number(),
        resident_bytes: z.int(),
        peak_resident_bytes: z.int(),
      }),
    },
  },
  listAssumptions: {
    ...operationDefaults,
    method: 'get',
    path: '/assumptions',
    summary: 'List every assumption about the service, and the values in use',
    responses: {
      200: z.strictObject({
        assumptions: z.array(
          z.strictObject({ id: z.string(), about: z.string(), choice: z.string(), setting: z.string() }),
        ),
        in_force: z.record(z.string(), z.unknown()),
      }),
    },
  },
  setDrift: {
    ...operationDefaults,
    method: 'put',
    path: '/drift',
    summary:
      'Simulate a later version: unknown fields, reason codes and reply types, null in assumed fields; or let excluded companies through',
    body: z.strictObject({ organization_id: organizationId.optional(), ...driftSchema.partial().shape }),
    responses: { 200: driftSchema, ...notFoundResponse },
  },
} as const satisfies Record<string, ControlOperation>;

export function healthRoutes(service: ServiceSandbox): ControlRoute[] {
  return [
    route(healthOperations.getHealth, () => ({ status: 'ok', ...usage() })),
    route(healthOperations.listAssumptions, () => ({
      assumptions: Object.entries(assumptions).map(([id, assumption]) => ({ id, ...assumption })),
      in_force: { ...service.assumed },
    })),
    route(healthOperations.setDrift, ({ body: { organization_id, ...changes } }) => {
      const id = organization_id === undefined ? null : service.organization(organization_id).id;
      service.drift.set(id, changes);
      return service.drift.forOrganization(id);
    }),
  ];
}

function usage() {
  const { user, system } = process.cpuUsage();
  return {
    cpu_seconds: (user + system) / 1e6,
    resident_bytes: process.memoryUsage.rss(),
    // maxRSS is in kilobytes on every platform.
    peak_resident_bytes: process.resourceUsage().maxRSS * 1_024,
  };
}
