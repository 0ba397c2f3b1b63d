/** Reset, snapshots and example data of the sandbox. */
import { z } from 'zod';
import type { HubSpotSandbox } from '../hubspot/hubspot-sandbox.ts';
import { Refusal } from '../service-refusal.ts';
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

const snapshotName = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, dashes or underscores');

export const stateOperations = {
  reset: {
    ...operationDefaults,
    method: 'post',
    path: '/reset',
    summary:
      'Empty the sandbox and clear faults, journals, progression, drift and tampering; organisations, portals and keys stay',
    responses: { 204: null },
  },
  saveSnapshot: {
    ...operationDefaults,
    method: 'post',
    path: '/snapshots',
    summary: 'Save the state of the service under a name; replaces a snapshot of that name',
    body: z.strictObject({ name: snapshotName }),
    responses: { 201: z.strictObject({ name: snapshotName }) },
  },
  listSnapshots: {
    ...operationDefaults,
    method: 'get',
    path: '/snapshots',
    summary: 'List the snapshots',
    responses: { 200: z.strictObject({ snapshots: z.array(snapshotName) }) },
  },
  dropSnapshot: {
    ...operationDefaults,
    method: 'delete',
    path: '/snapshots/{name}',
    summary: 'Remove a snapshot and its file',
    params: z.object({ name: snapshotName }),
    responses: { 204: null, ...notFoundResponse },
  },
  restoreSnapshot: {
    ...operationDefaults,
    method: 'post',
    path: '/snapshots/{name}/restore',
    summary: 'Restore the service to a snapshot, with organisations and keys; running work is dropped',
    params: z.object({ name: snapshotName }),
    responses: { 204: null, ...notFoundResponse },
  },
  seed: {
    ...operationDefaults,
    method: 'post',
    path: '/seed',
    summary: 'Create example data: a blacklist, a profile and a published order of each type',
    body: z.strictObject({
      organization_id: organizationId,
      entries: z.int().min(0).max(1_000_000).optional(),
      companies: z.int().min(1).max(1_000_000).optional(),
    }),
    responses: {
      201: z.strictObject({
        blacklist_id: z.guid(),
        profile_id: z.guid(),
        discovery_order_id: z.guid(),
        enrichment_order_id: z.guid(),
      }),
      409: refusalSchema,
      ...notFoundResponse,
    },
  },
} as const satisfies Record<string, ControlOperation>;

export function stateRoutes(service: ServiceSandbox, hubspot: HubSpotSandbox): ControlRoute[] {
  return [
    // The keys printed at the start stay valid.
    route(stateOperations.reset, () => {
      service.reset();
      hubspot.reset();
    }),
    route(stateOperations.saveSnapshot, ({ body }) => {
      service.snapshots.save(body.name);
      return body;
    }),
    route(stateOperations.listSnapshots, () => ({ snapshots: service.snapshots.names() })),
    route(stateOperations.dropSnapshot, ({ params }) => {
      if (!service.snapshots.drop(params.name)) throw unknownSnapshot();
    }),
    route(stateOperations.restoreSnapshot, ({ params }) => {
      if (!service.snapshots.restore(params.name)) throw unknownSnapshot();
    }),
    route(stateOperations.seed, ({ body: { organization_id, entries = 1_000, companies = 250 } }) =>
      service.seed(organization_id, { entries, companies }),
    ),
  ];
}

function unknownSnapshot(): Refusal {
  return new Refusal(404, { code: 'SNAPSHOT_NOT_FOUND', message: 'No such snapshot.' });
}
