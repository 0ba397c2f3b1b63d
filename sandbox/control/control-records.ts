/** Edits of HubSpot records as a user makes them: unlike writes through the API, they have the user as their source. */
import { z } from 'zod';
import { ApiError } from '../hubspot/api-error.ts';
import type { HubSpotSandbox } from '../hubspot/hubspot-sandbox.ts';
import { Refusal } from '../service-refusal.ts';
import {
  operationDefaults,
  notFoundResponse,
  type ControlOperation,
  route,
  type ControlRoute,
} from './control-operation.ts';

const params = z.object({
  portal_id: z.coerce.number().int(),
  object_type: z.enum(['companies', 'contacts']),
  record_id: z.string(),
});
const editSchema = z.strictObject({ properties: z.record(z.string(), z.string()) });

export const recordOperations = {
  editRecord: {
    ...operationDefaults,
    method: 'patch',
    path: '/portals/{portal_id}/records/{object_type}/{record_id}',
    summary: 'Change properties of a record as a user does in HubSpot; an empty text clears a property',
    params,
    body: editSchema,
    responses: { 204: null, ...notFoundResponse },
  },
} as const satisfies Record<string, ControlOperation>;

export function recordRoutes(hubspot: HubSpotSandbox): ControlRoute[] {
  return [
    route(recordOperations.editRecord, ({ params: { portal_id, object_type, record_id }, body }) => {
      if (edit(hubspot, portal_id, { objectType: object_type, id: record_id, properties: body.properties })) return;
      throw new Refusal(404, { code: 'RECORD_NOT_FOUND', message: 'No such record.' });
    }),
  ];
}

/** What HubSpot refuses, such as an unknown property, is a fault of the request. */
function edit(hubspot: HubSpotSandbox, portalId: number, change: Parameters<HubSpotSandbox['editRecord']>[1]): boolean {
  try {
    return hubspot.editRecord(portalId, change);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new Refusal(422, { code: 'INVALID_REQUEST', message: error.body.message });
  }
}
